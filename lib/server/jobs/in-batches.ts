import { setImmediate as nextTurn } from 'node:timers/promises'

const [fewest, most] = [10, 500]
/**
 * The time in milliseconds that a batch may block the event loop. When rows suddenly take twice as long, one batch
 * takes 20.
 */
const target = 10

/** The result of a batch: whether it was the last one, and for how many milliseconds it blocked the event loop. */
export type Batch = { isLast: boolean; heldMs: number }

/**
 * Runs batches of rows until the last one, or for fifteen seconds; the next run of the job does the rest. After each
 * batch the event loop turns, and the next batch has as many rows as fit into 10 ms.
 */
export async function inBatches(run: (rows: number) => Promise<Batch>, seconds = 15): Promise<void> {
  const until = performance.now() + seconds * 1000
  let rows = fewest
  do {
    const { isLast, heldMs } = await run(rows)
    await nextTurn()
    if (isLast) return
    rows = nextSize(rows, heldMs)
  } while (performance.now() < until)
}

/** Returns the size of the next batch: at most twice as many rows, and no more than the measured pace allows. */
function nextSize(rows: number, heldMs: number): number {
  const allowed = heldMs > 0 ? Math.floor((rows * target) / heldMs) : most
  return Math.max(fewest, Math.min(allowed, rows * 2, most))
}
