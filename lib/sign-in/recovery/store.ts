import type { SeenSession } from '#lib/account/sessions/store'
import type { Ways } from '#lib/sign-in/second-factor/store'

/** Somebody choosing a new password, and the one it takes the place of. */
export type Recovering = {
  personId: string
  username: string
  email: string | undefined
  locale: string
  passwordHash: string | undefined
}

/** By a code from the inbox, by one of the list, or by a link that the operator made. */
export type RecoveredBy = 'letter' | 'code' | 'operator'

/** How many sessions and apps a new password ended, and whether an authenticator app went with it. */
export type Ended = { sessions: number; apps: number; secondFactor: boolean }

/** What getting back into an account asks of storage. */
export type RecoveryStore = {
  /** Disabled people are not found. */
  findRecovering(personId: string, now: Date): Promise<Recovering | undefined>
  /**
   * Puts a password in place of the one that was seen, and voids every code on its way to an inbox. Undefined when the
   * password was changed meanwhile, or an authenticator app is on and its code was not shown.
   */
  resetPassword(reset: PasswordReset): Promise<Ended | undefined>
  /** When the proof that was given was set up, or given before: whoever can give it had the account then. */
  provenBefore(personId: string, by: 'letter' | 'code', before: Date): Promise<Date>
  /** The sessions that ended at this very moment. */
  endedAt(personId: string, at: Date): Promise<SeenSession[]>
}

export type PasswordReset = {
  personId: string
  before: string | undefined
  hash: string
  now: Date
  /** Whether the code of an authenticator app, or a recovery code in its place, was shown. */
  secondFactor: boolean
  /** Whether other browsers are signed out. */
  signOut: boolean
  /** Whether the apps' access ends too. */
  revoke: boolean
  /** Whether the authenticator app and the recovery codes go too: the operator said so. */
  removesSecondFactor?: boolean
}

/** A credential that still works after a recovery; `isNew` when it was set up after the proof. */
export type Leftover =
  | { kind: 'passkey'; id: string; name: string; since: Date; lastUsedAt: Date | undefined; isNew: boolean }
  | { kind: 'totp'; since: Date; isNew: boolean }
  | { kind: 'codes'; since: Date; left: number; isNew: boolean }

/** The proof of a recovery: its kind, when it was set up, and whether a second factor was shown. */
export type Proof = { by: RecoveredBy; since: Date; secondFactor: boolean }

/**
 * Lists what the person may remove after a recovery, the newest first. An inbox alone removes nothing that is older than
 * its own proof, and an authenticator app goes only where its code, or a recovery code in its place, was shown.
 */
export function leftoversOf({ passkeys, totpSince, codes }: Ways, { by, since, secondFactor }: Proof): Leftover[] {
  const isNew = (time: Date) => time > since
  const all: Leftover[] = [
    ...passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      ...{ kind: 'passkey' as const, id, name, lastUsedAt },
      ...{ since: createdAt, isNew: isNew(createdAt) },
    })),
    ...(totpSince ? [{ kind: 'totp' as const, since: totpSince, isNew: isNew(totpSince) }] : []),
    ...(codes ? [{ kind: 'codes' as const, left: codes.left, since: codes.madeAt, isNew: isNew(codes.madeAt) }] : []),
  ]
  const mayRemove = (one: Leftover) => secondFactor || (one.kind !== 'totp' && (one.isNew || by !== 'letter'))
  return all.filter(mayRemove).sort((one, other) => other.since.getTime() - one.since.getTime())
}
