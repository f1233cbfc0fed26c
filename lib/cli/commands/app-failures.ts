import type { Answer, Call, Command } from '#lib/cli/command'
import { withDatabase } from '#lib/cli/open'
import { table } from '#lib/cli/table'
import { listFailures } from '#lib/db/failures/failure-store'
import { findApp } from './find-or-refuse.ts'

/** Shows why requests of an app failed, with the exact reasons, for its developers (design §9). */
export const appFailureCommands: Command[] = [
  {
    usage: 'app failures ID',
    summary: 'Show why an app was refused lately: exact reasons, what was registered and what was sent',
    run: showFailures,
  },
]

function showFailures(call: Call): Promise<Answer> {
  return withDatabase(call, async ({ prisma }) => {
    const id = call.args[0] ?? ''
    await findApp(prisma, id, call.now)
    const failures = await listFailures(prisma, id, { most: 200 })
    const listed = failures.map(({ id: _, isMerged, firstAt, lastAt, ...failure }) => ({
      ...failure,
      ...(isMerged && { other_values_too: true }),
      first_at: firstAt,
      last_at: lastAt,
    }))
    return { ok: true, value: { client_id: id, failures: listed }, text: asTable(failures) }
  })
}

function asTable(failures: Awaited<ReturnType<typeof listFailures>>): string {
  if (failures.length === 0) return 'Nothing was refused lately.'
  const rows = failures.map(({ endpoint, code, reason, detail, count, lastAt }) => [
    `${count} ×`,
    lastAt.toISOString(),
    endpoint,
    code,
    reason,
    JSON.stringify(detail),
  ])
  return table(['', 'last', 'endpoint', 'code', 'why', ''], rows)
}
