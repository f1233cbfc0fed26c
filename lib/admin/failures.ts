/** A refusal of any app, without the values that were sent: those are on the page of the app's team. */
export type FailureOfApp = {
  id: string
  app: { id: string; name: string }
  endpoint: string
  code: string
  /** The exact reason, in English. */
  reason: string
  count: number
  lastAt: Date
}

/** Reads the failures of all apps, the newest first; `before` is the time of the last one of the page before. */
export type FailuresOfApps = { list(before: Date | undefined, most: number): Promise<FailureOfApp[]> }
