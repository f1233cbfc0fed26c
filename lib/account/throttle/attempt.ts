import { outsideRequests } from '#lib/queue/current-request'
import { isOverloaded } from '#lib/queue/fair-queue'
import { networksOf } from '#lib/text/network'

/**
 * `free` attempts within a window of `window` seconds need no wait. The last of these and each later attempt begin a
 * wait: `first` seconds (1 by default), then twice as long each time, up to `longest` seconds.
 */
export type Allowance = { free: number; first?: number; longest: number; window: number }

/** Returns a counter for each network of an address; a wider network has a multiple of the allowance. */
export const networkCounters = (name: string, address: string, allowance: Omit<Counter, 'key'>): Counter[] =>
  networksOf(address).map((network) => ({
    ...allowance,
    key: `${name}:network:${network.name}`,
    free: allowance.free * network.factor,
  }))

/** An allowance that no number of attempts uses up. */
export const unlimited = 2_000_000_000

/**
 * A counted attempt: its key, the count in the window until `expire`, and the time until which the key must wait (0:
 * no wait).
 */
export type Point = { key: string; points: number; expire: Date; heldUntil: number }

/** The shared storage of counted attempts; each step is one conditional statement. */
export type AttemptStore = {
  /** The clock that windows are measured with. */
  now(): Date
  /**
   * Counts an attempt before its secret is checked: under one key after another, until one must wait, which counts nothing.
   * Returns the points of the keys before it. SQLite commits them together.
   */
  take(counters: Counter[], at?: Date): Promise<Point[]>
  /** Returns the seconds until the key may be counted again; 0 for now. */
  waitFor(key: string): Promise<number>
  /** Returns the count of a key in its window. */
  pointsOf(key: string): Promise<number>
  /** Subtracts `count` from the count of the current window, and ends the wait that this attempt began. */
  giveBack(point: Point, count: number): Promise<void>
  /** Adds one to a key without a limit. */
  note(key: string, window: number, at: Date): Promise<void>
  /** Removes a key and returns its count; of concurrent callers, one gets the count. */
  remove(key: string): Promise<{ points: number; expire: Date } | undefined>
  /**
   * Counts one attempt in a window and returns 0; when the window is full, counts nothing and returns the seconds to
   * wait.
   */
  count(key: string, limit: { points: number; seconds: number }): Promise<number>
}

/**
 * A key that attempts are counted under. With `forgives`, a success also takes back the caller's earlier failures.
 * `freeBeyond` replaces `free` for an attempt that is beyond the free ones of a key before this one.
 */
export type Counter = Allowance & { key: string; forgives?: boolean; freeBeyond?: number }

/**
 * Counts an attempt at a secret before the secret is checked. `failuresKey` names the caller (such as this browser at
 * this account from this network): a success takes back its own count and the failures noted under that key, no
 * others.
 */
export function openAttempt({ attempts, now }: { attempts: AttemptStore; now(): Date }, failuresKey: string) {
  const at = now()
  const taken: { point: Point; counter: Counter }[] = []
  let wait = 0
  const giveBack = (count: (counter: Counter, point: Point) => number) =>
    // Outside the request, because the statements of a request are refused after its deadline.
    outsideRequests(() =>
      Promise.all(taken.splice(0).map(({ counter, point }) => attempts.giveBack(point, count(counter, point)))),
    )
  return {
    /** Returns the seconds until the secret may be checked; 0 when it may be checked now. */
    wait: () => wait,
    /** Counts the attempt under each key in order; when one key must wait, takes back the counts already added. */
    async take(...counters: Counter[]): Promise<void> {
      if (wait > 0) return
      const points = await attempts.take(counters, at)
      for (const [index, point] of points.entries()) taken.push({ point, counter: counters[index] as Counter })
      const refusing = counters[points.length]
      if (!refusing) return
      await giveBack(() => 1)
      wait = Math.max(1, await attempts.waitFor(refusing.key))
    },
    /** Returns the count of a key, this attempt included. */
    pointsOf: (key: string) => taken.find(({ point }) => point.key === key)?.point.points ?? 0,
    /** Returns whether one of the counts is above its allowance. */
    isBeyondFree: () => taken.some(({ point, counter }) => point.points > counter.free),
    /** Checks the secret; takes the counts back when the full queue refused the check. */
    async look<T>(run: () => Promise<T>): Promise<T> {
      try {
        return await run()
      } catch (fault) {
        if (isOverloaded(fault)) await giveBack(() => 1)
        throw fault
      }
    },
    /** Keeps the counts and notes a failure; returns the seconds until the next attempt may be checked. */
    async failed(): Promise<number> {
      await attempts.note(failuresKey, Math.max(...taken.map(({ counter }) => counter.window)), at)
      return Math.max(0, ...taken.map(({ point }) => secondsUntil(point.heldUntil, now())))
    },
    async succeeded(): Promise<void> {
      // Usually no failure was noted. Reading finds that out without a commit.
      const before = (await attempts.pointsOf(failuresKey)) > 0 ? await attempts.remove(failuresKey) : undefined
      // Failures noted before a key's window began are not in its present count.
      const failuresIn = ({ expire }: Point) => (before && expire <= before.expire ? before.points : 0)
      await giveBack(({ forgives }, point) => 1 + (forgives ? failuresIn(point) : 0))
    },
  }
}

export type OpenAttempt = ReturnType<typeof openAttempt>

const secondsUntil = (until: number, at: Date) => Math.ceil((until - at.getTime()) / 1000)
