import { idTokenAlgOf } from '#lib/oauth/client/profile'
import type { OAuthContext } from '#lib/oauth/context'
import type { LogoutClient } from '#lib/oauth/logout/logout-token'
import { sessionIdentifier } from '#lib/oauth/token/signed-tokens'
import { type EventType, eventUri } from './event-types.ts'

/** A queued event of one app. */
export type SecurityEvent = {
  /** The jti, the same in every attempt, by which a receiver recognises a repeat (RFC 8935 §2). */
  id: string
  type: EventType
  /** The identifier of the person for the app's team; empty for a verification. */
  sub: string
  claims: Record<string, unknown>
  createdAt: Date
}

/**
 * Signs a security event token (RFC 8417) with the algorithm of the app's ID tokens. It has neither `exp` nor `sub`, so
 * that it never passes for an ID token (SSF 1.0 §4.1.2, §4.1.7).
 */
export function mintSecurityEvent(
  { issuer, keys }: Pick<OAuthContext, 'issuer' | 'keys'>,
  client: LogoutClient,
  event: SecurityEvent,
): Promise<string> {
  const claims = {
    iss: issuer,
    jti: event.id,
    iat: secondsOf(event.createdAt),
    aud: client.id,
    sub_id: subjectOf(issuer, client, event),
    events: { [eventUri(issuer, event.type)]: claimsOf(client, event) },
  }
  return keys.sign('secevent+jwt', claims, idTokenAlgOf(client))
}

/** The person (RFC 9493 §3.2.4), or in a verification the stream, of which each app has one (SSF 1.0 §8.1.4.1). */
const subjectOf = (issuer: string, client: LogoutClient, { type, sub }: SecurityEvent) =>
  type === 'verification' ? { format: 'opaque', id: client.id } : { format: 'iss_sub', iss: issuer, sub }

function claimsOf({ teamId }: LogoutClient, { type, claims, createdAt }: SecurityEvent): Record<string, unknown> {
  // CAEP 1.0 §2.
  const time = { event_timestamp: secondsOf(createdAt) }
  // The session has the `sid` of the app's ID tokens; other sessions of the person go on.
  if (type === 'session-revoked') return { ...time, sid: sessionIdentifier(String(claims.sessionId), teamId) }
  return type === 'credential-change' ? { ...time, ...claims } : claims
}

const secondsOf = (time: Date) => Math.floor(time.getTime() / 1000)
