/** A sign-in that a member tries. `begun` and `outcome` are sealed. */
export type StoredTrial = {
  personId: string
  appId: string
  stateHash: string
  sessionId: string
  startedAt: Date
  finishedAt: Date | null
  begun: string
  outcome: string | null
  expiresAt: Date
}

/** Stores at most one trial for each person and app. */
export type TrialStore = {
  /** Stores a trial in place of the person's earlier trial of the app. */
  begin(trial: Omit<StoredTrial, 'finishedAt' | 'outcome'>): Promise<void>
  findByState(stateHash: string, now: Date): Promise<StoredTrial | undefined>
  findOfPerson(personId: string, appId: string, now: Date): Promise<StoredTrial | undefined>
  /** Takes the answer of a trial; of concurrent calls, exactly one returns true. */
  claim(stateHash: string, now: Date): Promise<boolean>
  keepOutcome(stateHash: string, outcome: string, expiresAt: Date): Promise<void>
}
