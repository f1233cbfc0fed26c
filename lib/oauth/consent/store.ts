import type { ConsentRecord } from './consent.ts'

/** The storage of consents and of the pairwise identifiers of people (spec §2.4, §2.6). */
export type ConsentStore = {
  findConsent(personId: string, appId: string): Promise<ConsentRecord | undefined>
  /**
   * Replaces the decision that was seen; false when another one is on record. In the same commit, revokes every
   * authorization that holds a lost scope, and gives the others the chosen address.
   */
  replaceConsent(replacement: Replacement): Promise<boolean>
  /** Deletes the decision and revokes every authorization based on it; false when there was none. */
  withdrawConsent(personId: string, appId: string, now: Date): Promise<boolean>
  findSubject(personId: string, teamId: string): Promise<string | undefined>
  /** Returns the identifier of a person for a team; the first candidate stays, also when calls are concurrent. */
  ensureSubject(personId: string, teamId: string, candidate: string, now: Date): Promise<string>
}

/** A decision, and the one it replaces. */
export type Replacement = {
  personId: string
  appId: string
  before: ConsentRecord | undefined
  after: ConsentRecord
  now: Date
}
