import type { Role } from '#lib/console/roles'
import type { TeamRecords } from '#lib/console/team/team-records'
import type { Prisma } from '#lib/db/engine/client'

/** Reads teams for the operator. */
export const teamRecords = (prisma: Prisma): TeamRecords => ({
  async list(now) {
    return (await prisma.team.findMany({ include: details(now), orderBy: { id: 'asc' } })).map(asRecord)
  },
  async find(id, now) {
    const row = await prisma.team.findUnique({ where: { id }, include: details(now) })
    return row ? asRecord(row) : undefined
  },
  async ids() {
    return (await prisma.team.findMany({ select: { id: true } })).map(({ id }) => id)
  },
})

const details = (now: Date) => ({
  members: {
    select: { role: true, person: { select: { username: true } } },
    orderBy: { person: { username: 'asc' as const } },
  },
  _count: { select: { apps: true, apis: true, invitations: { where: { expiresAt: { gt: now } } } } },
})

type Row = {
  id: string
  name: string
  createdAt: Date
  closedAt: Date | null
  members: { role: string; person: { username: string } }[]
  _count: { apps: number; apis: number; invitations: number }
}

const asRecord = ({ id, name, createdAt, closedAt, members, _count }: Row) => ({
  id,
  name,
  createdAt,
  closedAt,
  members: members.map(({ role, person }) => ({ username: person.username, role: role as Role })),
  ..._count,
})
