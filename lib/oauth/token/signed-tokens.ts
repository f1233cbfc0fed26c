import { sha256 } from '#lib/crypto/hash'
import type { Api } from '#lib/oauth/client/api'
import type { Client } from '#lib/oauth/client/client'
import { idTokenAlgOf } from '#lib/oauth/client/profile'
import type { OAuthContext } from '#lib/oauth/context'
import { foldBundle, formatScope, holdsScope, parseScope, scopesInForce } from '#lib/oauth/scope'
import type { Authorization } from '#lib/oauth/store'
import { withRequestedValues } from '#lib/oauth/userinfo/claims'
import { grantedClaims } from './id-token-claims.ts'

/** The token response: exactly the fields of specification §2.2. The type of a bound token is DPoP (RFC 9449 §5). */
export type TokenResponse = {
  access_token: string
  refresh_token?: string
  id_token: string
  token_type: 'Bearer' | 'DPoP'
  expires_in: number
  scope: string
}

type Minting = {
  client: Client
  /** The API that the access token is for; undefined for userinfo. */
  api: Api | undefined
  scopes: string[]
  refreshToken: string | undefined
  nonce: boolean
  /** The thumbprint of the DPoP key that the access token is bound to. */
  jkt: string | undefined
  /** The lifetime of the access token. */
  seconds: number
}

/**
 * Begins to mint the tokens that an exchange or a refresh returns, before the write that permits them: they are signed
 * while it is committed. Returns a function that returns them, to be called after the write.
 */
export async function beginTokens(
  context: OAuthContext,
  authorization: Authorization,
  minting: Minting,
): Promise<() => Promise<TokenResponse>> {
  const ofPerson = await claimsOfPerson(context, minting.client, authorization)
  const beginAt = (now: Date) =>
    context.keys.beginTokenPair(
      { claims: accessClaims(context, authorization, minting, now), algorithm: minting.api?.signingAlg ?? 'ES256' },
      {
        claims: idClaims(context, authorization, { ...minting, ofPerson }, now),
        algorithm: idTokenAlgOf(minting.client),
      },
    )
  const begunAt = context.now()
  const collect = await beginAt(begunAt)
  return async () => {
    const now = context.now()
    // A busy database may take seconds, and `expires_in` counts from the answer (RFC 6749 §5.1).
    const isLate = Math.abs(now.getTime() - begunAt.getTime()) > 1000
    // The write is committed, so tokens with the earlier time are better than an error.
    const later = isLate ? await beginAt(now).catch(() => undefined) : undefined
    const tokens = await (later ?? collect)()
    return {
      access_token: tokens.access,
      ...(minting.refreshToken !== undefined && { refresh_token: minting.refreshToken }),
      id_token: tokens.id,
      token_type: minting.jkt === undefined ? 'Bearer' : 'DPoP',
      expires_in: minting.seconds,
      scope: formatScope(foldBundle(minting.scopes)),
    }
  }
}

/** Returns the time of a claim (NumericDate, RFC 7519 §2). */
export const secondsOf = (time: Date) => Math.floor(time.getTime() / 1000)

/**
 * Returns the claims of an ID token (specification §2.3, OpenID Connect Core §2) with the person and the methods of the
 * sign-in. Its only profile claim is a granted locale, unless the app asked for more. On refresh it has no nonce (Core
 * §12.2).
 */
function idClaims(
  context: OAuthContext,
  authorization: Authorization,
  { ofPerson, nonce: withNonce }: Pick<Minting, 'nonce'> & { ofPerson: Record<string, unknown> },
  now: Date,
): Record<string, unknown> {
  const issuedAt = secondsOf(now)
  const { nonce, authTime, authTimeWanted, claimValues } = authorization
  return {
    ...(claimValues ? withRequestedValues(ofPerson, claimValues.idToken) : ofPerson),
    iss: context.issuer,
    sub: authorization.subject,
    aud: authorization.clientId,
    iat: issuedAt,
    exp: issuedAt + context.lifetimes.idToken,
    ...(withNonce && nonce !== undefined && { nonce }),
    ...(authTimeWanted && { auth_time: secondsOf(authTime) }),
    acr: authorization.acr,
    amr: authorization.amr,
    sid: sessionIdentifier(authorization.sessionId, authorization.teamId),
  }
}

const grantedLocale = (authorization: Authorization) =>
  authorization.locale !== '' && holdsScope(scopesInForce(authorization), 'locale')
    ? { locale: authorization.locale }
    : {}

/**
 * Returns the claims of the person: a granted locale, and those that the app registered (`id_token_claims`) or asked for
 * by the parameter `claims`.
 */
async function claimsOfPerson(
  context: OAuthContext,
  client: Client,
  authorization: Authorization,
): Promise<Record<string, unknown>> {
  const all = client.registration.id_token_claims === true
  if (!all && authorization.idTokenClaims.length === 0) return grantedLocale(authorization)
  const granted = await grantedClaims(context, authorization, all ? undefined : authorization.idTokenClaims)
  return { ...grantedLocale(authorization), ...granted }
}

/**
 * Returns the `sid` of a session for one team (Back-Channel Logout 1.0 §2.1): the same for all apps of the team, and a
 * different one for every other team. The session id is a hash of random bytes that only the database has. Nothing here
 * depends on SECRET_KEY, so `sid` survives its rotation.
 */
export const sessionIdentifier = (sessionId: string, teamId: string): string =>
  sha256(['sid', sessionId, teamId].join('\0')).slice(0, 22)

/** The claims of an access token (RFC 9068 §2.2); the claim `aid` is the id of its authorization. */
export type AccessToken = {
  authorizationId: string
  clientId: string
  subject: string
  /** The issuer, or the identifier of an API. */
  audience: string
  scopes: string[]
  /** Absent in tokens that an older version issued. */
  acr: string | undefined
  authTime: number | undefined
  jti: string
  issuedAt: number
  expiresAt: number
  /** The thumbprint of the DPoP key that the token is bound to. */
  jkt: string | undefined
}

/**
 * Returns the claims of a short-lived access token (specification §2.3, RFC 9068), for userinfo or for one API (RFC 8707
 * §2.2), bound to a DPoP key if there is one (RFC 9449 §6.1).
 */
function accessClaims(
  context: OAuthContext,
  authorization: Authorization,
  { api, scopes, jkt, seconds }: Pick<Minting, 'api' | 'scopes' | 'jkt' | 'seconds'>,
  now: Date,
): Record<string, unknown> {
  const issuedAt = secondsOf(now)
  return {
    iss: context.issuer,
    sub: authorization.subject,
    aud: api?.identifier ?? context.issuer,
    client_id: authorization.clientId,
    scope: formatScope(scopes),
    // By these two claims, a resource server decides whether to ask for a step-up (RFC 9068 §2.2.1, RFC 9470 §6.1).
    auth_time: secondsOf(authorization.authTime),
    acr: authorization.acr,
    iat: issuedAt,
    exp: issuedAt + seconds,
    jti: context.random(16).toString('base64url'),
    aid: authorization.id,
    ...(jkt !== undefined && { cnf: { jkt } }),
  }
}

/** Reads an access token of this issuer, expired or not; undefined for any other text. */
export async function readAccessToken(context: OAuthContext, token: string): Promise<AccessToken | undefined> {
  const claims = await context.keys.verify('at+jwt', token)
  if (!claims || claims.iss !== context.issuer || typeof claims.aud !== 'string') return undefined
  return {
    authorizationId: String(claims.aid),
    clientId: String(claims.client_id),
    subject: String(claims.sub),
    audience: claims.aud,
    scopes: parseScope(String(claims.scope)),
    acr: typeof claims.acr === 'string' ? claims.acr : undefined,
    authTime: typeof claims.auth_time === 'number' ? claims.auth_time : undefined,
    jti: String(claims.jti),
    issuedAt: Number(claims.iat),
    expiresAt: Number(claims.exp),
    jkt: (claims.cnf as { jkt: string } | undefined)?.jkt,
  }
}

/** Returns whether a token is expired; one without `exp` counts as expired. */
export const isExpired = (context: OAuthContext, token: AccessToken): boolean =>
  !(token.expiresAt * 1000 > context.now().getTime())
