import type { SettlingStore } from '#lib/console/transfer/store'
import { eachDue } from './each-due.ts'
import { inBatches } from './in-batches.ts'

/**
 * The milliseconds after which no process acts on what it read before a transfer: five seconds for a cached app, and ten
 * for the longest request (design §1, §6).
 */
const settleAfter = 20_000

/** Ends the authorizations of apps that changed teams, in batches, and opens the apps (decision 0046). */
export function settleTransfers(store: SettlingStore, now: Date, goOn = () => true): Promise<number> {
  const settle = (transfer: Parameters<SettlingStore['settleSome']>[0]) =>
    inBatches(
      async (rows) => {
        const began = performance.now()
        const isLast = !(await store.settleSome(transfer, now, rows))
        return { isLast, heldMs: performance.now() - began }
      },
      { goOn },
    )
  return eachDue((most) => store.findUnsettled(new Date(now.getTime() - settleAfter), most), settle, goOn)
}
