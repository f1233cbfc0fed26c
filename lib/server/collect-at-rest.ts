import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { tryToCollectGarbage } from '#lib/queue/collect-garbage'

/**
 * In milliseconds. The process is at rest if its event loop was busy for less than `rest` in the last `window`. A collection
 * blocks the loop for 0.2 to 0.7 seconds, so the loop must have been busy for `work` since the last one; a second
 * one follows in the next window at rest.
 */
const usual = { window: 30_000, rest: 600, work: 10_000 }

/** Two collections, a window apart, leave 5 MiB less than one (docs/benchmarks-earlier.md, "Memory after a storm"). */
const collectionsAfterWork = 2

/**
 * Runs full garbage collections when the process comes to rest after load. V8 collects only while objects are allocated, so
 * an idle process would keep the garbage and the fragmented heap of its last load. Returns a function that stops the timer.
 * `collect` must not reject.
 */
export function collectAtRest(about: Partial<typeof usual> = {}, collect = tryToCollectGarbage): () => void {
  const { window, rest, work } = { ...usual, ...about }
  let before: EventLoopUtilization = performance.eventLoopUtilization()
  let collected = before.active
  let due = 0
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const isAtRest = now.active - before.active < rest
    before = now
    if (now.active - collected >= work) due = collectionsAfterWork
    if (!isAtRest || due === 0) return
    due -= 1
    collected = now.active
    void collect()
  }, window)
  timer.unref()
  return () => clearInterval(timer)
}
