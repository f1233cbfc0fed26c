import type { Sweep } from '../db/sweep-store.ts'

const batch = 500
const mostBatches = 20

/** Removes what has expired, in batches small enough that requests pass between them (design §4). */
export async function sweep(tables: Sweep[], now: Date, swept: (table: string, count: number) => void): Promise<void> {
  for (const { table, run } of tables) {
    for (let round = 0; round < mostBatches; round++) {
      const count = await run(now, batch)
      swept(table, count)
      if (count < batch) break
    }
  }
}
