import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Prisma } from '#lib/db/engine/client'
import { outsideRequests } from '#lib/queue/current-request'
import { type AppFailure, recordFailure } from './failure-store.ts'

/**
 * Writes refusals down one at a time, after their answers; equal ones that wait together are one write with their count.
 * A flood of refused requests is then no flood of writes, and costs no more memory than there are reasons to refuse.
 */
export function failureQueue(prisma: Prisma, onFault: (fault: unknown) => void) {
  const waiting = new Map<string, { failure: AppFailure; times: number }>()
  let busy = false
  const write = async () => {
    // The iterator also meets refusals that are queued during the walk.
    for (const [id, { failure, times }] of waiting) {
      waiting.delete(id)
      await recordFailure(prisma, failure, times).catch(onFault)
      await nextTurn()
    }
    busy = false
  }
  return (failure: AppFailure) => {
    waiting.set(failure.id, { failure, times: (waiting.get(failure.id)?.times ?? 0) + 1 })
    if (busy) return
    busy = true
    // The walk also writes the refusals of other requests, and outlives the one that began it.
    outsideRequests(() => setImmediate(write))
  }
}
