import { networkOf } from '#lib/text/network'
import type { NewFailure } from './failure.ts'

/** The most distinct failures of one app that one network adds in an hour. */
const mostOfSource = 50
/** The most sources that are remembered at a time. */
const mostSources = 1_000
const hour = 3_600_000

type Source = { since: number; ids: Set<string> }

/**
 * Returns a function that leaves a failure as it is, or counts it with others of its cause if its network has lately
 * added too many. Any client that knows a client_id can send requests that fail, with any values.
 */
export function openSourceLimit(now: () => Date): (failure: NewFailure, address: string) => NewFailure {
  const sources = new Map<string, Source>()
  return (failure, address) => {
    const { ids } = sourceOf(sources, `${networkOf(address)} ${failure.appId}`, now().getTime())
    if (ids.has(failure.id)) return failure
    if (ids.size >= mostOfSource) return { ...failure, id: failure.causeId, isMerged: true }
    ids.add(failure.id)
    return failure
  }
}

function sourceOf(sources: Map<string, Source>, name: string, time: number): Source {
  const known = sources.get(name)
  if (known && time - known.since < hour && time >= known.since) return known
  sources.delete(name)
  if (sources.size >= mostSources) sources.delete(sources.keys().next().value as string)
  const source = { since: time, ids: new Set<string>() }
  sources.set(name, source)
  return source
}
