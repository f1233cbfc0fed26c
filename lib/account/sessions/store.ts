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
  /** Lists the live sessions, the last used first. */
  list(personId: string, now: Date): Promise<SeenSession[]>
  /** Whether the session is or was one of this person's. */
  isOf(personId: string, publicId: string): Promise<boolean>
  end(personId: string, publicId: string, now: Date): Promise<boolean>
  /** Ends all sessions but one (or all), and makes every known browser unknown; returns the number of ended sessions. */
  endOthers(personId: string, keepId: string | undefined, now: Date): Promise<number>
  /** Revokes the authorizations of every app and keeps the consents; returns the number of those apps. */
  revokeApps(personId: string, now: Date): Promise<number>
}
