import { dirname, resolve } from 'node:path'
import { makeSecret, makeSecretId, mostLiveSecrets } from '#lib/apps/secret'
import { type Answer, type Command, Refusal } from '#lib/cli/command'
import { withDatabase, withDatabaseToLookAt } from '#lib/cli/open'
import { hashPassword, verifyPassword } from '#lib/crypto/password-hash'
import type { Database } from '#lib/db/engine/client'
import { ChangedMeanwhile, planProvision, type Wanted, writeProvision } from '#lib/db/provision/provision'
import type { Plan, Tools } from '#lib/db/provision/provision-plan'
import { makeProof } from '#lib/relay/sender-domains/mail-domain'
import type { Problem } from '#lib/text/read-fields'
import { describePlan, wireName } from './describe-plan.ts'
import { readProvisionFile } from './provision-file.ts'
import { readBytes } from './read-bytes.ts'
import { readJson } from './read-json.ts'

/** Creates and updates teams, apps and people as a file declares them, in one transaction (design §8). */
export const apply: Command = {
  usage: 'apply FILE',
  summary:
    'Create and update teams, apps and people as FILE declares (- reads stdin); --dry-run only shows the difference',
  options: { 'dry-run': { type: 'boolean' } },
  async run(call) {
    const [file = ''] = call.args
    const bytes = await readBytes(file, call)
    if ('problem' in bytes) return refuse([{ path: '', message: bytes.problem }])
    const json = readJson(bytes)
    if (!json.ok) return refuse([{ path: '', message: json.message }])
    const dryRun = call.flags['dry-run'] === true
    const open = dryRun ? withDatabaseToLookAt : withDatabase
    return open(call, async (database, config) => {
      const folder = file === '-' ? process.cwd() : dirname(resolve(file))
      const { wanted, problems } = readProvisionFile(json.value, folder, config, call.random)
      const tools: Tools = { now: call.now, random: call.random, passwordHashes: new Map(), credentials }
      const plan = await planProvision(database.prisma, wanted, tools)
      const all = [...problems, ...plan.problems]
      if (all.length > 0) return refuse(all)
      const notes = [...plan.notes, ...(await passwordNotes(plan))]
      const secrets = dryRun ? undefined : await write(database, wanted, plan, tools)
      return succeed(plan, notes, secrets)
    })
  },
}

const credentials = { mostLiveSecrets, makeSecret, makeSecretId, makeProof }

function refuse(problems: Problem[]): Answer {
  const lines = problems.map(({ path, message }) => `  ${path || 'the file'}: ${message}`)
  const head = `Nothing was applied; ${problems.length} problem${problems.length === 1 ? '' : 's'}:`
  return { ok: false, value: { problems }, text: [head, ...lines].join('\n') }
}

/**
 * Returns a note for each declared password that differs from the stored one: a file never changes an existing
 * password.
 */
async function passwordNotes({ passwords }: Plan): Promise<string[]> {
  const notes: string[] = []
  for (const { path, username, password, stored } of passwords) {
    if (stored === undefined) continue
    const same = stored !== null && (await verifyPassword(password, stored)).ok
    if (!same)
      notes.push(`${path}.password: not applied; ${username} exists and keeps the password (new one: cli user reset)`)
  }
  return notes
}

async function write(database: Database, wanted: Wanted, plan: Plan, tools: Tools) {
  // Hash before the transaction: hashing is slow on purpose, and an open transaction blocks every other writer.
  for (const { username, password, stored } of plan.passwords) {
    if (stored === undefined) tools.passwordHashes.set(username, await hashPassword(password))
  }
  try {
    return await writeProvision(database, wanted, tools, plan)
  } catch (fault) {
    if (!(fault instanceof ChangedMeanwhile)) throw fault
    throw new Refusal('The same records were changed at the same time, so nothing was applied. Run the command again.')
  }
}

function succeed(plan: Plan, notes: string[], made: Map<string, string> | undefined): Answer {
  const applied = made !== undefined
  const count = plan.steps.length
  const outcome = `${count} change${count === 1 ? '' : 's'} ${applied ? 'applied' : 'to apply; nothing was written'}.`
  const changes = plan.steps.map(({ change }) => ({ ...change, fields: change.fields.map(wireName) }))
  const generates = applied ? {} : { would_generate: plan.generates }
  return {
    ok: true,
    value: { applied, changes, secrets: Object.fromEntries(made ?? []), ...generates, notes },
    text: [
      ...describePlan(plan),
      ...notes.map((note) => `note: ${note}`),
      count === 0 ? 'Nothing to change.' : outcome,
    ].join('\n'),
    secrets: [...(made ?? [])].map(([app, value]) => ({
      title: `The client secret of ${app}. It is shown once; its hash is stored:`,
      value,
    })),
  }
}
