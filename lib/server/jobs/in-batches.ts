import { setImmediate as nextTurn } from 'node:timers/promises'

const [fewest, most] = [10, 500]
/** Milliseconds. A batch that takes twice as long as the one before still holds the event loop for 20 at most. */
const target = 10

/** What one batch did: whether rows are left, and for how many milliseconds it held the event loop. */
export type Batch = { isLast: boolean; heldMs: number }

/**
 * Runs batches of rows until one is the last, or for fifteen seconds; what is left waits for the job's next run. After
 * each batch the event loop turns, so that requests pass, and the next batch is as large as 10 ms allow.
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

/** At most twice as many rows, and no more than the pace just measured allows. */
function nextSize(rows: number, heldMs: number): number {
  const allowed = heldMs > 0 ? Math.floor((rows * target) / heldMs) : most
  return Math.max(fewest, Math.min(allowed, rows * 2, most))
}
