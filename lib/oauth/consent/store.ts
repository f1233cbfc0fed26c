import type { SubjectStore } from '#lib/oauth/userinfo/pairwise-subject'
import type { ConsentRecord } from './consent.ts'

/** Stores the decisions of people, and their identifiers for teams (specification §2.4, §2.6). */
export type ConsentStore = SubjectStore & {
  findConsent(personId: string, appId: string): Promise<ConsentRecord | undefined>
  /**
   * Replaces the decision on record and returns true; false if `before` is no longer on record. The same transaction ends
   * every authorization that holds a scope which the new decision takes away, and gives the others its e-mail choice.
   */
  replaceConsent(replacement: Replacement): Promise<boolean>
  /** Deletes the decision and ends every authorization that follows from it; returns false if there is none. */
  withdrawConsent(personId: string, appId: string, now: Date): Promise<boolean>
}

/** A decision and the one it replaces. */
export type Replacement = {
  personId: string
  appId: string
  before: ConsentRecord | undefined
  after: ConsentRecord
  now: Date
}
