import type { ApiRecord } from '#lib/apps/api-store'
import { type Command, Refusal } from '#lib/cli/command'
import { withDatabase } from '#lib/cli/open'
import { operatorAct } from '#lib/cli/operator-act'
import { table } from '#lib/cli/table'
import { makeApiStore, removeApi } from '#lib/db/apps/api-registry'

/** Lists and removes the APIs of teams. */
export const apiCommands: Command[] = [
  {
    usage: 'api list',
    summary: 'List the registered APIs',
    run: (call) =>
      withDatabase(call, async ({ prisma }) => {
        const apis = await makeApiStore(prisma).list()
        const rows = apis.map((api) => [api.identifier, api.team, api.name, api.scopes.join(' ')])
        return { ok: true, value: apis.map(wire), text: table(['identifier', 'team', 'name', 'scopes'], rows) }
      }),
  },
  {
    usage: 'api remove IDENTIFIER',
    summary: 'Remove an API: no new tokens for it, and introspection answers inactive',
    run: (call) =>
      withDatabase(call, async ({ prisma }) => {
        const identifier = call.args[0] ?? ''
        const act = operatorAct(call, 'api_deleted')
        if (!(await prisma.$transaction((tx) => removeApi(tx, { identifier }, act))))
          throw new Refusal(`There is no API ${JSON.stringify(identifier.slice(0, 200))}. See: cli api list`)
        return { ok: true, value: { identifier, removed: true }, text: `API ${identifier} is removed.` }
      }),
  },
]

const wire = ({ signingAlg, createdAt, sensitiveScopes, waitingScopes, ...api }: ApiRecord) => ({
  ...api,
  sensitive_scopes: sensitiveScopes,
  waiting_scopes: waitingScopes,
  signing_alg: signingAlg,
  created_at: createdAt,
})
