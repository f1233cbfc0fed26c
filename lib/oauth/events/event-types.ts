const schemas = 'https://schemas.openid.net/secevent'

/** The security events that apps receive, with the start of their URIs; an empty start is the issuer's own. */
const families = {
  'account-disabled': `${schemas}/risc/event-type`,
  'account-enabled': `${schemas}/risc/event-type`,
  'account-purged': `${schemas}/risc/event-type`,
  'session-revoked': `${schemas}/caep/event-type`,
  'credential-change': `${schemas}/caep/event-type`,
  'access-withdrawn': '',
  'email-choice-changed': '',
  'relay-address-off': '',
  'relay-address-on': '',
  verification: `${schemas}/ssf/event-type`,
} as const

export type EventType = keyof typeof families

/** Returns the URI of an event type (RISC Profile 1.0 §2, CAEP 1.0 §3, SSF 1.0 §8.1.4). */
export const eventUri = (issuer: string, type: EventType): string => `${families[type] || `${issuer}/events`}/${type}`

/** An event and its own claims. None of them names an address, a browser or a network. */
export type EventData =
  | { type: PlainType; claims: Record<never, never> }
  | { type: 'session-revoked'; claims: { sessionId: string } }
  | { type: 'credential-change'; claims: CredentialChange }
  | { type: 'email-choice-changed'; claims: { choice: string } }

type PlainType = Exclude<EventType, 'session-revoked' | 'credential-change' | 'email-choice-changed'>

/** CAEP 1.0 §3.3.1 permits further credential types; Postern adds recovery-codes. */
export type CredentialChange = {
  credential_type: 'password' | 'fido2-platform' | 'fido2-roaming' | 'app' | 'recovery-codes'
  change_type: 'create' | 'update' | 'delete'
}
