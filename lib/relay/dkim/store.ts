import type { DerivedKeys } from '#lib/crypto/derived-keys'

/** A DKIM key. The RSA and the Ed25519 key of a pair have the same generation. */
export type StoredMailKey = {
  selector: string
  algorithm: MailKeyAlgorithm
  generation: number
  /** The `p=` value as DNS publishes it, in base64. */
  publicKey: string
  sealedPrivate: string
  createdAt: Date
} & (
  | { state: 'next' }
  | { state: 'current'; currentFrom: Date }
  /** Signs no more, but stays published for mail in transit. */
  | { state: 'retired'; retiredAt: Date }
)

export type MailKeyAlgorithm = 'rsa' | 'ed25519'

export type NewMailKey = Omit<StoredMailKey, 'state'> & { currentFrom: Date | undefined }

/** Storage of DKIM keys. */
export type MailKeyStore = {
  /** Returns all keys, oldest generation first, RSA before Ed25519. */
  listMailKeys(): Promise<StoredMailKey[]>
  /** Inserts both keys or none; returns false when another process inserted this generation first. */
  insertGeneration(keys: NewMailKey[]): Promise<boolean>
  /**
   * Makes a generation the current one and retires the older ones in one step; returns false when it was current
   * already.
   */
  promote(generation: number, now: Date): Promise<boolean>
  /** Deletes the pairs before this generation that have never signed. */
  removeWaiting(before: number): Promise<void>
  /** Deletes the keys that retired at or before this time. */
  removeRetired(until: Date): Promise<number>
}

export type MailKeyNeeds = { store: MailKeyStore; secrets: DerivedKeys; now(): Date }
