import type { JWK } from 'jose'
import type { ClientKeys } from '#lib/oauth/client/client-keys'
import type { IdTokenAlg } from '#lib/oauth/client/profile'
import type { OAuthError } from './error.ts'
import type { OAuthStore } from './store.ts'
import type { Usage } from './usage.ts'

/** The dependencies of the protocol core, which has no clock, randomness, environment or global of its own. */
export type OAuthContext = {
  issuer: string
  accountUrl: string
  serviceName: string
  /** The domain of Hide My Email addresses (specification §2.7). */
  relayDomain: string
  lifetimes: Lifetimes
  now(): Date
  random(bytes: number): Buffer
  store: OAuthStore
  keys: Keys
  secrets: Secrets
  attempts: Attempts
  clientKeys: ClientKeys
  pushes: Pushes
  approvals: Approvals
  usage: Usage
  /** Records a refusal for the operator and, if the app is known, for its developers. Never awaited. */
  refused(refusal: Refusal): void
  /** Logs and counts a refresh token that was newer than the restored row, and was accepted. */
  restored(clientId: string): void
}

/** Lifetimes in seconds. */
export type Lifetimes = {
  code: number
  accessToken: number
  idToken: number
  /** The maximum lifetime of a session without a confirmation. */
  session: number
  refreshIdle: number
  refreshMax: number
  refreshRetry: number
}

/** The signing keys (specification §4.5). */
export type Keys = {
  /** Signs a JWT with the current key of an algorithm; ES256 unless another is given. */
  sign(
    type: 'at+jwt' | 'JWT' | 'logout+jwt' | 'secevent+jwt' | 'token-introspection+jwt',
    claims: Record<string, unknown>,
    algorithm?: IdTokenAlg,
  ): Promise<string>
  /**
   * Begins to sign an access token and an ID token, and returns a function that returns both. Adds `at_hash` to the ID
   * token (OpenID Connect Core §3.1.3.6). A refused write never calls it.
   */
  beginTokenPair(access: UnsignedToken, id: UnsignedToken): Promise<() => Promise<TokenPair>>
  /** Returns the claims of a token that this issuer signed, expired or not; undefined for any other token. */
  verify(type: 'at+jwt' | 'JWT', token: string): Promise<Record<string, unknown> | undefined>
  /** Returns the claims of an ID token of this issuer, also if its key is retired; never if the key leaked. */
  verifyHint(token: string): Promise<Record<string, unknown> | undefined>
  /** Returns the public keys: next, current and retired. */
  published(): Promise<JWK[]>
}

type UnsignedToken = { claims: Record<string, unknown>; algorithm: IdTokenAlg }
type TokenPair = { access: string; id: string }

/** Derived keys; `all` returns the current key, and during a rotation of the master key the previous key after it. */
export type Secrets = {
  current(purpose: SecretPurpose): Uint8Array
  all(purpose: SecretPurpose): Uint8Array[]
}
export type SecretPurpose = 'authorization-code' | 'refresh-tag' | 'refresh-successor' | 'dpop-nonce'

/** Counts failed client authentications; a successful one writes nothing. */
export type Attempts = {
  /** Returns the seconds until this address may authenticate as this client again; 0 if it is not blocked. */
  blockedFor(clientId: string, address: string): number
  /**
   * Counts a failure, for the address alone if there is no client; returns the seconds to wait if the limit is
   * exceeded, else 0.
   */
  fail(clientId: string | undefined, address: string): Promise<number>
}

/** Counts the requests that apps without credentials push (RFC 9126 §2.3, §7.5). */
export type Pushes = {
  /** Counts one push of an app from an address; returns the seconds to wait if the limit is exceeded, else 0. */
  count(clientId: string, address: string): Promise<number>
}

/** Counts the approvals of each person for each app, because each stores a row. */
export type Approvals = {
  /** Counts one approval; returns the seconds to wait if the limit is exceeded, else 0. */
  count(personId: string, clientId: string): Promise<number>
}

export type Refusal = {
  endpoint: string
  clientId: string | undefined
  error: OAuthError
  /** True if the request succeeded and only a part of it was refused, such as an unregistered scope. */
  isNotice?: true
}
