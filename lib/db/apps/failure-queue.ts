import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Prisma } from '#lib/db/engine/client'
import { outsideRequests } from '#lib/queue/current-request'
import { type AppFailure, recordFailure } from './failure-store.ts'

/**
 * Records refusals one at a time, after the answers are sent. Equal refusals in the queue become one write with a
 * count, so a flood of refused requests causes few writes, and the queue is never longer than the number of distinct
 * refusals.
 */
export function failureQueue(prisma: Prisma, onFault: (fault: unknown) => void) {
  const waiting = new Map<string, { failure: AppFailure; times: number }>()
  let busy = false
  const write = async () => {
    // The iterator also yields refusals that are added during the loop.
    for (const [id, { failure, times }] of waiting) {
      waiting.delete(id)
      await recordFailure(prisma, failure, times).catch(onFault)
      await nextTurn()
    }
    busy = false
  }
  return (failure: AppFailure, count = 1) => {
    waiting.set(failure.id, { failure, times: (waiting.get(failure.id)?.times ?? 0) + count })
    if (busy) return
    busy = true
    // The loop outlives the request that started it, and also writes refusals of other requests.
    outsideRequests(() => setImmediate(write))
  }
}
