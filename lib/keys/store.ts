import type { DerivedKeys } from '#lib/crypto/derived-keys'

/** A signing key as stored; its private half is sealed. */
export type StoredKey = {
  kid: string
  algorithm: SigningAlgorithm
  generation: number
  publicJwk: string
  sealedPrivate: string
  createdAt: Date
  currentFrom: Date
  retiredAt: Date | undefined
  goneAt: Date | undefined
}

/** The algorithms of the key families: ES256 signs by default, RS256 for apps that register it. */
export const signingAlgorithms = ['ES256', 'RS256'] as const
export type SigningAlgorithm = (typeof signingAlgorithms)[number]

/** The dependencies of opening and rotating the signing keys. */
export type KeyNeeds = { store: KeyStore; secrets: DerivedKeys; now(): Date }

/** Stores signing keys. */
export type KeyStore = {
  /** Lists all keys that are still published. */
  listKeys(now: Date): Promise<StoredKey[]>
  /** Returns a key that is no longer published, unless it leaked. */
  findRetired(kid: string, now: Date): Promise<StoredKey | undefined>
  /** Stores a key; returns false if another process has made this generation. */
  insertKey(key: StoredKey): Promise<boolean>
  /**
   * Sets when the keys of an algorithm before a generation stop signing, and when the last token that they signed will
   * have expired.
   */
  retireBefore(next: Pick<StoredKey, 'algorithm' | 'generation'>, retiredAt: Date, goneAt: Date): Promise<void>
  /** Removes a key that no longer signs from the published keys; returns false if the key is gone or still signs. */
  endKey(kid: string, now: Date): Promise<boolean>
  /** Removes all earlier generations of an algorithm from the published keys at once, and marks them as leaked. */
  leakBefore(next: Pick<StoredKey, 'algorithm' | 'generation'>, now: Date): Promise<void>
}

/** The master key of this process does not open the stored signing keys: no request can be answered with a token. */
export class ClosedKeys extends Error {
  // Next bundles a second copy of this module, so `instanceof` would fail; callers compare the name.
  override readonly name = 'ClosedKeys'
}

export const isClosedKeys = (fault: unknown): boolean => fault instanceof Error && fault.name === 'ClosedKeys'
