import type { AttemptStore } from '#lib/account/throttle/attempt'
import { networksOf } from '#lib/text/network'

export type Limit = { name: string; points: number; seconds: number }

const mostRemembered = 10_000

/** Limits how often a key may fail in a window. The count is in the shared database, so that all nodes count together. */
export function attemptLimiter(attempts: AttemptStore, { name, points, seconds }: Limit) {
  const { now } = attempts
  // Keys over their limit are cached, so that a flood of requests does not become a flood of writes.
  const blocked = new Map<string, number>()
  const blockedFor = (key: string) => Math.max(0, Math.ceil(((blocked.get(key) ?? 0) - now().getTime()) / 1000))
  const block = (key: string, until: number) => {
    if (blocked.size >= mostRemembered) blocked.clear()
    blocked.set(key, until)
  }
  return {
    /** Returns the seconds until a key over its limit may try again, as far as this process knows. */
    blockedFor,
    /** Counts one; returns the seconds to wait if the key is over its limit, else 0. A wider network has `factor` times the limit. */
    async fail(key: string, factor = 1): Promise<number> {
      if (blockedFor(key) > 0) return blockedFor(key)
      const wait = await attempts.count(`${name}:${key}`, { points: points * factor, seconds })
      if (wait > 0) block(key, now().getTime() + wait * 1000)
      return wait
    },
  }
}

/** Limits client addresses: an address counts for each of its networks, the narrowest first, until one is over its limit. */
export function networkLimiter(attempts: AttemptStore, limit: Limit) {
  const limiter = attemptLimiter(attempts, limit)
  // `about` gives an address separate counts, such as one for each app.
  const keysOf = (address: string, about: string) =>
    networksOf(address).map(({ name, factor }) => ({ key: about === '' ? name : `${name} ${about}`, factor }))
  return {
    /** Returns the seconds until the narrowest network may try again, as far as this process knows; wider ones do not count. */
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
