import { Overloaded } from '#lib/queue/fair-queue'

/**
 * How many milliseconds late the event loop may be, all the time, before requests are refused. Tokens go first: an app
 * that gets none signs its people out, while a person can reload a page.
 */
const tolerated = { page: 1_000, protocol: 3_000 }

export type Importance = keyof typeof tolerated

/** Milliseconds between two samples. The least late of the last ones counts, so that one long task refuses nobody. */
const period = 100
const kept = 3

/** Watches the event loop; returns a function that returns for how many milliseconds each task has to wait now. */
export function watchDelay(): () => number {
  const samples: number[] = Array(kept).fill(0)
  let due = performance.now() + period
  const sample = () => {
    const now = performance.now()
    samples.shift()
    samples.push(Math.max(0, now - due))
    due = now + period
  }
  setInterval(sample, period).unref()
  return () => Math.min(...samples)
}

/**
 * Throws `Overloaded` while the event loop is too late for this request: a refusal now costs little, and an answer after
 * ten seconds would be refused anyway (deadline.ts).
 */
export function admit(importance: Importance, delay: number): void {
  if (delay > tolerated[importance]) throw new Overloaded('The event loop is late.')
}
