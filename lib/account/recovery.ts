/** Somebody choosing a new password, and the one it takes the place of. */
export type Recovering = {
  personId: string
  username: string
  email: string | undefined
  locale: string
  passwordHash: string | undefined
}

/** What getting back into an account asks of storage. */
export type RecoveryStore = {
  /** Disabled people are not found. */
  findRecovering(personId: string, now: Date): Promise<Recovering | undefined>
  /** Puts a password in place of the one that was seen, ends every session and makes every known browser unknown; false when it was changed meanwhile. */
  resetPassword(about: {
    personId: string
    before: string | undefined
    hash: string
    now: Date
    /** Whether the apps' access ends too. */
    revoke: boolean
  }): Promise<boolean>
}
