import type { Prisma } from '#lib/db/engine/client'
import type { Delivery, DeliveryStore } from '#lib/oauth/logout/deliver'
import type { LogoutClient } from '#lib/oauth/logout/logout-token'

/** Stores the queue of logout tokens. */
export const deliveryStore = (prisma: Prisma): DeliveryStore => {
  const known = ({ appId, sessionId, version }: Delivery) => ({ appId, sessionId, version })
  return {
    async findDueApps(now) {
      const due = await prisma.logoutDelivery.groupBy({ by: ['appId'], where: { nextAt: { lte: now } } })
      if (due.length === 0) return []
      const apps = await prisma.app.findMany({
        where: { id: { in: due.map(({ appId }) => appId) } },
        select: { id: true, teamId: true, profile: true, registration: true },
      })
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
    async remove(delivery) {
      return (await prisma.logoutDelivery.deleteMany({ where: known(delivery) })).count === 1
    },
    async retryAt(delivery, at) {
      const data = { version: delivery.version + 1, nextAt: at }
      await prisma.logoutDelivery.updateMany({ where: known(delivery), data })
    },
    async postpone(appId, now, at) {
      await prisma.logoutDelivery.updateMany({
        where: { appId, nextAt: { lte: now } },
        data: { version: { increment: 1 }, nextAt: at },
      })
    },
  }
}
