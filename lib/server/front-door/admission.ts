import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Overloaded } from '#lib/queue/fair-queue'

/**
 * How many milliseconds late the event loop may be, all the time, before requests are refused. Tokens go first: an app
 * that gets none signs its people out, while a person can reload a page.
 */
const tolerated = { page: 1_000, protocol: 3_000 }

export type Importance = keyof typeof tolerated

/** Milliseconds between two samples. The least late of at least three counts, so that one long task refuses nobody. */
const period = 100
const enough = 3

/** Watches the event loop; returns a function that returns for how many milliseconds each task has to wait now. */
export function watchDelay(): () => number {
  const samples = monitorEventLoopDelay({ resolution: period })
  samples.enable()
  let delay = 0
  return () => {
    if (samples.count >= enough) {
      // A sample is the time since the one before, in nanoseconds.
      delay = samples.min / 1e6 - period
      samples.reset()
    }
    return delay
  }
}

/**
 * Throws `Overloaded` while the event loop is too late for this request: a refusal now costs little, and an answer after
 * ten seconds would be refused anyway (deadline.ts).
 */
export function admit(importance: Importance, delay: number): void {
  if (delay > tolerated[importance]) throw new Overloaded('The event loop is late.')
}
