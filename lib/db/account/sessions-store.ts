import type { SeenSession, SessionsStore } from '#lib/account/sessions/store'
import type { Prisma } from '#lib/db/engine/client'
import { queueEvent } from '#lib/db/events/queue-events'
import { endSessions, revokeAuthorizations } from '#lib/db/logout/end-access'

/** Lists and ends the sessions of a person; calls `queued` when logout tokens may be due. */
export const sessionsStore = (
  prisma: Prisma,
  idleDays: number,
  queued: () => void = () => undefined,
): SessionsStore => ({
  async list(personId, now) {
    const idleSince = new Date(now.getTime() - idleDays * 86_400_000)
    const rows = await prisma.session.findMany({
      where: { personId, endedAt: null, expiresAt: { gt: now }, lastSeenAt: { gt: idleSince } },
      orderBy: { lastSeenAt: 'desc' },
      take: 100,
    })
    return rows.map(toSeenSession)
  },
  async isOf(personId, publicId) {
    return (await prisma.session.count({ where: { personId, publicId } })) === 1
  },
  async end(personId, publicIds, now) {
    const count = await prisma.$transaction((tx) => endSessions(tx, { personId, publicId: { in: publicIds } }, now))
    queued()
    return count
  },
  async endOthers(personId, keepId, now) {
    const others = { personId, ...(keepId !== undefined && { id: { not: keepId } }) }
    const count = await prisma.$transaction(async (tx) => {
      await tx.person.updateMany({ where: { id: personId }, data: { knownVersion: { increment: 1 } } })
      return endSessions(tx, others, now)
    })
    queued()
    return count
  },
  async revokeApps(personId, now) {
    const apps = await prisma.$transaction(async (tx) => {
      const revoked = await revokeAuthorizations(tx, { personId }, now)
      await queueEvent(tx, { personId }, { type: 'access-withdrawn', claims: {} }, now)
      return revoked
    })
    queued()
    return apps.length
  },
})

type Row = Awaited<ReturnType<Prisma['session']['findUniqueOrThrow']>>

export const toSeenSession = ({ publicId, amr, createdAt, lastSeenAt, address, device }: Row): SeenSession => ({
  publicId,
  amr: amr.split(' '),
  createdAt,
  lastSeenAt,
  address,
  device,
})
