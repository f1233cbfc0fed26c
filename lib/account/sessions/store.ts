/** A session as the person sees it. */
export type SeenSession = {
  publicId: string
  amr: string[]
  createdAt: Date
  lastSeenAt: Date
  address: string
  device: string
}

/** The storage of the list of sessions. */
export type SessionsStore = {
  /** Lists at most 100 live sessions, the last used first. */
  list(personId: string, now: Date): Promise<SeenSession[]>
  /** Whether this session belongs to the person, also if it has ended. */
  isOf(personId: string, publicId: string): Promise<boolean>
  /** Ends the sessions of the person that have these public ids, and returns their number. */
  end(personId: string, publicIds: string[], now: Date): Promise<number>
  /**
   * Ends all sessions except the one with `keepId`, or all without `keepId`, and makes every known browser unknown;
   * returns the number of ended sessions.
   */
  endOthers(personId: string, keepId: string | undefined, now: Date): Promise<number>
  /** Revokes the authorizations of every app and keeps the consents; returns the number of apps that lost access. */
  revokeApps(personId: string, now: Date): Promise<number>
}
