import { Session } from 'node:inspector/promises'
import { type EventLoopUtilization, performance } from 'node:perf_hooks'

/** Collects all garbage, and gives the memory of empty and half-empty pages back to the system. Stops the process meanwhile. */
export async function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}

/**
 * Milliseconds: the process rests if it was at work for less than `rest` of a `window`. A collection takes about 0.4 s, so
 * `work` between two of them keeps its share below 4 % of the time at work.
 */
const usual = { window: 30_000, rest: 600, work: 10_000 }

/**
 * Collects garbage once the process rests after work. V8 collects as objects are made: a process that suddenly rests would
 * keep the garbage of its last load, and the pages that it left half empty, until the next load. Returns a function that stops it.
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
    await collect()
  }, window)
  timer.unref()
  return () => clearInterval(timer)
}
