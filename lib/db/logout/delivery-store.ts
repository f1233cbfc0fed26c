import { sqltag as sql } from '@prisma/client/runtime/client'
import type { Prisma } from '#lib/db/engine/client'
import type { LogoutClient } from '#lib/oauth/logout/logout-token'
import type { LogoutDelivery, LogoutStore } from '#lib/oauth/logout/send-logout-token'

/** Stores the queue of logout tokens. */
export const deliveryStore = (prisma: Prisma): LogoutStore => {
  const known = ({ appId, sessionId, version }: LogoutDelivery) => ({ appId, sessionId, version })
  return {
    async findDueTargets(now) {
      const apps = await prisma.$queryRaw<AppRow[]>(dueApps(now))
      return apps.map(({ profile, registration, ...app }) => ({
        ...app,
        profile: profile as LogoutClient['profile'],
        registration: JSON.parse(registration),
      }))
    },
    async findDue(appId, now, take) {
      const where = { appId, nextAt: { lte: now } }
      const rows = await prisma.logoutDelivery.findMany({ where, orderBy: { nextAt: 'asc' }, take })
      return rows.map(({ sub, nextAt: _, ...row }) => ({ ...row, subject: sub }))
    },
    async claim(delivery, until) {
      const { version, attempts } = delivery
      const claimed = { version: version + 1, attempts: attempts + 1 }
      const { count } = await prisma.logoutDelivery.updateMany({
        where: known(delivery),
        data: { ...claimed, nextAt: until },
      })
      return count === 1 ? { ...delivery, ...claimed } : undefined
    },
    async settle(delivery) {
      return (await prisma.logoutDelivery.deleteMany({ where: known(delivery) })).count === 1
    },
    async retryAt(delivery, at) {
      const data = { version: delivery.version + 1, nextAt: at }
      await prisma.logoutDelivery.updateMany({ where: known(delivery), data })
    },
    async giveUp(now, most) {
      const rows = await prisma.$queryRaw<{ appId: string; attempts: number }[]>(removeOverdue(now, most))
      return [...Map.groupBy(rows, ({ appId }) => appId)].map(([appId, removed]) => ({
        appId,
        count: removed.length,
        attempts: Math.max(...removed.map(({ attempts }) => attempts)),
      }))
    },
  }
}

type AppRow = { id: string; teamId: string; profile: string; registration: string }

/**
 * Finds the apps with due deliveries. The recursion goes from one app in the queue to the next, and reads one index entry
 * for each of them, however long the queue is.
 */
const dueApps = (now: Date) => sql`
  WITH RECURSIVE queued("appId") AS (
    SELECT min("appId") FROM "LogoutDelivery"
    UNION ALL
    SELECT (SELECT min(later."appId") FROM "LogoutDelivery" later WHERE later."appId" > queued."appId")
    FROM queued WHERE queued."appId" IS NOT NULL
  )
  SELECT app.id, app."teamId", app.profile, app.registration FROM queued JOIN "App" app ON app.id = queued."appId"
  WHERE (SELECT min(one."nextAt") FROM "LogoutDelivery" one WHERE one."appId" = queued."appId") <= ${now}`

/**
 * Removes overdue deliveries. A leased one has its next attempt in the future. The outer condition keeps a delivery that
 * was leased or queued again after the inner query read it.
 */
const removeOverdue = (now: Date, most: number) => sql`
  DELETE FROM "LogoutDelivery" WHERE until < ${now} AND "nextAt" <= ${now} AND ("appId", "sessionId") IN (
    SELECT "appId", "sessionId" FROM "LogoutDelivery" WHERE until < ${now} AND "nextAt" <= ${now}
    ORDER BY until LIMIT ${most})
  RETURNING "appId", attempts`
