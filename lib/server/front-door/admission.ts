import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Overloaded } from '#lib/queue/fair-queue'

/**
 * How many milliseconds late the event loop may be, all the time, before requests are refused. Tokens go first: an app
 * that gets none signs its people out, while a person can reload a page. A refused picture would be missing from a page
 * that was shown, because the browser requests it once.
 */
const tolerated = { page: 1_000, step: 1_000, picture: 3_000, protocol: 3_000 }

export type Importance = keyof typeof tolerated

/**
 * How late the event loop is now. If the process stood still less than a second ago, `standstill` counts the pages that were
 * asked for since then.
 */
export type Lateness = { milliseconds: number; standstill: { pages: number } | undefined }

/** Milliseconds between two samples. The least late of at least three counts, so that one long task causes no refusal. */
const period = 100
const enough = 3

/**
 * Watches the event loop; returns a function that returns for how many milliseconds each task has to wait now, and
 * whether the process stood still for longer than `stillFor` until less than a second ago.
 */
export function watchDelay(stillFor = 3_000): () => Lateness {
  const samples = monitorEventLoopDelay({ resolution: period })
  samples.enable()
  const findStandstill = watchStillness(stillFor)
  let milliseconds = 0
  return () => {
    if (samples.count >= enough) {
      // A sample is the time since the one before, in nanoseconds.
      milliseconds = samples.min / 1e6 - period
      samples.reset()
    }
    return { milliseconds, standstill: findStandstill() }
  }
}

const second = 1_000

/**
 * Returns a function that returns the last standstill if it ended less than a second ago. The process was suspended, or in one
 * long task, and what it reads next has waited as long. Its client may have given up, repeated the request at another process and gone on, so that the
 * request would look like a replay of an old token (docs/decisions/0029).
 */
function watchStillness(stillFor: number): () => Lateness['standstill'] {
  let standstill = { pages: 0 }
  let [beat, beatAt, woke] = [performance.now(), Date.now(), Number.NEGATIVE_INFINITY]
  const look = () => {
    const now = performance.now()
    // On Linux, the monotonic clock stops while the machine is suspended, and the wall clock goes on.
    if (Math.max(now - beat, Date.now() - beatAt) - period > stillFor) {
      if (now - woke >= second) standstill = { pages: 0 }
      woke = now
    }
    return now
  }
  setInterval(() => {
    beat = look()
    beatAt = Date.now()
  }, period).unref()
  return () => (look() - woke < second ? standstill : undefined)
}

/** The most pages that are shown in the second after a standstill. To render all that waited would block the loop again. */
const pagesAfterStandstill = 8

/**
 * Throws `Overloaded` while the event loop is too late for this request: a refusal now costs little, and an answer after
 * ten seconds would be refused anyway (deadline.ts). A page or picture that is shown twice does no harm, and the first page
 * of a process is what most often makes it stand still.
 */
export function admit(importance: Importance, { milliseconds, standstill }: Lateness): void {
  const isRefused = standstill && !mayBeShown(importance, standstill)
  if (isRefused || milliseconds > tolerated[importance]) throw new Overloaded('The event loop is late.')
}

const mayBeShown = (importance: Importance, standstill: { pages: number }) =>
  importance === 'picture' || (importance === 'page' && ++standstill.pages <= pagesAfterStandstill)
