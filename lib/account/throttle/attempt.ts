import { isOverloaded } from '#lib/queue/fair-queue'
import { networksOf } from '#lib/text/network'

/**
 * How many attempts are free within a window; each one beyond must wait `first` seconds (1 where it is not said), then
 * twice as long each time, up to `longest` seconds.
 */
export type Allowance = { free: number; first?: number; longest: number; window: number }

/** A count for each network of an address: the allowance is a single customer's, and a wider network has more. */
export const networkCounters = (name: string, address: string, allowance: Omit<Counter, 'key'>): Counter[] =>
  networksOf(address).map((network) => ({
    ...allowance,
    key: `${name}:network:${network.name}`,
    free: allowance.free * network.factor,
  }))

/** An allowance that no number of attempts uses up. */
export const unlimited = 2_000_000_000

/** One point taken under a key, the last of so many in the window that ends with `expire`; 0, or until when it holds the key. */
export type Point = { key: string; points: number; expire: Date; heldUntil: number }

/** What counting attempts asks of storage; each step is one conditional statement. */
export type AttemptStore = {
  /** Takes a point before the attempt is looked at; undefined when the key has to wait, and then nothing was counted. */
  take(key: string, allowance: Allowance, at: Date): Promise<Point | undefined>
  /** The seconds until a point may be taken; 0 for now. */
  waitFor(key: string): Promise<number>
  /** Gives back so many points, if the window they were taken in goes on, and ends the wait that this point began. */
  giveBack(point: Point, count: number): Promise<void>
  /** Adds one to a key that nothing is refused for. */
  note(key: string, window: number, at: Date): Promise<void>
  /** Removes a key and returns its count; of concurrent callers, one gets it. */
  remove(key: string): Promise<{ points: number; expire: Date } | undefined>
}

/** A key under which attempts are counted. `forgives` when the owner's earlier slips are given back with a success. */
export type Counter = Allowance & { key: string; forgives?: boolean }

/**
 * An attempt at a secret, counted before it is looked at. `slips` names whose attempts they are (this browser's at this
 * account from this network): a success gives back its own points and the slips noted under that name, and nothing else's.
 */
export function openAttempt({ attempts, now }: { attempts: AttemptStore; now(): Date }, slips: string) {
  const at = now()
  const taken: { point: Point; counter: Counter }[] = []
  let wait = 0
  const giveBack = (count: (counter: Counter, point: Point) => number) =>
    Promise.all(taken.splice(0).map(({ counter, point }) => attempts.giveBack(point, count(counter, point))))
  return {
    /** The seconds until such an attempt is looked at; 0 when this one may be. */
    wait: () => wait,
    /** Takes a point from each counter; when one is over its limit, returns the points already taken and stops. */
    async take(...counters: Counter[]): Promise<void> {
      for (const counter of counters) {
        if (wait > 0) return
        const point = await attempts.take(counter.key, counter, at)
        if (point) taken.push({ point, counter })
        else {
          wait = Math.max(1, await attempts.waitFor(counter.key))
          await giveBack(() => 1)
        }
      }
    },
    /** How many points a key counts, this one's included. */
    pointsOf: (key: string) => taken.find(({ point }) => point.key === key)?.point.points ?? 0,
    /** Whether one of the points was beyond the free ones. */
    isBeyondFree: () => taken.some(({ point, counter }) => point.points > counter.free),
    /** Looks at the secret; gives the points back when the queue was full and nothing was looked at. */
    async look<T>(run: () => Promise<T>): Promise<T> {
      try {
        return await run()
      } catch (fault) {
        if (isOverloaded(fault)) await giveBack(() => 1)
        throw fault
      }
    },
    /** Keeps the points; the seconds until the next attempt is looked at. */
    async failed(): Promise<number> {
      await attempts.note(slips, Math.max(...taken.map(({ counter }) => counter.window)), at)
      return Math.max(0, ...taken.map(({ point }) => secondsUntil(point.heldUntil, now())))
    },
    async succeeded(): Promise<void> {
      const before = await attempts.remove(slips)
      // Slips noted before a key's window began are no longer among its points.
      const slipsIn = ({ expire }: Point) => (before && expire <= before.expire ? before.points : 0)
      await giveBack(({ forgives }, point) => 1 + (forgives ? slipsIn(point) : 0))
    },
  }
}

export type OpenAttempt = ReturnType<typeof openAttempt>

const secondsUntil = (until: number, at: Date) => Math.ceil((until - at.getTime()) / 1000)
