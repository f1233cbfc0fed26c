/** A refused request of an app, or equal ones counted together (design §9). */
export type Failure = {
  id: string
  endpoint: string
  /** The OAuth error that was sent. */
  code: string
  /** The exact reason, in English. */
  reason: string
  /** What was sent (masked) and what was expected. */
  detail: FailureDetail
  count: number
  /** True if the row also counts failures of the same reason with other values; the detail is of the latest. */
  isMerged: boolean
  firstAt: Date
  lastAt: Date
}

export type FailureDetail = Record<string, string | number | string[]>

/**
 * A failure to record. Failures with the same `id` are counted together; those with the same `causeId` differ only in the
 * values that were sent.
 */
export type NewFailure = Omit<Failure, 'count' | 'firstAt' | 'lastAt'> & {
  appId: string
  causeId: string
  at: Date
}

/** The last failure of a page; the next page begins after it. */
export type FailurePlace = Pick<Failure, 'lastAt' | 'id'>

/** Reads the failures of apps. */
export type FailureStore = {
  /** Lists failures of an app, the newest first, without those of its mail. */
  list(appId: string, query: FailureQuery): Promise<Failure[]>
  /** Lists the endpoints at which an app has failures, in alphabetical order. */
  listEndpoints(appId: string): Promise<string[]>
}

export type FailureQuery = { endpoint?: string | undefined; after?: FailurePlace | undefined; most: number }

/** The most failures of an app that differ; beyond it, failures are counted with others of the same reason. */
export const mostDistinct = 10_000
/** The most failures of one reason that differ in the values that were sent. */
export const mostOfCause = 1_000
/** The most distinct failures of all apps that wait in one process to be written. */
export const mostWaiting = 1_000
