import { setTimeout as pause } from 'node:timers/promises'

export type WhileLocked = <T>(run: () => Promise<T>) => Promise<T>

/** The polling interval: SQLite sends no signal when a lock is released. */
const interval = 10

/**
 * Makes a function that runs work again while another process holds SQLite's lock, until `patience` milliseconds have
 * passed. The event loop turns in between. Work that met the lock has done nothing yet.
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

/** As the driver reports it, or Prisma's adapter for it. */
function isLocked(fault: unknown): boolean {
  const { code, cause } = fault as { code?: unknown; cause?: { originalCode?: unknown } }
  return code === 'SQLITE_BUSY' || cause?.originalCode === 'SQLITE_BUSY'
}
