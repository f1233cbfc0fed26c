import type { UsageStore } from '#lib/console/usage/store'
import type { Prisma } from '#lib/db/engine/client'

/** Reads the counts of apps. */
export const usageStore = (prisma: Prisma): UsageStore => ({
  read: (appId, since) =>
    prisma.appUsage.findMany({
      where: { appId, day: { gte: since } },
      select: { day: true, what: true, count: true },
      orderBy: [{ day: 'asc' }, { what: 'asc' }],
    }),
})
