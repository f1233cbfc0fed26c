import { statementsOf } from '#lib/db/engine/statements'
import { usageQueue } from '#lib/db/usage/usage-queue'
import { outsideRequests } from '#lib/queue/current-request'
import type { Parts } from './parts.ts'

/** Writes the counts of `usage` to the database. */
export type UsageWriter = {
  /** Writes the counts made before the call. */
  flush(): Promise<void>
  /** Writes a last time, and stops. */
  close(): Promise<void>
}

/** Milliseconds between two writes: the most that a killed process loses. */
const pause = 5_000

/** Composes the writer of the counts; a fault is logged, and the next run tries again. */
export function composeUsage({ counts, database, log, now }: Parts): UsageWriter {
  const fault = (err: unknown) => log.warn({ err }, 'the usage of apps could not be written; it is kept in memory')
  const { flush } = usageQueue(counts, { statements: statementsOf(database), now, fault })
  const timer = outsideRequests(() => setInterval(() => void flush(), pause).unref())
  return {
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
