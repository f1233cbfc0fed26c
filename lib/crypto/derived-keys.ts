import { hkdfSync } from 'node:crypto'

/** What the one master key is used for; a name never changes, because what it sealed must open again. */
export type Purpose =
  | 'seal-request'
  | 'seal-flash'
  | 'seal-answer'
  | 'seal-problem'
  | 'seal-pending'
  | 'seal-recovery'
  | 'seal-passkey'
  | 'seal-ticket'
  | 'seal-codes'
  | 'seal-known'
  | 'totp-at-rest'
  | 'totp-of-person'
  | 'totp-set-up'
  | 'session-cookie'
  | 'signing-key-at-rest'
  | 'mail-key-at-rest'
  | 'authorization-code'
  | 'refresh-tag'
  | 'refresh-successor'
  | 'session-id'
  | 'relay-token'
  | 'relay-mark'
  | 'relay-thread'
  | 'relay-print'

/** What seals with A256CBC-HS512, whose keys have 64 bytes. */
const sealing: readonly Purpose[] = [
  'seal-request',
  'seal-flash',
  'seal-answer',
  'seal-problem',
  'seal-pending',
  'seal-recovery',
  'seal-passkey',
  'seal-ticket',
  'seal-codes',
  'seal-known',
  'totp-at-rest',
  'totp-of-person',
  'totp-set-up',
  'signing-key-at-rest',
  'relay-thread',
  'mail-key-at-rest',
]

/** A key for each purpose, from the present master key and, while rotating, the one before (design §5). */
export type DerivedKeys = {
  current(purpose: Purpose): Buffer
  /** Current first, then the previous where there is one. */
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
