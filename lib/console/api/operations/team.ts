import { z } from 'zod'
import { operation } from '#lib/console/api/operation'
import { notFound, refusedAct } from '#lib/console/api/problem'
import { act, listOf, page, team, teamToken } from '#lib/console/api/schemas'
import type { Act } from '#lib/console/audit/act'
import { renameTeam } from '#lib/console/team/rename-team'
import type { TeamToken } from '#lib/console/tokens/store'
import { revokeToken } from '#lib/console/tokens/team-token'
import { text } from '#lib/text/text-rules'

/** The team itself, its audit trail and its tokens. */
export const teamOperations = [
  operation({
    id: 'getTeam',
    method: 'GET',
    path: '/team',
    action: 'team.read',
    summary: 'Returns the team of the token',
    answer: { status: 200, schema: team },
    run: async ({ by: { team: own } }) => ({ body: shownTeam(own) }),
  }),
  operation({
    id: 'renameTeam',
    method: 'PATCH',
    path: '/team',
    action: 'team.rename',
    summary: 'Renames the team',
    body: z.strictObject({ name: text.max(200, 'must have at most 200 characters') }),
    answer: { status: 200, schema: team },
    async run({ context, by, body: { name } }) {
      const renamed = await renameTeam(context, by, { name: name.trim() })
      if ('problems' in renamed) throw refusedAct(renamed.problems)
      return { body: shownTeam({ ...by.team, name: name.trim() }) }
    },
  }),
  operation({
    id: 'listActivity',
    method: 'GET',
    path: '/activity',
    action: 'audit.read',
    summary: 'Lists the changes in the team, the newest first',
    query: page,
    answer: { status: 200, schema: listOf(act) },
    async run({ context, by, query: { after, limit } }) {
      const acts = await context.acts.list(by.team.id, after, limit + 1)
      const items = acts.slice(0, limit).map(shownAct)
      return { body: { items, next: acts.length > limit ? items.at(-1)?.id : null } }
    },
  }),
  operation({
    id: 'listTokens',
    method: 'GET',
    path: '/tokens',
    action: 'tokens.read',
    summary: 'Lists the API tokens of the team, without their secrets',
    answer: { status: 200, schema: z.object({ items: z.array(teamToken) }) },
    run: async ({ context, by }) => ({
      body: { items: (await context.tokens.listTokens(by.team.id, context.now())).map(shownToken) },
    }),
  }),
  operation({
    id: 'revokeToken',
    method: 'DELETE',
    path: '/tokens/{token}',
    action: 'tokens.revoke',
    summary: 'Revokes an API token',
    async run({ context, by, path }) {
      if (!(await revokeToken(context, by, path.token ?? ''))) throw notFound()
      return {}
    },
  }),
]

type Team = { id: string; name: string; createdAt: Date; apps: number; members: number }
const shownTeam = ({ id, name, createdAt, apps, members }: Team) => ({ id, name, created_at: createdAt, apps, members })

/** Returns an act as the API shows it. */
export const shownAct = ({ id, at, actor, token = '', kind, target, before, after }: Act) => ({
  ...{ id, at, actor, token, kind, target, before, after },
})

const shownToken = ({ createdAt, expiresAt, lastUsedAt, ...token }: TeamToken) => ({
  ...token,
  created_at: createdAt,
  expires_at: expiresAt,
  last_used_at: lastUsedAt,
})
