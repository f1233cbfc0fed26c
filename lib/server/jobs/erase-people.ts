import type { DeletionStore } from '#lib/account/data/deletion'
import { inBatches } from './in-batches.ts'

const people = 20

/** Erases the people whose grace period is over, in batches; other requests run between batches (design §4). */
export async function erasePeople(store: DeletionStore, now: Date): Promise<number> {
  const due = await store.findDue(now, people)
  for (const personId of due) {
    await inBatches(async (rows) => {
      const began = performance.now()
      const isLast = await store.erase(personId, now, rows)
      return { isLast, heldMs: performance.now() - began }
    })
  }
  return due.length
}
