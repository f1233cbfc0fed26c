import type { AppStore } from '#lib/apps/store'
import { inBatches } from './in-batches.ts'

type Erasable = Pick<AppStore, 'findDeletable' | 'removeUse' | 'remove'>

/** Deletes the apps whose grace period is over, with everything that belongs to them, in batches. */
export async function eraseApps(store: Erasable, now: Date): Promise<number> {
  const due = await store.findDeletable(now, 20)
  for (const id of due) {
    await inBatches(async (rows) => {
      const began = performance.now()
      const isLast = !(await store.removeUse(id, rows))
      if (isLast) await store.remove(id, now)
      return { isLast, heldMs: performance.now() - began }
    })
  }
  return due.length
}
