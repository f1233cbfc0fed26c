import type { JWK } from 'jose'
import type { OAuthError } from './error.ts'
import type { OAuthStore } from './store.ts'

/** Everything the protocol core needs; it reads no clock, randomness, environment or global of its own. */
export type OAuthContext = {
  issuer: string
  accountUrl: string
  serviceName: string
  /** Where Hide My Email addresses live (specification §2.7). */
  relayDomain: string
  lifetimes: Lifetimes
  now(): Date
  random(bytes: number): Buffer
  store: OAuthStore
  keys: Keys
  secrets: Secrets
  attempts: Attempts
  /** Notes a refusal for the operator and, where an app is known, for its developers. Never awaited. */
  refused(refusal: Refusal): void
}

/** Seconds. */
export type Lifetimes = {
  code: number
  accessToken: number
  idToken: number
  refreshIdle: number
  refreshMax: number
  refreshRetry: number
}

/** The signing keys (specification §4.5). */
export type Keys = {
  /** Signs a JWT with the current key (ES256). */
  sign(type: 'at+jwt' | 'JWT', claims: Record<string, unknown>): Promise<string>
  /** The claims of a token of ours, whatever its lifetime; undefined when it is not one. */
  verify(type: 'at+jwt' | 'JWT', token: string): Promise<Record<string, unknown> | undefined>
  /** Public keys: next, current and retired. */
  published(): Promise<JWK[]>
}

/** Keyed hashes from the master key; `all` gives the current key first, then the previous while it is rotated. */
export type Secrets = {
  current(purpose: SecretPurpose): Uint8Array
  all(purpose: SecretPurpose): Uint8Array[]
}
export type SecretPurpose = 'authorization-code' | 'refresh-tag' | 'refresh-successor' | 'session-id'

/** Counts failed client authentications; good requests write nothing. */
export type Attempts = {
  /** Seconds this address must wait with this client, 0 when it need not. */
  blockedFor(clientId: string, address: string): number
  /** Counts a failure, of this address alone where no client is named; the seconds to wait when it was one too many. */
  fail(clientId: string | undefined, address: string): Promise<number>
}

export type Refusal = { endpoint: string; clientId: string | undefined; error: OAuthError }
