import type { AuthMethod } from '#lib/oauth/client/profile'

/** How hard a value is to guess, and whether it was used once, as `state` and `nonce` must be (RFC 9700 §2.1). */
export type Freshness = 'absent' | 'repeated' | 'weak' | 'fair' | 'strong'

/**
 * What is counted for each app and day. The names are stored. None holds a value that an app or a person sent: a scope
 * is a registered one, `secret` and `key` name a credential of the app.
 */
export type Counted =
  | 'sign_ins'
  | 'new_people'
  | 'refreshes'
  | 'failures'
  | 'forwarded'
  | 'blocked'
  | 'replied'
  | 'pkce'
  | 'no_pkce'
  | 'repeated_pkce'
  | `state ${Freshness}`
  | `nonce ${Freshness}`
  | `scope ${string}`
  | `auth ${AuthMethod}`
  | 'early_refreshes'
  | 'repeated_refreshes'
  | 'replayed_refreshes'
  | `secret ${string}`
  | `key ${string}`

/** Counts in memory what apps do; the counts are written every few seconds. */
export type Usage = {
  /** Adds one. Takes a fraction of a microsecond and returns nothing to wait for. */
  count(appId: string, what: Counted): void
  /** Returns whether this value was given lately. Keeps a keyed hash of it, never the value. */
  isRepeated(value: string): boolean
}
