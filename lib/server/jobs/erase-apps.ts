import type { AppStore } from '#lib/apps/store'
import { eachDue } from './each-due.ts'
import { inBatches } from './in-batches.ts'

type Erasable = Pick<AppStore, 'findDeletable' | 'removeUse' | 'remove'>

/** Deletes the apps whose grace period is over, with everything that belongs to them, in batches. */
export function eraseApps(store: Erasable, now: Date, goOn = () => true): Promise<number> {
  const erase = (id: string) =>
    inBatches(
      async (rows) => {
        const began = performance.now()
        const isLast = !(await store.removeUse(id, rows))
        if (isLast) await store.remove(id, now)
        return { isLast, heldMs: performance.now() - began }
      },
      // The job runs once an hour.
      { seconds: 600, goOn },
    )
  return eachDue((most) => store.findDeletable(now, most), erase, goOn)
}
