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
  /** Counts an attempt before its secret is checked; undefined, with nothing counted, when the key must wait. */
  take(key: string, allowance: Allowance, at?: Date): Promise<Point | undefined>
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

/** A key that attempts are counted under. With `forgives`, a success also takes back the caller's earlier failures. */
export type Counter = Allowance & { key: string; forgives?: boolean }

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
    Promise.all(taken.splice(0).map(({ counter, point }) => attempts.giveBack(point, count(counter, point))))
  const refuse = async ({ key }: Counter) => {
    wait = Math.max(1, await attempts.waitFor(key))
    await giveBack(() => 1)
  }
  return {
    /** Returns the seconds until the secret may be checked; 0 when it may be checked now. */
    wait: () => wait,
    /** Counts the attempt under each key; when one key must wait, takes back the counts already added and stops. */
    async take(...counters: Counter[]): Promise<void> {
      for (const counter of counters) {
        if (wait > 0) return
        const point = await attempts.take(counter.key, counter, at)
        if (point) taken.push({ point, counter })
        else await refuse(counter)
      }
    },
    /** Returns whether one more attempt would be within the free ones of every key. Counts nothing. */
    async isFree(counters: Counter[]): Promise<boolean> {
      const points = await Promise.all(counters.map(({ key }) => attempts.pointsOf(key)))
      return counters.every(({ free }, index) => (points[index] ?? 0) < free)
    },
    /** Counts the attempt under all keys in one commit; when one key must wait, takes back the other counts. */
    async takeAtOnce(counters: Counter[]): Promise<void> {
      const points = await Promise.all(counters.map((counter) => attempts.take(counter.key, counter, at)))
      for (const [index, counter] of counters.entries()) {
        const point = points[index]
        if (point) taken.push({ point, counter })
      }
      const refusing = counters.find((_, index) => !points[index])
      if (refusing) await refuse(refusing)
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
