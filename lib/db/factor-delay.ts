import { RateLimiterPrisma, RateLimiterRes } from 'rate-limiter-flexible'
import type { Prisma } from './client.ts'

const free = 5
const longest = 900
const forgottenAfter = 86_400

/** Tries at short secrets (six digits): five are free, then one at a time, each after a wait twice as long. */
export function factorDelay(prisma: Prisma) {
  const options = { storeClient: prisma, tableName: 'attempt', clearExpiredByTimeout: false }
  const tries = new RateLimiterPrisma({
    ...options,
    keyPrefix: 'factor-tries',
    points: 1_000_000,
    duration: forgottenAfter,
  })
  const slots = new RateLimiterPrisma({ ...options, keyPrefix: 'factor-slots', points: 1, duration: longest })
  return {
    /** Counts a try before it is looked at, so that many at once gain nothing; the seconds to wait, 0 for go. */
    async take(key: string): Promise<number> {
      const taken = await slots.get(key)
      if (taken && taken.remainingPoints <= 0) return seconds(taken)
      const { consumedPoints } = await tries.penalty(key)
      if (consumedPoints < free) return 0
      try {
        await slots.consume(key, 1, { customDuration: Math.min(longest, 2 ** (consumedPoints - free)) })
        return 0
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        return seconds(refused)
      }
    },
    /** The seconds until the next try is looked at. */
    async waitFor(key: string): Promise<number> {
      const taken = await slots.get(key)
      return taken && taken.remainingPoints <= 0 ? seconds(taken) : 0
    },
    async reset(key: string): Promise<void> {
      await Promise.all([tries.delete(key), slots.delete(key)])
    },
  }
}

const seconds = ({ msBeforeNext }: { msBeforeNext: number }) => Math.max(1, Math.ceil(msBeforeNext / 1000))
