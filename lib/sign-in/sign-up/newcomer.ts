import { createHash } from 'node:crypto'
import { password as passwordRule } from '#lib/account/person/person-rules'
import { skeleton } from '#lib/account/person/username'
import { withoutEnds } from '#lib/account/person/worst-passwords'
import type { NewPasskey } from '#lib/sign-in/passkey/passkey'
import type { StoredRecoveryCode } from '#lib/sign-in/recovery-codes/recovery-code'

/** Somebody who is about to have an account: a password or a passkey, and codes for the day it is lost. */
export type Newcomer = {
  id: string
  username: string
  locale: string
  passwordHash?: string
  passkey?: NewPasskey & { name: string }
  codes?: StoredRecoveryCode[]
  /** The hash of the invitation this uses up. */
  invitation?: string
}

/** What signing up asks of storage. */
export type SignUpStore = {
  /** All or nothing; of several with one name or one invitation, one comes through. */
  create(newcomer: Newcomer, now: Date): Promise<'created' | 'taken' | 'uninvited'>
  /** The names somebody has that could look like this one, the same one included. */
  findAlike(skeleton: string): Promise<string[]>
  isInvited(hash: string, now: Date): Promise<boolean>
  invite(invitation: { hash: string; note: string; expiresAt: Date }, now: Date): Promise<void>
  /** Puts a password in place; browsers known before are known no more. */
  setPassword(personId: string, passwordHash: string): Promise<void>
  findPassword(personId: string): Promise<string | undefined>
}

/** Whether a name is free, or stands or looks like somebody's already. */
export async function isNameFree(store: SignUpStore, name: string): Promise<'free' | 'taken' | 'lookalike'> {
  const alike = await store.findAlike(skeleton(name))
  if (alike.includes(name.toLowerCase())) return 'taken'
  return alike.length > 0 ? 'lookalike' : 'free'
}

/** Why a password cannot be used; `names` are the person's and the service's (NIST SP 800-63B §3.1.1.2). */
export type PasswordProblem = 'missing' | 'short' | 'long' | 'common'

export function passwordProblem(password: string, ...names: string[]): PasswordProblem | undefined {
  if (password === '') return 'missing'
  const length = [...password].length
  if (length < 8) return 'short'
  if (length > 256) return 'long'
  const folded = password.toLowerCase()
  const isName = names.map((name) => name.toLowerCase().replace(/\s+/g, '')).some((name) => isMadeOf(folded, name))
  return isName || !passwordRule.safeParse(password).success ? 'common' : undefined
}

/** What somebody who knows the name tries first: it, twice, or with a number at its end. */
const isMadeOf = (password: string, name: string): boolean =>
  name !== '' && [name, name + name, withoutEnds(name)].some((one) => one === password || one === withoutEnds(password))

/** A code that lets one person sign up: 80 bits, shown once. */
export const makeInvitation = (random: (bytes: number) => Buffer): string =>
  (
    [...random(16)]
      .map((byte) => '0123456789abcdefghjkmnpqrstvwxyz'[byte & 31])
      .join('')
      .match(/.{4}/g) ?? []
  ).join('-')

/** What is stored of an invitation, however its code was typed. */
export const invitationHash = (typed: string): string =>
  createHash('sha256')
    .update(typed.normalize('NFKC').toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1'))
    .digest('base64url')
