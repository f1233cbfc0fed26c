import type { DeclaredApi } from '#lib/apps/api-rules'
import { differ, joinPlans, type Plan, type Tools, valuesOf, type Writer, waitingSince } from './provision-plan.ts'

type KnownApi = { identifier: string; teamId: string; scopes: string; waitingScopes: string; waitingSince: Date | null }

/** Plans the writes that register the declared APIs. An API that the file omits stays. */
export async function planApis(reader: Writer, apis: DeclaredApi[], tools: Tools): Promise<Plan> {
  if (apis.length === 0) return joinPlans([])
  const [identifiers, teams] = [apis.map(({ identifier }) => identifier), apis.map(({ teamId }) => teamId)]
  const rows = await reader.api.findMany({
    where: { OR: [{ identifier: { in: identifiers } }, { teamId: { in: teams } }] },
  })
  const kept = rows.filter(({ identifier }) => !identifiers.includes(identifier))
  return joinPlans(
    apis.map((api) => {
      const before = rows.find(({ identifier }) => identifier === api.identifier)
      const problems = [...moveProblems(api, before), ...scopeProblems(api, kept)]
      return problems.length > 0 ? { problems } : planApi(api, before, tools)
    }),
  )
}

/**
 * Refuses an identifier that another team has: two teams with one identifier could issue tokens for the API of the
 * other.
 */
function moveProblems({ path, teamId }: DeclaredApi, before: KnownApi | undefined) {
  if (!before || before.teamId === teamId) return []
  return [{ path: `${path}.identifier`, message: `belongs to an API of team ${before.teamId}` }]
}

/** Refuses a scope of another stored API of the team: a scope must identify one API. */
function scopeProblems({ path, teamId, scopes }: DeclaredApi, kept: KnownApi[]) {
  const others = kept.filter((api) => api.teamId === teamId)
  return scopes.flatMap((scope, index) => {
    const owner = others.find((api) => `${api.scopes} ${api.waitingScopes}`.split(' ').includes(scope))
    return owner ? [{ path: `${path}.scopes[${index}]`, message: `is a scope of ${owner.identifier}` }] : []
  })
}

function planApi(api: DeclaredApi, before: KnownApi | undefined, { now }: Tools): Partial<Plan> {
  const { identifier, teamId, name, signingAlg } = api
  const columns = {
    name,
    scopes: api.scopes.join(' '),
    sensitiveScopes: api.sensitiveScopes.join(' '),
    waitingScopes: api.waitingScopes.join(' '),
    signingAlg,
  }
  const differences = differ(before ?? { sensitiveScopes: '', waitingScopes: '' }, columns)
  const since = { waitingSince: waitingSince(api, before, now) }
  if (differences.length === 0) return {}
  const write = (writer: Writer) =>
    before
      ? writer.api.update({ where: { identifier }, data: { ...valuesOf(differences), ...since, updatedAt: now } })
      : writer.api.create({ data: { identifier, teamId, ...columns, ...since, createdAt: now, updatedAt: now } })
  const fields = differences.map(({ field }) => field)
  return {
    steps: [{ change: { op: before ? 'update' : 'create', kind: 'api', id: identifier, fields }, differences, write }],
  }
}
