import { causes, sections } from './causes.ts'
import type { Failure } from './failure.ts'
import { compareUris, type UriDifference } from './uri-difference.ts'

/** A failure in words: the key of the words, their values, and the section of the docs that mends it. */
export type Explanation = {
  /** A key of `consoleFailures.causes` in the messages; `other` if the reason is not known. */
  cause: string
  /** Texts that were sent or are registered; a list is empty if there is nothing to name. */
  values: Record<string, string | string[]>
  /** The seconds by which a time is off or how long ago it was, if the failure is about a time. */
  seconds: number | undefined
  /** The registered URI and the one that was sent, if the failure is about a URI. */
  uris: UriDifference | undefined
  /** Page and anchor, such as `integrate#8-refreshing`. */
  docs: string
}

/** Returns the words for a failure. */
export function explainFailure({ reason, detail }: Pick<Failure, 'reason' | 'detail'>): Explanation {
  const found = causes.find(({ pattern }) => pattern.test(reason))
  const { received, registered, ...others } = detail
  const texts = Object.entries(others).filter((entry): entry is [string, string | string[]] => isText(entry[1]))
  return {
    cause: causeOf(found?.cause ?? 'other', detail),
    values: { ...Object.fromEntries(texts), ...found?.pattern.exec(reason)?.groups, reason },
    seconds: secondsOf(detail),
    uris: typeof received === 'string' ? compareUris(String(registered ?? ''), received) : undefined,
    docs: found?.docs ?? sections.errors,
  }
}

const isText = (value: unknown) => typeof value === 'string' || Array.isArray(value)

/** The times of details. That of issue comes first: it tells how far the app's clock is off. */
const times = ['secondsSinceIssued', 'secondsAhead', 'secondsLate', 'secondsSinceUse', 'secondsOff'] as const

/** Returns the time of a detail; one second instead of none, which no sentence could say. */
function secondsOf(detail: Failure['detail']): number | undefined {
  const seconds = times.map((name) => detail[name]).find((time) => typeof time === 'number')
  return seconds === 0 ? 1 : seconds
}

/** Some causes have other words for what the detail knows. */
function causeOf(cause: string, detail: Failure['detail']): string {
  if (cause === 'revoked' && 'secondsSinceUse' in detail) return 'codeSpentRevoked'
  if (cause === 'dpopClock') return Number(detail.secondsOff) > 0 ? 'dpopBehind' : 'dpopAhead'
  if (cause === 'methodWrong' && detail.sent === 'client_secret_post') return 'secretInBody'
  return cause
}
