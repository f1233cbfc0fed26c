import type { SeenSession } from '#lib/account/sessions/store'
import type { Ways } from '#lib/sign-in/second-factor/store'

/** A person who chooses a new password, and the hash of the present password. */
export type Recovering = {
  personId: string
  username: string
  email: string | undefined
  locale: string
  passwordHash: string | undefined
}

/** The proof of a recovery: a code from the inbox, a recovery code, or a link that the operator made. */
export type RecoveredBy = 'letter' | 'code' | 'operator'

/**
 * The number of sessions and apps that a new password ended, and whether it removed an authenticator app or recovery
 * codes.
 */
export type Ended = { sessions: number; apps: number; secondFactor: boolean }

/** The storage of recoveries. */
export type RecoveryStore = {
  /** Returns undefined for a disabled person. */
  findRecovering(personId: string, now: Date): Promise<Recovering | undefined>
  /**
   * Replaces the password that was read, and voids every code sent by e-mail. Returns undefined when the password was
   * changed since, or when an authenticator app is on and neither was a second factor proven nor does the reset remove
   * it.
   */
  resetPassword(reset: PasswordReset): Promise<Ended | undefined>
  /** Returns since when the proof has belonged to the account: its set-up, or an earlier recovery with it. */
  provenBefore(personId: string, by: 'letter' | 'code', before: Date): Promise<Date>
  /** Returns the sessions that ended at this time. */
  endedAt(personId: string, at: Date): Promise<SeenSession[]>
}

export type PasswordReset = {
  personId: string
  before: string | undefined
  hash: string
  now: Date
  /** Whether the code of an authenticator app, or a recovery code in its place, was proven. */
  secondFactor: boolean
  /** Whether other browsers are signed out. */
  signOut: boolean
  /** Whether the tokens of apps are revoked. */
  revoke: boolean
  /** Whether the operator also removes the authenticator app and the recovery codes. */
  removesSecondFactor?: boolean
}

/** A credential that still works after a recovery; `isNew` when it was set up after the proof. */
export type Leftover =
  | { kind: 'passkey'; id: string; name: string; since: Date; lastUsedAt: Date | undefined; isNew: boolean }
  | { kind: 'totp'; since: Date; isNew: boolean }
  | { kind: 'codes'; since: Date; left: number; isNew: boolean }

/** The proof of a recovery: its kind, when it was set up, and whether a second factor was proven. */
export type Proof = { by: RecoveredBy; since: Date; secondFactor: boolean }

/**
 * Lists the credentials that the person may remove after a recovery, newest first. With a code from the inbox alone,
 * these are only passkeys and recovery codes that were set up after the proof. An authenticator app can be removed
 * only after a second factor was proven.
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
