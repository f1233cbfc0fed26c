import type { NewPasskey, Passkey } from '#lib/sign-in/passkey/passkey'
import type { RecoveryCodeStore, StoredRecoveryCode } from '#lib/sign-in/recovery-codes/recovery-code'

/** What somebody can sign in with, as their security page shows it. */
export type Ways = {
  password: boolean
  email: boolean
  passkeys: Passkey[]
  totpSince: Date | undefined
  codes: { left: number; madeAt: Date } | undefined
}

/** Second factors and passkeys, as intents; every step that may race is a compare-and-set. */
export type FactorStore = RecoveryCodeStore & {
  ways(personId: string): Promise<Ways>
  hasTotp(personId: string): Promise<boolean>
  findTotp(personId: string): Promise<{ sealedSecret: string; lastStep: number } | undefined>
  /** False when one is on already. */
  addTotp(personId: string, totp: { sealedSecret: string; lastStep: number; now: Date }): Promise<boolean>
  removeTotp(personId: string): Promise<boolean>
  /** True for one of those who come with the same step's code; the secret is sealed anew with today's key. */
  spendTotpStep(personId: string, step: number, sealedSecret: string): Promise<boolean>
  /** New codes make the old ones void. */
  replaceRecoveryCodes(personId: string, codes: StoredRecoveryCode[], now: Date): Promise<void>
  /** With its owner; disabled people are not found. */
  findPasskey(id: string, now: Date): Promise<(Passkey & { personId: string }) | undefined>
  /** False when this credential is registered already, by whomever, or the person has as many as one may. */
  addPasskey(personId: string, passkey: NewPasskey & { name: string }, now: Date): Promise<boolean>
  renamePasskey(personId: string, id: string, name: string): Promise<boolean>
  /** Never the last way to sign in. */
  removePasskey(personId: string, id: string): Promise<'removed' | 'last_way' | 'gone'>
  /** False when the counter has moved meanwhile. */
  markPasskeyUsed(
    id: string,
    before: number,
    after: { counter: number; backedUp: boolean; now: Date },
  ): Promise<boolean>
}
