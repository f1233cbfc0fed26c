import type { NewPasskey, Passkey } from '#lib/sign-in/passkey/passkey'
import type { RecoveryCodeStore, StoredRecoveryCode } from '#lib/sign-in/recovery-codes/recovery-code'

/** The ways to sign in to an account, as the security page shows them. */
export type Ways = {
  /** `setAt` is undefined for a password that was set before its time was stored. */
  password: { setAt: Date | undefined } | undefined
  email: boolean
  passkeys: Passkey[]
  totpSince: Date | undefined
  codes: { left: number; madeAt: Date } | undefined
}

/** The storage of passkeys, authenticator apps and recovery codes; every step that can race is a compare-and-set. */
export type FactorStore = RecoveryCodeStore & {
  ways(personId: string): Promise<Ways>
  hasTotp(personId: string): Promise<boolean>
  findTotp(personId: string): Promise<{ sealedSecret: string; lastStep: number } | undefined>
  /** False when the person has an authenticator app already. */
  addTotp(personId: string, totp: { sealedSecret: string; lastStep: number; now: Date }): Promise<boolean>
  removeTotp(personId: string, now: Date): Promise<boolean>
  /** Spends the code of a time step; of concurrent calls, one returns true. Stores the secret sealed with the current key. */
  spendTotpStep(personId: string, step: number, sealedSecret: string): Promise<boolean>
  /** Replaces all codes. */
  replaceRecoveryCodes(personId: string, codes: StoredRecoveryCode[], now: Date): Promise<void>
  /** Returns a passkey with its owner, unless the owner is disabled. */
  findPasskey(id: string, now: Date): Promise<(Passkey & { personId: string }) | undefined>
  /** False when any account has this credential, or the person has the maximum number of passkeys. */
  addPasskey(personId: string, passkey: NewPasskey & { name: string }, now: Date): Promise<boolean>
  renamePasskey(personId: string, id: string, name: string): Promise<boolean>
  /** Removes a passkey, unless it is the last way to sign in. */
  removePasskey(personId: string, id: string, now: Date): Promise<'removed' | 'last_way' | 'gone'>
  /** False when the stored counter is no longer `before`. */
  markPasskeyUsed(
    id: string,
    before: number,
    after: { counter: number; backedUp: boolean; now: Date },
  ): Promise<boolean>
}
