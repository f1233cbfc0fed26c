import type { Sweep } from '../db/sweep-store.ts'
import { inBatches } from './in-batches.ts'

/** Removes what has expired, in batches between which requests pass (design §4). */
export async function sweep(tables: Sweep[], now: Date, swept: (table: string, count: number) => void): Promise<void> {
  for (const { table, run } of tables) {
    await inBatches(async (rows) => {
      const { count, heldMs } = await run(now, rows)
      swept(table, count)
      return { isLast: count < rows, heldMs }
    })
  }
}
