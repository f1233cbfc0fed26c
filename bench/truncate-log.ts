import { setTimeout as pause } from 'node:timers/promises'
import type { SharedSqlite } from '#lib/db/engine/sqlite'

/**
 * Empties SQLite's log, so that no measured request pays for earlier writes. Retries while another checkpoint runs, for
 * example in the database's own thread.
 */
export async function truncateLog({ driver }: SharedSqlite): Promise<void> {
  const deadline = performance.now() + 30_000
  while (performance.now() < deadline) {
    const [result] = driver.pragma('wal_checkpoint(TRUNCATE)') as { busy: bigint | number }[]
    if (result && Number(result.busy) === 0) return
    await pause(10)
  }
  throw new Error('The log was not emptied within 30 s: another program reads it or makes a checkpoint.')
}
