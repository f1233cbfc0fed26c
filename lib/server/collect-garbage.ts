import { Session } from 'node:inspector/promises'
import { type EventLoopUtilization, performance } from 'node:perf_hooks'

/** Collects all garbage, and gives the memory of empty and half-empty pages back to the system. Blocks the event loop meanwhile. */
export async function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.collectGarbage')
  } finally {
    session.disconnect()
  }
}

/**
 * Milliseconds: a process rests if its event loop was at work for less than `rest` of a `window`. A collection blocks it for
 * 0.2 to 0.7 seconds, so there are at least `work` between two of them.
 */
const usual = { window: 30_000, rest: 600, work: 10_000 }

/**
 * Collects garbage once the process rests after work. V8 collects as objects are made: without this, a process that suddenly
 * rests keeps the garbage of its last load, and the memory that it left half empty. Returns a function that stops the timer.
 */
export function collectAtRest(about: Partial<typeof usual> = {}, collect = collectGarbage): () => void {
  const { window, rest, work } = { ...usual, ...about }
  let before: EventLoopUtilization = performance.eventLoopUtilization()
  let collected = before.active
  const timer = setInterval(async () => {
    const now = performance.eventLoopUtilization()
    const isAtRest = now.active - before.active < rest
    before = now
    if (!isAtRest || now.active - collected < work) return
    collected = now.active
    // A process that cannot collect goes on.
    await collect().catch(() => undefined)
  }, window)
  timer.unref()
  return () => clearInterval(timer)
}
