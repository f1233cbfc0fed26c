import { hmac } from '#lib/crypto/hash'
import type { Secrets } from '#lib/oauth/context'

/** The `sid` of a session for one team: the same for the team's apps, and of no use to anybody else's. */
export function sessionIdentifier(secrets: Secrets, sessionId: string, teamId: string): string {
  return hmac(secrets.current('session-id'), sessionId, teamId).toString('base64url').slice(0, 22)
}
