import { setImmediate as nextTurn } from 'node:timers/promises'
import type { NewFailure } from '#lib/console/failures/failure'
import type { Prisma } from '#lib/db/engine/client'
import { outsideRequests } from '#lib/queue/current-request'
import { type FailureBounds, recordFailure } from './failure-store.ts'

/**
 * Records refusals one at a time, after the answers are sent. Equal refusals in the queue become one write with a
 * count, so a flood of refused requests causes few writes. A full queue counts a refusal with others of its cause.
 */
export function failureQueue(
  prisma: Prisma,
  bounds: FailureBounds & { mostWaiting: number },
  onFault: (fault: unknown) => void,
) {
  const { mostWaiting } = bounds
  const waiting = new Map<string, { failure: NewFailure; times: number }>()
  let busy = false
  const write = async () => {
    // The iterator also yields refusals that are added during the loop.
    for (const [id, { failure, times }] of waiting) {
      waiting.delete(id)
      await recordFailure(prisma, failure, times, bounds).catch(onFault)
      await nextTurn()
    }
    busy = false
  }
  return (given: NewFailure, count = 1) => {
    const hasRoom = waiting.has(given.id) || waiting.size < mostWaiting
    const failure = hasRoom ? given : { ...given, id: given.causeId, isMerged: true }
    // Twice the limit is reached only by floods at many apps at once.
    if (!waiting.has(failure.id) && waiting.size >= 2 * mostWaiting) return
    waiting.set(failure.id, { failure, times: (waiting.get(failure.id)?.times ?? 0) + count })
    if (busy) return
    busy = true
    // The loop outlives the request that started it, and also writes refusals of other requests.
    outsideRequests(() => setImmediate(write))
  }
}
