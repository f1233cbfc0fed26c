/** Stores the identifier of each person for each team. */
export type SubjectStore = {
  findSubject(personId: string, teamId: string): Promise<string | undefined>
  /**
   * Returns the stored identifier; stores `candidate` if there is none. Concurrent calls return the same identifier.
   */
  ensureSubject(personId: string, teamId: string, candidate: string, now: Date): Promise<string>
}

/** Returns a new pairwise identifier. It is random, so that nothing can be derived from it (specification §2.4). */
export const newSubject = (random: (bytes: number) => Buffer): string => random(24).toString('base64url')
