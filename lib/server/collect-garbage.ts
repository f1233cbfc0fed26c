import { Session } from 'node:inspector/promises'
import { type EventLoopUtilization, performance } from 'node:perf_hooks'

/** Runs a full garbage collection, which also returns unused heap to the system. Blocks the event loop until it ends. */
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
 * In milliseconds. The process is at rest if its event loop was busy for less than `rest` in the last `window`. A collection
 * blocks the loop for 0.2 to 0.7 seconds, so the loop must have been busy for `work` since the last collection.
 */
const usual = { window: 30_000, rest: 600, work: 10_000 }

/**
 * Runs a full garbage collection when the process comes to rest after load. V8 collects only while objects are allocated, so
 * an idle process would keep the garbage and the fragmented heap of its last load. Returns a function that stops the timer.
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
    // A failed collection must not end the process.
    await collect().catch(() => undefined)
  }, window)
  timer.unref()
  return () => clearInterval(timer)
}
