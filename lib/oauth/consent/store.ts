import type { EmailChoice } from '#lib/oauth/store'

/** A person's stored decision about an app (design §3 step 4). */
export type ConsentRecord = { granted: string[]; declined: string[]; emailChoice: EmailChoice }

/** Stores the decisions of people, and their identifiers for teams (specification §2.4, §2.6). */
export type ConsentStore = SubjectStore & {
  findConsent(personId: string, appId: string): Promise<ConsentRecord | undefined>
  /**
   * Replaces the stored decision and returns true; returns false if `before` is no longer stored. The same
   * transaction revokes every authorization with a scope that the new decision removes, and sets the e-mail choice of
   * the others.
   */
  replaceConsent(replacement: Replacement): Promise<boolean>
  /** Deletes the decision and revokes every authorization that is based on it; returns false if there is none. */
  withdrawConsent(personId: string, appId: string, now: Date): Promise<boolean>
}

/** A decision, and the stored decision that it replaces. */
export type Replacement = {
  personId: string
  appId: string
  before: ConsentRecord | undefined
  after: ConsentRecord
  now: Date
}

/** Stores the identifier of each person for each team. */
export type SubjectStore = {
  findSubject(personId: string, teamId: string): Promise<string | undefined>
  /**
   * Returns the stored identifier; stores `candidate` if there is none. Concurrent calls return the same identifier.
   */
  ensureSubject(personId: string, teamId: string, candidate: string, now: Date): Promise<string>
}
