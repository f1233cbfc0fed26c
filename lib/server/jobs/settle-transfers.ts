import type { SettlingStore } from '#lib/console/transfer/store'
import { inBatches } from './in-batches.ts'

/**
 * The milliseconds after which no process acts on what it read before a transfer: five seconds for a cached app, and ten
 * for the longest request (design §1, §6).
 */
const settleAfter = 20_000

/** Ends the authorizations of apps that changed teams, in batches, and opens the apps (decision 0046). */
export async function settleTransfers(store: SettlingStore, now: Date): Promise<number> {
  const due = await store.findUnsettled(new Date(now.getTime() - settleAfter), 20)
  for (const transfer of due) {
    await inBatches(async (rows) => {
      const began = performance.now()
      const isLast = !(await store.settleSome(transfer, now, rows))
      return { isLast, heldMs: performance.now() - began }
    })
  }
  return due.length
}
