/** How often something happened to an app on one day; the names are those of `Counted` in lib/oauth/usage.ts. */
export type UsageRow = { day: Date; what: string; count: number }

export type UsageStore = {
  /** Returns the counts of an app from this day on. */
  read(appId: string, since: Date): Promise<UsageRow[]>
}
