import { hkdfSync } from 'node:crypto'

/** Purposes of sealed tokens (`sealed-token`). */
const tokenPurposes = [
  'seal-session',
  'seal-request',
  'seal-logout',
  'seal-flash',
  'seal-answer',
  'seal-problem',
  'seal-pending',
  'seal-recovery',
  'seal-operator-link',
  'seal-passkey',
  'seal-ticket',
  'seal-codes',
  'seal-known',
  'seal-offer',
  'seal-trial',
  'totp-of-person',
  'totp-set-up',
  'event-receiver',
] as const

/**
 * Purposes of other sealed content. `totp-at-rest` only opens old secrets, which were stored without the id of their
 * person.
 */
const contentPurposes = ['totp-at-rest', 'signing-key-at-rest', 'mail-key-at-rest', 'relay-thread'] as const

export type TokenPurpose = (typeof tokenPurposes)[number]

/**
 * The uses of the one master key. A name never changes: the key of a new name opens nothing that the key of the old
 * name sealed.
 */
export type Purpose =
  | TokenPurpose
  | (typeof contentPurposes)[number]
  /** Only opens session cookies of version 0.1.0. */
  | 'session-cookie'
  | 'authorization-code'
  | 'refresh-tag'
  | 'refresh-successor'
  | 'dpop-nonce'
  | 'relay-token'
  | 'relay-mark'
  | 'relay-print'

/** The purposes that seal with A256CBC-HS512, whose keys have 64 bytes. */
const sealing: readonly Purpose[] = [...tokenPurposes, ...contentPurposes]

/** Keys derived from the current master key and, during a rotation, from the previous one (design §5). */
export type DerivedKeys = {
  current(purpose: Purpose): Buffer
  /** Returns the current key, and during a rotation the previous key after it. */
  all(purpose: Purpose): Buffer[]
}

export function deriveKeys(master: Uint8Array, previous?: Uint8Array): DerivedKeys {
  const masters = previous ? [master, previous] : [master]
  const known = new Map<Purpose, Buffer[]>()
  const all = (purpose: Purpose) => {
    let keys = known.get(purpose)
    if (!keys) {
      const bytes = sealing.includes(purpose) ? 64 : 32
      keys = masters.map((key) => Buffer.from(hkdfSync('sha256', key, 'postern', purpose, bytes)))
      known.set(purpose, keys)
    }
    return keys
  }
  return { all, current: (purpose) => all(purpose)[0] as Buffer }
}
