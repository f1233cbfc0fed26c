import type { DerivedKeys } from '#lib/crypto/derived-keys'

/** A key that mail is signed with (DKIM): RSA and Ed25519 together are one generation. */
export type StoredMailKey = {
  selector: string
  algorithm: MailKeyAlgorithm
  generation: number
  /** As DNS publishes it (`p=`): base64. */
  publicKey: string
  sealedPrivate: string
  createdAt: Date
} & (
  | { state: 'next' }
  | { state: 'current'; currentFrom: Date }
  /** It signs no more, and stays published for mail that is still on its way. */
  | { state: 'retired'; retiredAt: Date }
)

export type MailKeyAlgorithm = 'rsa' | 'ed25519'

export type NewMailKey = Omit<StoredMailKey, 'state'> & { currentFrom: Date | undefined }

/** What the keys for mail ask of storage. */
export type MailKeyStore = {
  /** The oldest generation first, RSA before Ed25519. */
  listMailKeys(): Promise<StoredMailKey[]>
  /** Both keys or none; false when this generation was made by somebody else first. */
  insertGeneration(keys: NewMailKey[]): Promise<boolean>
  /** The generation signs from now on and those before it no more, in one step; false when it does so already. */
  promote(generation: number, now: Date): Promise<boolean>
  /** Forgets the keys that retired at that time or earlier. */
  removeRetired(until: Date): Promise<number>
}

export type MailKeyNeeds = { store: MailKeyStore; secrets: DerivedKeys; now(): Date }
