import { dummyVerify, hashPasswords, verifyPassword } from '#lib/crypto/password-hash'

/** A recovery code as it is stored: what finds it, and an argon2id hash of the whole. */
export type StoredRecoveryCode = { selector: string; hash: string }

export const recoveryCodeCount = 10

/** Ten new codes of 60 bits such as `k7mq-4xrt-9pwc`; each begins differently, so that one look finds the right hash. */
export function makeRecoveryCodes(random: (bytes: number) => Buffer): string[] {
  const codes = new Map<string, string>()
  while (codes.size < recoveryCodeCount) {
    const text = [...random(12)].map((byte) => alphabet[byte & 31]).join('')
    codes.set(text.slice(0, selectorLength), `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`)
  }
  return [...codes.values()]
}

/** Hashes the codes for storage. */
export async function hashRecoveryCodes(codes: string[]): Promise<StoredRecoveryCode[]> {
  const texts = codes.map((code) => foldRecoveryCode(code) as string)
  const hashes = await hashPasswords(texts)
  return texts.map((text, index) => ({ selector: text.slice(0, selectorLength), hash: hashes[index] as string }))
}

/** What of a typed code counts, however it was written; undefined when it cannot be one. */
export function foldRecoveryCode(typed: string): string | undefined {
  const text = typed.normalize('NFKC').toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  return text.length === 12 && [...text].every((character) => alphabet.includes(character)) ? text : undefined
}

/** What spending a code asks of storage. */
export type RecoveryCodeStore = {
  findRecoveryCode(personId: string, selector: string): Promise<StoredRecoveryCode | undefined>
  /** True for one of those who come with an unspent code, false for all others (compare-and-set). */
  spendRecoveryCode(personId: string, code: StoredRecoveryCode, now: Date): Promise<boolean>
}

/** Spends a person's code, once; takes as long for nobody, and for a code that is none. */
export async function spendRecoveryCode(
  store: RecoveryCodeStore,
  personId: string | undefined,
  typed: string,
  now: Date,
): Promise<boolean> {
  const text = foldRecoveryCode(typed) ?? ''
  const stored = personId && text ? await store.findRecoveryCode(personId, text.slice(0, selectorLength)) : undefined
  if (!personId || !stored) return (await dummyVerify(text)).ok
  return (await verifyPassword(text, stored.hash)).ok && store.spendRecoveryCode(personId, stored, now)
}

const selectorLength = 2
/** Crockford's: without i, l, o and u, which are misread or make words. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
