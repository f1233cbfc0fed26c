import { setTimeout as pause } from 'node:timers/promises'

export type WhileLocked = <T>(run: () => Promise<T>) => Promise<T>

/** The polling interval: SQLite sends no signal when a lock is released. */
const interval = 10

/**
 * Makes a function that retries work while another process holds SQLite's lock, for `patience` milliseconds. The event loop
 * turns between tries. Work that fails on the lock has had no effect.
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

/** Recognizes the error of the driver and of Prisma's adapter. */
function isLocked(fault: unknown): boolean {
  const { code, cause } = fault as { code?: unknown; cause?: { originalCode?: unknown } }
  return code === 'SQLITE_BUSY' || cause?.originalCode === 'SQLITE_BUSY'
}
