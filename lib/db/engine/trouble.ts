import { setTimeout as pause } from 'node:timers/promises'
import { currentRequest } from '#lib/queue/current-request'
import { isUnavailable, refusesSomeWrites } from './unavailable.ts'

/** Records when the database was last unavailable, for answers and health checks that do not see the error itself. */
export function makeTrouble(now = () => performance.now()) {
  let [last, lastRefusedWrite] = [-Infinity, -Infinity]
  const note = (fault: unknown) => {
    if (isUnavailable(fault)) last = now()
    if (refusesSomeWrites(fault)) lastRefusedWrite = now()
  }
  return {
    note,
    /** Runs one statement and records its error. */
    async watch<T>(run: () => Promise<T>): Promise<T> {
      try {
        return await run()
      } catch (fault) {
        note(fault)
        throw fault
      }
    },
    /** Returns whether the database was unavailable since a time of performance.now(). */
    since: (moment: number) => last >= moment,
    /**
     * Returns whether the disk refused a write in the last ten seconds. A later success does not reset it: on a full disk, a
     * small write may pass where a larger one fails. A database that refuses every write is not remembered, because the next
     * write tells whether it still does: after a failover the service is back at once.
     */
    refusesWrites: () => now() - lastRefusedWrite < 10_000,
  }
}

export type Trouble = ReturnType<typeof makeTrouble>

/** Thrown instead of running a statement of a request that has exceeded its deadline. */
export class RequestOver extends Error {
  // PostgreSQL's code of a timeout (57014, query_canceled), so that callers treat the error as "database unavailable".
  readonly code = '57014'
}

/**
 * Throws if the current request was already answered because its deadline passed (design §1): nothing may change
 * after that.
 */
export function refuseWhenOver(request = currentRequest()): void {
  if (request?.isOver) throw new RequestOver('The request was refused before this statement.')
}

export type WhileLocked = <T>(run: () => Promise<T>) => Promise<T>

/** The polling interval: SQLite sends no signal when a lock is released. */
const interval = 10

/**
 * Makes a function that retries work while another process holds SQLite's lock, for `patience` milliseconds, without
 * blocking the event loop. Work that fails on the lock has had no effect.
 */
export function makeWhileLocked(patience: number): WhileLocked {
  return async (run) => {
    const until = performance.now() + patience
    for (;;) {
      try {
        return await run()
      } catch (fault) {
        if (!isLocked(fault) || performance.now() >= until) throw fault
        await pause(interval)
      }
    }
  }
}

/** Recognizes a lock error of the driver and of Prisma's adapter. */
export function isLocked(fault: unknown): boolean {
  const { code, cause } = fault as { code?: unknown; cause?: { originalCode?: unknown } }
  return code === 'SQLITE_BUSY' || cause?.originalCode === 'SQLITE_BUSY'
}
