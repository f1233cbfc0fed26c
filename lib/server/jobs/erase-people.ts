import type { DeletionStore } from '#lib/account/data/deletion'
import { eachDue } from './each-due.ts'
import { inBatches } from './in-batches.ts'

/** Erases the people whose grace period is over, in batches; other requests run between batches (design §4). */
export function erasePeople(store: DeletionStore, now: Date, goOn = () => true): Promise<number> {
  const erase = (personId: string) =>
    inBatches(
      async (rows) => {
        const began = performance.now()
        const isLast = await store.erase(personId, now, rows)
        return { isLast, heldMs: performance.now() - began }
      },
      { goOn },
    )
  return eachDue((most) => store.findDue(now, most), erase, goOn)
}
