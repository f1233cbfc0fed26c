/** A signing key as stored: the private half only ever sealed. */
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

/** What the keys ask of storage. */
export type KeyStore = {
  /** All but those that are gone. */
  listKeys(now: Date): Promise<StoredKey[]>
  /** False when this generation was made by somebody else first. */
  insertKey(key: StoredKey): Promise<boolean>
  /** Says when the keys before a generation stop signing, and when nothing they signed can still be valid. */
  retireBefore(generation: number, retiredAt: Date, goneAt: Date): Promise<void>
}
