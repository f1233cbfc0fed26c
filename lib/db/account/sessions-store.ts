import type { SeenSession, SessionsStore } from '#lib/account/sessions/store'
import type { Prisma } from '#lib/db/engine/client'

/** Lists and ends the sessions of a person. */
export const sessionsStore = (prisma: Prisma, idleDays: number): SessionsStore => ({
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
  async end(personId, publicId, now) {
    const ended = { where: { personId, publicId, endedAt: null }, data: { endedAt: now } }
    return (await prisma.session.updateMany(ended)).count === 1
  },
  async endOthers(personId, keepId, now) {
    const others = { personId, endedAt: null, ...(keepId !== undefined && { id: { not: keepId } }) }
    const [, { count }] = await prisma.$transaction([
      prisma.person.updateMany({ where: { id: personId }, data: { knownVersion: { increment: 1 } } }),
      prisma.session.updateMany({ where: others, data: { endedAt: now } }),
    ])
    return count
  },
  async revokeApps(personId, now) {
    const granted = { personId, revokedAt: null }
    return prisma.$transaction(async (tx) => {
      const apps = await tx.authorization.groupBy({ by: ['appId'], where: granted })
      await tx.authorization.updateMany({ where: granted, data: { revokedAt: now } })
      return apps.length
    })
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
