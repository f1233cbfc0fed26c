import { skeleton } from '#lib/account/person/login-name'
import type { NewPasskey } from '#lib/sign-in/passkey/passkey'
import type { StoredRecoveryCode } from '#lib/sign-in/recovery-codes/recovery-code'

/** A new account: with a password, or with a passkey and recovery codes for its loss. */
export type Newcomer = {
  id: string
  username: string
  locale: string
  passwordHash?: string
  passkey?: NewPasskey & { name: string }
  codes?: StoredRecoveryCode[]
  /** The hash of the invitation that the account uses up. */
  invitation?: string
}

/** The storage of new accounts and passwords. */
export type SignUpStore = {
  /** Creates the whole account or nothing; of concurrent calls with one name or one invitation, one succeeds. */
  create(newcomer: Newcomer, now: Date): Promise<'created' | 'taken' | 'uninvited'>
  /** Returns the taken usernames with this skeleton, the same name included. */
  findAlike(skeleton: string): Promise<string[]>
  isInvited(hash: string, now: Date): Promise<boolean>
  /** Replaces the password, with the time it was set, and makes every browser unknown to the person. */
  setPassword(personId: string, passwordHash: string, now: Date): Promise<void>
  findPassword(personId: string): Promise<string | undefined>
}

/** Returns whether a username is free, taken, or looks like a taken one. */
export async function isNameFree(store: SignUpStore, name: string): Promise<'free' | 'taken' | 'lookalike'> {
  const alike = await store.findAlike(skeleton(name))
  if (alike.includes(name.toLowerCase())) return 'taken'
  return alike.length > 0 ? 'lookalike' : 'free'
}
