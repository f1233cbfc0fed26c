import { hmac } from '#lib/crypto/hash'
import type { OAuthContext, Secrets } from '#lib/oauth/context'
import { formatScope, holdsScope, scopesInForce } from '#lib/oauth/scope'
import type { Authorization } from '#lib/oauth/store'
import { mintAccessToken } from './access-token.ts'

/** The token response: exactly the fields of specification §2.2. */
export type TokenResponse = {
  access_token: string
  refresh_token?: string
  id_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
}

type Minting = { scopes: string[]; refreshToken: string | undefined; nonce: boolean }

/** Mints the tokens that an exchange or a refresh returns. */
export async function mintTokens(
  context: OAuthContext,
  authorization: Authorization,
  minting: Minting,
): Promise<TokenResponse> {
  const [accessToken, idToken] = await Promise.all([
    mintAccessToken(context, authorization, minting.scopes),
    mintIdToken(context, authorization, { nonce: minting.nonce }),
  ])
  return {
    access_token: accessToken,
    ...(minting.refreshToken !== undefined && { refresh_token: minting.refreshToken }),
    id_token: idToken,
    token_type: 'Bearer',
    expires_in: context.lifetimes.accessToken,
    scope: formatScope(minting.scopes),
  }
}

/**
 * Mints an ID token (specification §2.3, OpenID Connect Core §2) with the person and the methods of the sign-in; its
 * only profile claim is a granted locale. On refresh it has no nonce (Core §12.2).
 */
function mintIdToken(
  context: OAuthContext,
  authorization: Authorization,
  options: { nonce: boolean },
): Promise<string> {
  const issuedAt = Math.floor(context.now().getTime() / 1000)
  const { nonce, authTime, authTimeWanted, locale } = authorization
  return context.keys.sign('JWT', {
    iss: context.issuer,
    sub: authorization.subject,
    aud: authorization.clientId,
    iat: issuedAt,
    exp: issuedAt + context.lifetimes.idToken,
    ...(options.nonce && nonce !== undefined && { nonce }),
    ...(authTimeWanted && { auth_time: Math.floor(authTime.getTime() / 1000) }),
    ...(locale !== '' && holdsScope(scopesInForce(authorization), 'locale') && { locale }),
    acr: authorization.acr,
    amr: authorization.amr,
    sid: sessionIdentifier(context.secrets, authorization.sessionId, authorization.teamId),
  })
}

/**
 * Returns the `sid` of a session for one team: the same for all apps of the team, and a different one for every other
 * team.
 */
function sessionIdentifier(secrets: Secrets, sessionId: string, teamId: string): string {
  return hmac(secrets.current('session-id'), sessionId, teamId).toString('base64url').slice(0, 22)
}
