import { type DeclaredApi, readApi } from '#lib/apps/api-rules'
import { splitApiScopes } from '#lib/apps/sensitive-scopes'
import type { Acted, Author } from '#lib/console/acted'
import { appNameProblems } from '#lib/console/app/app-name'
import { besideFields } from '#lib/console/app/declare-app'
import type { ConsoleContext } from '#lib/console/context'
import { actOf } from '#lib/console/team-form'
import type { FlashProblem } from '#lib/http/flash'
import { knownScopes } from '#lib/oauth/scope'
import type { Problem } from '#lib/text/read-fields'
import type { ApiWrite, TeamApi } from './store.ts'

/** The most APIs of a team. */
const mostApis = 100

/** The fields of an API, by their names in a file. */
export type ApiValues = {
  identifier: string
  name: string
  scopes: string[]
  sensitive_scopes?: string[] | undefined
  signing_alg: string
}

/** Registers an API of the team. */
export const registerApi = (context: ConsoleContext, by: Author, values: ApiValues): Promise<Acted> =>
  edit(context, by, values, 'api_registered', (api, act) => context.teamApis.register(api, mostApis, act))

/** Changes an API, unless another editor has changed it since the version that this one has read. */
export const changeApi = (
  context: ConsoleContext,
  by: Author,
  { version, ...values }: ApiValues & { version: string },
): Promise<Acted> => edit(context, by, values, 'api_changed', (api, act) => context.teamApis.update(api, version, act))

/** Deletes an API of the team. */
export async function deleteApi(
  context: ConsoleContext,
  by: Author,
  { identifier }: { identifier: string },
): Promise<Acted> {
  const act = actOf({ context, ...by }, 'api_deleted', { target: identifier })
  const isDeleted = await context.teamApis.remove(by.team.id, identifier, act)
  return isDeleted ? { done: 'api_deleted' } : { problems: [{ code: 'api_unknown' }] }
}

type Kind = 'api_registered' | 'api_changed'
type Write = (api: DeclaredApi, act: ReturnType<typeof actOf>) => Promise<ApiWrite>

/** Reads the values with the rules of `cli apply`, and writes them. */
async function edit(context: ConsoleContext, by: Author, values: ApiValues, kind: Kind, write: Write): Promise<Acted> {
  const { issuer, evaluation } = context.config
  const rules = { issuer, issuerIsLoopback: evaluation, knownScopes }
  const problems: Problem[] = []
  const api = readApi(values, '', by.team.id, rules, (path, message) => problems.push({ path, message }))
  if (!api || problems.length > 0) return { problems: besideFields(problems) }
  // People read the name on the consent page.
  const before = await context.teamApis.find(by.team.id, api.identifier)
  const names = await appNameProblems(context, by, { name: api.name }, { name: before?.name })
  if (names.length > 0) return { problems: names }
  const written = await write(
    reviewed(context, api, before),
    actOf({ context, ...by }, kind, { target: api.identifier }),
  )
  // The plan puts the path of the API, which is empty here, before the path of the field.
  if (written.result === 'refused')
    return { problems: besideFields(written.problems.map((one) => ({ ...one, path: one.path.replace(/^\./, '') }))) }
  return written.result === 'written' ? { done: kind } : { problems: [refusal(written.result)] }
}

/** Returns the API with its new sensitive scopes waiting, where operators review them. */
function reviewed({ config }: ConsoleContext, api: DeclaredApi, before: TeamApi | undefined): DeclaredApi {
  if (!config.reviewsScopes) return api
  return { ...api, ...splitApiScopes(api.scopes, api.sensitiveScopes, before) }
}

const refusal = (result: 'taken' | 'enough' | 'unknown' | 'stale'): FlashProblem =>
  result === 'taken' ? { field: 'identifier', code: 'api_taken' } : { code: `api_${result}` }
