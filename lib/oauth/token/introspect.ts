import { sha256 } from '#lib/crypto/hash'
import { openToBrowsers } from '#lib/http/headers'
import { textResponse } from '#lib/http/lean'
import type { Client } from '#lib/oauth/client/client'
import { authenticationParameters, readAuthenticated } from '#lib/oauth/client/client-auth'
import type { OAuthContext } from '#lib/oauth/context'
import { answerEndpoint, json, requireParameter } from '#lib/oauth/endpoint'
import { authenticationFailed, OAuthError } from '#lib/oauth/error'
import { apisOf } from '#lib/oauth/resource'
import { formatScope, maySignIn, scopesInForce, scopesWithin } from '#lib/oauth/scope'
import type { Authorization, TokenState } from '#lib/oauth/store'
import { readRefreshToken } from './refresh-token.ts'
import { type AccessToken, isExpired, readAccessToken, secondsOf } from './signed-tokens.ts'

const known = new Set([...authenticationParameters, 'token', 'token_type_hint'])

/** POST /oauth2/introspect (specification §4.8, RFC 7662): for apps with credentials, about tokens of their own team. */
export const answerIntrospect = (context: OAuthContext, request: Request): Promise<Response> =>
  answerEndpoint(context, 'introspect', request, async (call) => {
    const { form, client } = await readAuthenticated(context, call, known)
    if (client.kind === 'public')
      throw new OAuthError('invalid_client', authenticationFailed, 'public apps cannot introspect')
    const token = requireParameter(form, 'token')
    const description =
      (await describeAccessToken(context, client, token)) ?? (await describeRefreshToken(context, client, token))
    return answerAs(context, client, description ?? { active: false })
  })

/**
 * Answers with JSON or, to an app that registered an algorithm, always with a JWT (RFC 9701 §5). Its type and its single
 * claim about the token keep it from being used as an access token or ID token (§8.1).
 */
async function answerAs(context: OAuthContext, client: Client, description: object): Promise<Response> {
  const algorithm = client.registration.introspection_signed_response_alg
  if (!algorithm) return json(description)
  const iat = secondsOf(context.now())
  const claims = { iss: context.issuer, aud: client.id, iat, token_introspection: description }
  const jwt = await context.keys.sign('token-introspection+jwt', claims, algorithm)
  const headers = {
    'content-type': 'application/token-introspection+jwt',
    'cache-control': 'no-store',
    pragma: 'no-cache',
  }
  return textResponse(jwt, { headers: { ...headers, ...openToBrowsers } })
}

async function describeAccessToken(context: OAuthContext, client: Client, text: string) {
  const token = await readAccessToken(context, text)
  if (!token || isExpired(context, token)) return undefined
  const grant = await context.store.findTokenState(token.authorizationId, token.jti)
  if (!grant || grant.teamId !== client.teamId || !maySignIn(grant)) return undefined
  const scopes = await currentScopes(context, token, grant)
  if (!scopes) return undefined
  return {
    active: true,
    scope: formatScope(scopes),
    client_id: token.clientId,
    token_type: token.jkt === undefined ? 'Bearer' : 'DPoP',
    // RFC 9470 §6.2.
    ...(token.acr !== undefined && { acr: token.acr }),
    ...(token.authTime !== undefined && { auth_time: token.authTime }),
    exp: token.expiresAt,
    iat: token.issuedAt,
    sub: grant.subject,
    aud: token.audience,
    iss: context.issuer,
    jti: token.jti,
    // RFC 9449 §6.2: the key that the protected resource checks.
    ...(token.jkt !== undefined && { cnf: { jkt: token.jkt } }),
  }
}

/** Returns the scopes of a token that still count; undefined if its API or every scope of the API is no longer registered. */
async function currentScopes(
  context: OAuthContext,
  token: AccessToken,
  grant: TokenState,
): Promise<string[] | undefined> {
  if (token.audience === context.issuer) return scopesWithin(token.scopes, scopesInForce(grant))
  const [api] = await apisOf(context, grant, [token.audience])
  const scopes = token.scopes.filter((scope) => api?.scopes.includes(scope) && grant.scopes.includes(scope))
  return scopes.length > 0 ? scopes : undefined
}

/**
 * Describes the current refresh token. A rotated one is inactive, and introspecting it revokes nothing (design §4).
 */
async function describeRefreshToken(context: OAuthContext, client: Client, text: string) {
  const token = readRefreshToken(context.secrets, text)
  if (!token) return undefined
  const presented = { id: token.authorizationId, hash: sha256(token.secret), now: context.now(), retrySeconds: 0 }
  const found = await context.store.findForRefresh(presented)
  if (found?.presented !== 'current' || found.expired) return undefined
  const { authorization } = found
  if (authorization.teamId !== client.teamId || authorization.revokedAt || !authorization.active) return undefined
  if (!maySignIn(authorization)) return undefined
  const ends = endOfRefresh(authorization)
  return {
    active: true,
    scope: formatScope(await refreshableScopes(context, authorization)),
    client_id: authorization.clientId,
    // Not a registered token type, so that a resource server does not mistake a refresh token for an access token.
    token_type: 'refresh_token',
    ...(ends && { exp: secondsOf(ends) }),
    iat: secondsOf(found.issuedAt),
    sub: authorization.subject,
    aud: context.issuer,
    iss: context.issuer,
    jti: sha256(presented.hash).slice(0, 22),
  }
}

/** Returns the scopes that a refresh can get, those of the named APIs too (RFC 8707 §2.2). */
async function refreshableScopes(context: OAuthContext, authorization: Authorization): Promise<string[]> {
  const apis = await apisOf(context, authorization, authorization.resources)
  const ofApis = apis.flatMap(({ scopes }) => scopes).filter((scope) => authorization.scopes.includes(scope))
  return [...scopesInForce(authorization), ...ofApis]
}

/** Returns when an unused refresh token expires: at the earlier of its idle time and its maximum. */
function endOfRefresh({ refreshIdleUntil, refreshUntil }: Authorization): Date | undefined {
  return refreshIdleUntil && refreshUntil && refreshIdleUntil < refreshUntil ? refreshIdleUntil : refreshUntil
}
