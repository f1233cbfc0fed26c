import { dummyVerify, hashPasswords, verifyPassword } from '#lib/crypto/password-hash'

/** A stored recovery code: its first characters, which find it, and an argon2id hash of the whole code. */
export type StoredRecoveryCode = { selector: string; hash: string }

export const recoveryCodeCount = 10

/**
 * Makes ten codes of 60 bits such as `k7mq-4xrt-9pwc`. Their first two characters differ, so that a check compares
 * one hash.
 */
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

/** Returns the stored spelling of a typed code; undefined when the text cannot be a code. */
export function foldRecoveryCode(typed: string): string | undefined {
  const text = typed.normalize('NFKC').toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  return text.length === 12 && [...text].every((character) => alphabet.includes(character)) ? text : undefined
}

/** The storage of recovery codes. */
export type RecoveryCodeStore = {
  findRecoveryCode(personId: string, selector: string): Promise<StoredRecoveryCode | undefined>
  /** Spends an unspent code; of concurrent calls, one returns true (compare-and-set). */
  spendRecoveryCode(personId: string, code: StoredRecoveryCode, now: Date): Promise<boolean>
}

/** Spends a person's code once; takes the same time for an unknown person and for an impossible code. */
export async function spendRecoveryCode(
  store: RecoveryCodeStore,
  personId: string | undefined,
  typed: string,
  now: Date,
): Promise<boolean> {
  const stored = await matchRecoveryCode(store, personId, typed)
  return personId !== undefined && stored !== undefined && store.spendRecoveryCode(personId, stored, now)
}

/** Returns the unspent code that was typed; takes the same time for an unknown person and for an impossible code. */
export async function matchRecoveryCode(
  store: RecoveryCodeStore,
  personId: string | undefined,
  typed: string,
): Promise<StoredRecoveryCode | undefined> {
  const text = foldRecoveryCode(typed) ?? ''
  const stored = personId && text ? await store.findRecoveryCode(personId, text.slice(0, selectorLength)) : undefined
  const { ok } = await (stored ? verifyPassword(text, stored.hash) : dummyVerify(text))
  return ok ? stored : undefined
}

const selectorLength = 2
/** Crockford's alphabet: without i, l, o and u, which are misread or spell words. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
