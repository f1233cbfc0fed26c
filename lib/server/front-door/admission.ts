import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Overloaded } from '#lib/queue/fair-queue'

/**
 * How many milliseconds late the event loop may be, all the time, before requests are refused. Tokens go first: an app
 * that gets none signs its people out, while a person can reload a page.
 */
const tolerated = { page: 1_000, protocol: 3_000 }

export type Importance = keyof typeof tolerated

/** Milliseconds between two samples. The least late of at least three counts, so that one long task causes no refusal. */
const period = 100
const enough = 3

/**
 * Watches the event loop; returns a function that returns for how many milliseconds each task has to wait now. For a
 * second after the process stood still for longer than `stillFor`, nothing is in time.
 */
export function watchDelay(stillFor = 3_000): () => number {
  const samples = monitorEventLoopDelay({ resolution: period })
  samples.enable()
  const hasStoodStill = watchStillness(stillFor)
  let delay = 0
  return () => {
    if (samples.count >= enough) {
      // A sample is the time since the one before, in nanoseconds.
      delay = samples.min / 1e6 - period
      samples.reset()
    }
    return hasStoodStill() ? Number.POSITIVE_INFINITY : delay
  }
}

const second = 1_000

/**
 * Returns a function that returns whether the process stood still just now: suspended, or in one long task. What it reads
 * next has waited as long. Its client may have given up, repeated the request at another process and gone on, so that the
 * request would look like a replay of an old token (docs/decisions/0029).
 */
function watchStillness(stillFor: number): () => boolean {
  let [beat, beatAt, woke] = [performance.now(), Date.now(), Number.NEGATIVE_INFINITY]
  const look = () => {
    const now = performance.now()
    // On Linux, the monotonic clock stops while the machine is suspended, and the wall clock goes on.
    if (Math.max(now - beat, Date.now() - beatAt) - period > stillFor) woke = now
    return now
  }
  setInterval(() => {
    beat = look()
    beatAt = Date.now()
  }, period).unref()
  return () => look() - woke < second
}

/**
 * Throws `Overloaded` while the event loop is too late for this request: a refusal now costs little, and an answer after
 * ten seconds would be refused anyway (deadline.ts).
 */
export function admit(importance: Importance, delay: number): void {
  if (delay > tolerated[importance]) throw new Overloaded('The event loop is late.')
}
