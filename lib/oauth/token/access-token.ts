import type { OAuthContext } from '#lib/oauth/context'
import { formatScope, parseScope } from '#lib/oauth/scope'
import type { Authorization } from '#lib/oauth/store'

/** The claims of an access token (RFC 9068 §2.2); the claim `aid` is the id of its authorization. */
export type AccessToken = {
  authorizationId: string
  clientId: string
  subject: string
  scopes: string[]
  jti: string
  issuedAt: number
  expiresAt: number
}

/** Mints a short-lived JWT access token (specification §2.3, RFC 9068). */
export function mintAccessToken(
  context: OAuthContext,
  authorization: Authorization,
  scopes: string[],
): Promise<string> {
  const issuedAt = Math.floor(context.now().getTime() / 1000)
  return context.keys.sign('at+jwt', {
    iss: context.issuer,
    sub: authorization.subject,
    aud: context.issuer,
    client_id: authorization.clientId,
    scope: formatScope(scopes),
    iat: issuedAt,
    exp: issuedAt + context.lifetimes.accessToken,
    jti: context.random(16).toString('base64url'),
    aid: authorization.id,
  })
}

/** Reads an access token of this issuer, expired or not; undefined for any other text. */
export async function readAccessToken(context: OAuthContext, token: string): Promise<AccessToken | undefined> {
  const claims = await context.keys.verify('at+jwt', token)
  if (!claims || claims.iss !== context.issuer || claims.aud !== context.issuer) return undefined
  return {
    authorizationId: String(claims.aid),
    clientId: String(claims.client_id),
    subject: String(claims.sub),
    scopes: parseScope(String(claims.scope)),
    jti: String(claims.jti),
    issuedAt: Number(claims.iat),
    expiresAt: Number(claims.exp),
  }
}

/** Returns whether a token is expired; one without `exp` counts as expired. */
export const isExpired = (context: OAuthContext, token: AccessToken): boolean =>
  !(token.expiresAt * 1000 > context.now().getTime())
