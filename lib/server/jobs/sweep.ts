import type { Sweep } from '#lib/db/jobs/sweep-store'
import { inBatches } from './in-batches.ts'

/** Deletes expired rows in batches; other requests run between batches (design §4). */
export async function sweep(tables: Sweep[], now: Date, swept: (table: string, count: number) => void): Promise<void> {
  for (const { table, run } of tables) {
    await inBatches(async (rows) => {
      const { count, heldMs } = await run(now, rows)
      swept(table, count)
      return { isLast: count < rows, heldMs }
    })
  }
}
