import { RateLimiterPrisma, RateLimiterRes } from 'rate-limiter-flexible'
import type { Prisma } from './client.ts'

const longest = 60
const forgottenAfter = 3600

/** Failed sign-ins: ten are free, then each makes the next wait twice as long, up to a minute; never a lock. */
export function signInDelay(prisma: Prisma) {
  const options = { storeClient: prisma, tableName: 'attempt', clearExpiredByTimeout: false }
  const failures = new RateLimiterPrisma({
    ...options,
    keyPrefix: 'sign-in-failures',
    points: 1_000_000,
    duration: forgottenAfter,
  })
  const waits = new RateLimiterPrisma({ ...options, keyPrefix: 'sign-in-waits', points: 1, duration: longest })
  return {
    /** Seconds until the next try is looked at. */
    async waitFor(key: string): Promise<number> {
      const wait = await waits.get(key)
      return wait ? Math.ceil(wait.msBeforeNext / 1000) : 0
    },
    /** How many have failed under this key within the hour. */
    failed: async (key: string): Promise<number> => (await failures.get(key))?.consumedPoints ?? 0,
    /** Counts one, without making anybody wait. */
    count: async (key: string): Promise<void> => void (await failures.penalty(key)),
    /** Takes so many back, and ends a wait that they alone have brought about. */
    async forgive(key: string, failed: number, free = 10): Promise<void> {
      const { consumedPoints } = await failures.reward(key, failed)
      if (consumedPoints <= 0) await failures.delete(key)
      if (consumedPoints < free) await waits.delete(key)
    },
    /** Of tries at once, beyond the free ones, lets one through; the seconds the others wait. Good requests write nothing. */
    async claim(key: string, free = 10): Promise<number> {
      const failed = (await failures.get(key))?.consumedPoints ?? 0
      if (failed < free) return 0
      try {
        await waits.consume(key, 1, { customDuration: Math.min(longest, 2 ** (failed - free)) })
        return 0
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        return Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
      }
    },
    /** Counts one; the seconds to wait from now on, once more than `free` have failed. */
    async fail(key: string, free = 10): Promise<number> {
      const { consumedPoints } = await failures.penalty(key)
      if (consumedPoints <= free) return 0
      const wait = Math.min(longest, 2 ** (consumedPoints - free - 1))
      await waits.block(key, wait)
      return wait
    },
  }
}
