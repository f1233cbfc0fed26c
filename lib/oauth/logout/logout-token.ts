import type { Client } from '#lib/oauth/client/client'
import { idTokenAlgOf } from '#lib/oauth/client/profile'
import type { OAuthContext } from '#lib/oauth/context'
import { sessionIdentifier } from '#lib/oauth/token/signed-tokens'

/** The fields of an app that a logout token depends on. */
export type LogoutClient = Pick<Client, 'id' | 'teamId' | 'profile' | 'registration'>

/** The session that ended, and the identifier of its person for the app's team. */
export type EndedSession = { sessionId: string; subject: string }

/** A short lifetime in seconds, so that a captured token soon expires (Back-Channel Logout 1.0 §2.4). */
const seconds = 120

/**
 * Signs a logout token (Back-Channel Logout 1.0 §2.4) with the algorithm of the app's ID tokens. It names the person and
 * the session, and has no nonce, so that it can never pass for an ID token. Each call makes a new `jti`.
 */
export function mintLogoutToken(
  context: Pick<OAuthContext, 'issuer' | 'now' | 'random' | 'keys'>,
  client: LogoutClient,
  { sessionId, subject }: EndedSession,
): Promise<string> {
  const issuedAt = Math.floor(context.now().getTime() / 1000)
  const claims = {
    iss: context.issuer,
    sub: subject,
    aud: client.id,
    iat: issuedAt,
    exp: issuedAt + seconds,
    jti: context.random(16).toString('base64url'),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    sid: sessionIdentifier(sessionId, client.teamId),
  }
  return context.keys.sign('logout+jwt', claims, idTokenAlgOf(client))
}
