import { RateLimiterPrisma, RateLimiterRes } from 'rate-limiter-flexible'
import type { Prisma } from './client.ts'

export type Limit = { name: string; points: number; seconds: number }

const mostRemembered = 10_000

/** Counts failures on the shared database, so that many nodes count together; good requests never come here. */
export function attemptLimiter(prisma: Prisma, { name, points, seconds }: Limit, now: () => number = Date.now) {
  const limiter = new RateLimiterPrisma({
    storeClient: prisma,
    tableName: 'attempt',
    keyPrefix: name,
    points,
    duration: seconds,
    clearExpiredByTimeout: false,
  })
  // What went over the limit is remembered here, so that a flood of failures does not become one of writes.
  const blocked = new Map<string, number>()
  const blockedFor = (key: string) => Math.max(0, Math.ceil(((blocked.get(key) ?? 0) - now()) / 1000))
  const block = (key: string, until: number) => {
    if (blocked.size >= mostRemembered) blocked.clear()
    blocked.set(key, until)
  }
  return {
    /** Seconds until a key that went over the limit may try again. */
    blockedFor,
    /** Counts one; the seconds to wait when it was one too many, else 0. */
    async fail(key: string): Promise<number> {
      if (blockedFor(key) > 0) return blockedFor(key)
      try {
        await limiter.consume(key)
        return 0
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        block(key, now() + Math.max(1000, refused.msBeforeNext))
        return blockedFor(key)
      }
    },
  }
}
