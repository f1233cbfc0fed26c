import type { OAuthContext } from '#lib/oauth/context'
import { holdsScope, scopesInForce } from '#lib/oauth/scope'
import type { Authorization } from '#lib/oauth/store'
import { sessionIdentifier } from './session-identifier.ts'

/**
 * Mints an ID token (specification §2.3, OpenID Connect Core §2): who signed in and how, nothing of the profile but
 * a granted locale. On refresh the nonce is not repeated (Core §12.2).
 */
export function mintIdToken(
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
