/** One line of the operators' record: who acted, when, and why. */
export type Recorded = {
  id: string
  at: Date
  /** The operator's username; empty for the command line. */
  actor: string
  reason: string
}
