import type { AttemptStore } from '#lib/account/throttle/attempt'
import { networksOf } from '#lib/text/network'

export type Limit = { name: string; points: number; seconds: number }

const mostRemembered = 10_000

/** Counts what may happen so often in a window, on the shared database, so that many nodes count together. */
export function attemptLimiter(attempts: AttemptStore, { name, points, seconds }: Limit) {
  const { now } = attempts
  // A key over its limit is remembered here, so that a flood of requests does not become a flood of writes.
  const blocked = new Map<string, number>()
  const blockedFor = (key: string) => Math.max(0, Math.ceil(((blocked.get(key) ?? 0) - now().getTime()) / 1000))
  const block = (key: string, until: number) => {
    if (blocked.size >= mostRemembered) blocked.clear()
    blocked.set(key, until)
  }
  return {
    /** Seconds until a key that went over the limit may try again, as far as this process knows. */
    blockedFor,
    /** Counts one; the seconds to wait when it was one too many, else 0. A wider network has `factor` times the limit. */
    async fail(key: string, factor = 1): Promise<number> {
      if (blockedFor(key) > 0) return blockedFor(key)
      const wait = await attempts.count(`${name}:${key}`, { points: points * factor, seconds })
      if (wait > 0) block(key, now().getTime() + wait * 1000)
      return wait
    },
  }
}

/** The same for a client address: it counts for each of its networks, the narrowest first, until one is over its limit. */
export function networkLimiter(attempts: AttemptStore, limit: Limit) {
  const limiter = attemptLimiter(attempts, limit)
  // `about` is what an address is counted for, such as one app; without it everything counts together.
  const keysOf = (address: string, about: string) =>
    networksOf(address).map(({ name, factor }) => ({ key: about === '' ? name : `${name} ${about}`, factor }))
  return {
    /** Seconds until the customer's own network may try again, as far as this process knows, whatever its neighbours did. */
    blockedFor: (address: string, about = '') => limiter.blockedFor(keysOf(address, about)[0]?.key ?? ''),
    async fail(address: string, about = ''): Promise<number> {
      for (const { key, factor } of keysOf(address, about)) {
        const wait = await limiter.fail(key, factor)
        if (wait > 0) return wait
      }
      return 0
    },
  }
}
