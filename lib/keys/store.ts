import type { DerivedKeys } from '#lib/crypto/derived-keys'

/** A signing key as stored; its private half is sealed. */
export type StoredKey = {
  kid: string
  generation: number
  publicJwk: string
  sealedPrivate: string
  createdAt: Date
  currentFrom: Date
  retiredAt: Date | undefined
  goneAt: Date | undefined
}

/** The dependencies of opening and rotating the signing keys. */
export type KeyNeeds = { store: KeyStore; secrets: DerivedKeys; now(): Date }

/** Stores signing keys. */
export type KeyStore = {
  /** Lists all keys that are still published. */
  listKeys(now: Date): Promise<StoredKey[]>
  /** Stores a key; returns false if another process has made this generation. */
  insertKey(key: StoredKey): Promise<boolean>
  /**
   * Sets when the keys before a generation stop signing, and when the last token that they signed will have expired.
   */
  retireBefore(generation: number, retiredAt: Date, goneAt: Date): Promise<void>
  /** Removes a key that no longer signs from the published keys; returns false if the key is gone or still signs. */
  endKey(kid: string, now: Date): Promise<boolean>
}
