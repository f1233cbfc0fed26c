import type { Api } from '#lib/oauth/client/api'
import type { Client } from '#lib/oauth/client/client'
import { profileOf } from '#lib/oauth/client/profile'
import type { OAuthContext } from './context.ts'
import type { Parameters } from './endpoint.ts'
import { OAuthError } from './error.ts'
import { parseScope } from './scope.ts'
import type { Authorization } from './store.ts'

/** The APIs that one authorization request can name; more would not fit the sealed request. */
const mostNamed = 5

/** Returns the refusal. Its text is the same for an unknown API and for an API of another team (RFC 8707 §2). */
const refuse = (reason: string, detail: Record<string, string> = {}) =>
  new OAuthError(
    'invalid_target',
    'Each resource must be the identifier of an API of the team of this app, exactly as registered.',
    reason,
    detail,
  )

/**
 * Returns the APIs that an authorization request names (RFC 8707 §2.1). Compares identifiers exactly, so that a relative
 * URI or one with a fragment names no API. An app may name only APIs of its team: a token for another team's API would
 * show that team the `sub` of this one.
 */
export async function namedApis(context: OAuthContext, client: Client, parameters: Parameters): Promise<Api[]> {
  const named = parseScope(parameters.get('resource') ?? '')
  const apis = await apisOf(context, client, named)
  const unknown = named.find((identifier) => !apis.some((api) => api.identifier === identifier))
  // The reason must not contain the value: a visitor could produce any number of reasons, and the number of failures is
  // limited for each reason.
  if (unknown !== undefined) throw refuse('not an API of the team of this app', { resource: unknown.slice(0, 500) })
  if (apis.length > mostNamed) throw refuse(`more than ${mostNamed} resources`)
  const { idTokenAlgs } = profileOf(client.profile)
  const unsupported = apis.find(({ signingAlg }) => !idTokenAlgs.includes(signingAlg))
  if (unsupported)
    throw refuse(`tokens for ${unsupported.identifier} are signed with ${unsupported.signingAlg}, not ${idTokenAlgs}`)
  return apis
}

/** Returns the requested scopes of the named APIs. Each API needs one, so that the consent page names every API. */
export function scopesOfApis(apis: Api[], parameters: Parameters): string[] {
  const asked = parseScope(parameters.get('scope') ?? '')
  const unused = apis.find((api) => !api.scopes.some((scope) => asked.includes(scope)))
  if (unused)
    throw new OAuthError(
      'invalid_scope',
      'The scope must include a scope of each API in resource.',
      `no scope of ${unused.identifier}`,
    )
  return apis.flatMap(({ scopes }) => scopes).filter((scope) => asked.includes(scope))
}

/** Returns those of the named APIs that the app's team has registered now. Reads nothing if none is named. */
export async function apisOf(
  { store }: Pick<OAuthContext, 'store'>,
  { teamId }: Pick<Client, 'teamId'>,
  named: readonly string[] = [],
): Promise<Api[]> {
  if (named.length === 0) return []
  return (await store.findApis(teamId)).filter(({ identifier }) => named.includes(identifier))
}

/**
 * Returns the API that a token request names; undefined without `resource`. A token has one audience, so that no API can
 * use it at another one (RFC 8707 §3).
 */
export async function namedApi(context: OAuthContext, client: Client, form: Parameters): Promise<Api | undefined> {
  const [api, ...others] = await namedApis(context, client, form)
  if (others.length > 0)
    throw new OAuthError('invalid_target', 'Name one resource: an access token is for one API.', 'several resources')
  return api
}

/**
 * Returns the scopes of an API that are granted. Refuses an API that the authorization request did not name (RFC 8707
 * §2.2), or for which the person granted no scope.
 */
export function grantedFor({ identifier, scopes }: Api, authorization: Authorization): string[] {
  const granted = scopes.filter((scope) => authorization.scopes.includes(scope))
  if (authorization.resources.includes(identifier) && granted.length > 0) return granted
  const description = 'The resource must be one of the granted ones. Send a new authorization request.'
  throw new OAuthError('invalid_target', description, `not granted: ${identifier}`)
}
