import { z } from 'zod'
import { apiFields } from '#lib/apps/api-rules'
import type { Acted } from '#lib/console/acted'
import { namesTag } from '#lib/console/api/if-match'
import { type Call, operation } from '#lib/console/api/operation'
import { notFound, refusedAct } from '#lib/console/api/problem'
import { time } from '#lib/console/api/schemas'
import { changeApi, deleteApi, registerApi } from '#lib/console/team-apis/edit-api'
import type { TeamApi } from '#lib/console/team-apis/store'

const api = z.object({
  identifier: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  sensitive_scopes: z.array(z.string()),
  /** Scopes that wait for an operator's approval; they are among `scopes` too. */
  waiting_scopes: z.array(z.string()),
  signing_alg: z.enum(['ES256', 'RS256']),
  created_at: time,
  etag: z.string(),
})

const { identifier: _, ...changeable } = apiFields

/** The APIs of the team (RFC 8707). An identifier in a path is percent-encoded. */
export const apiOperations = [
  operation({
    id: 'listApis',
    method: 'GET',
    path: '/apis',
    action: 'api.read',
    summary: 'Lists the APIs of the team by identifier; a team has at most 100',
    answer: { status: 200, schema: z.object({ items: z.array(api) }) },
    async run({ context, by }) {
      return { body: { items: (await context.teamApis.list(by.team.id)).map(shown) } }
    },
  }),
  operation({
    id: 'registerApi',
    method: 'POST',
    path: '/apis',
    action: 'api.change',
    summary: 'Registers an API',
    body: z.strictObject(apiFields),
    answer: { status: 201, schema: api },
    async run({ context, by, body }) {
      return answer(context, by.team.id, body.identifier, await registerApi(context, by, body))
    },
  }),
  operation({
    id: 'getApi',
    method: 'GET',
    path: '/apis/{api}',
    action: 'api.read',
    summary: 'Returns an API, with the ETag that a change needs',
    answer: { status: 200, schema: api },
    async run(call) {
      const found = await apiOf(call)
      return { body: shown(found), headers: { etag: etagOf(found) } }
    },
  }),
  operation({
    id: 'replaceApi',
    method: 'PUT',
    path: '/apis/{api}',
    action: 'api.change',
    summary: 'Replaces the name, the scopes and the signing algorithm of an API',
    ifMatch: true,
    body: z.strictObject(changeable),
    answer: { status: 200, schema: api },
    async run(call) {
      const { context, by, body, request } = call
      const found = await apiOf(call)
      const { identifier, version } = found
      if (!namesTag(request, etagOf(found))) throw refusedAct([{ code: 'api_stale' }])
      const changed = await changeApi(context, by, { ...body, identifier, version })
      return answer(context, by.team.id, identifier, changed)
    },
  }),
  operation({
    id: 'deleteApi',
    method: 'DELETE',
    path: '/apis/{api}',
    action: 'api.delete',
    summary: 'Deletes an API: its tokens become inactive',
    async run(call) {
      const { identifier } = await apiOf(call)
      const deleted = await deleteApi(call.context, call.by, { identifier })
      if ('problems' in deleted) throw refusedAct(deleted.problems)
      return {}
    },
  }),
]

/** Returns the API in the path; the API of another team does not exist for it. */
async function apiOf({ context, by, path }: Call<unknown, unknown>): Promise<TeamApi> {
  const found = await context.teamApis.find(by.team.id, path.api ?? '')
  if (!found) throw notFound()
  return found
}

async function answer(context: Call['context'], teamId: string, identifier: string, acted: Acted) {
  if ('problems' in acted) throw refusedAct(acted.problems)
  const found = await context.teamApis.find(teamId, identifier)
  if (!found) throw notFound()
  return { body: shown(found), headers: { etag: etagOf(found) } }
}

const etagOf = ({ version }: TeamApi) => `"${version}"`

const shown = (one: TeamApi) => ({
  identifier: one.identifier,
  name: one.name,
  scopes: [...one.scopes, ...one.waitingScopes],
  sensitive_scopes: one.sensitiveScopes,
  waiting_scopes: one.waitingScopes,
  signing_alg: one.signingAlg,
  created_at: one.createdAt.toISOString(),
  etag: etagOf(one),
})
