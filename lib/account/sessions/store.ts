/** A signed-in browser as its owner sees it. */
export type SeenSession = {
  publicId: string
  amr: string[]
  createdAt: Date
  lastSeenAt: Date
  address: string
  device: string
}

/** What the list of sessions asks of storage. */
export type SessionsStore = {
  /** The living ones, used last first. */
  list(personId: string, now: Date): Promise<SeenSession[]>
  /** Whether it is or was one of this person's. */
  isOf(personId: string, publicId: string): Promise<boolean>
  end(personId: string, publicId: string, now: Date): Promise<boolean>
  /** Ends all but one (or all), and makes every known browser unknown; answers how many ended. */
  endOthers(personId: string, keepId: string | undefined, now: Date): Promise<number>
  /** Every app's tokens end; what was allowed stays remembered. */
  revokeApps(personId: string, now: Date): Promise<number>
}
