import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

const fewest = 10
/**
 * The time in milliseconds that a batch may block the event loop. When rows suddenly take twice as long, one batch
 * takes 20.
 */
const target = 10

/** The result of a batch: whether it was the last one, and for how many milliseconds it blocked the event loop. */
export type Batch = { isLast: boolean; heldMs: number }

/** `rest`: milliseconds between two batches. `goOn`: returns false when no further batch may begin. */
export type Pace = { seconds?: number; rest?: number; most?: number; goOn?(): boolean }

/**
 * Runs batches of rows until the last one, or for fifteen seconds, and returns whether the last one ran. After each batch
 * the event loop turns, and the next batch has as many rows as fit into 10 ms.
 */
export async function inBatches(run: (rows: number) => Promise<Batch>, pace: Pace = {}): Promise<boolean> {
  const { seconds = 15, rest = 0, most = 500, goOn = () => true } = pace
  const until = performance.now() + seconds * 1000
  let rows = fewest
  do {
    const { isLast, heldMs } = await run(rows)
    await nextTurn()
    if (isLast) return true
    if (rest > 0) await pause(rest)
    rows = nextSize(rows, heldMs, most)
  } while (performance.now() < until && goOn())
  return false
}

/** Returns the size of the next batch: at most twice as many rows, and no more than the measured pace allows. */
function nextSize(rows: number, heldMs: number, most: number): number {
  const allowed = heldMs > 0 ? Math.floor((rows * target) / heldMs) : most
  return Math.max(fewest, Math.min(allowed, rows * 2, most))
}
