import type { Role } from '#lib/console/roles'
import type { TeamStore } from '#lib/console/team/store'
import type { Prisma } from '#lib/db/engine/client'
import { writeAct } from './act-store.ts'
import { rank } from './rank.ts'

type Invitations = Pick<TeamStore, 'listInvitations' | 'invite' | 'withdraw' | 'findInvitation' | 'join'>

/** Stores invitations to teams. */
export const invitationStore = (prisma: Prisma): Invitations => ({
  async listInvitations(teamId, now) {
    const open = { teamId, expiresAt: { gt: now } }
    const rows = await prisma.teamInvitation.findMany({ where: open, orderBy: { createdAt: 'asc' } })
    return rows.map(({ teamId: _, role, ...row }) => ({ ...row, role: role as Role }))
  },
  invite: (teamId, invitation, most, act) =>
    prisma.$transaction(async (tx) => {
      // Locks the team, so that concurrent invitations never exceed the limit.
      await tx.team.updateMany({ where: { id: teamId }, data: { updatedAt: act.at } })
      const open = await tx.teamInvitation.count({ where: { teamId, expiresAt: { gt: act.at } } })
      if (open >= most) return 'enough'
      await tx.teamInvitation.create({ data: { ...invitation, teamId } })
      await writeAct(tx, teamId, act)
      return 'invited'
    }),
  withdraw: (teamId, id, act) =>
    prisma.$transaction(async (tx) => {
      const row = await tx.teamInvitation.findUnique({ where: { id, teamId } })
      if (!row || (await tx.teamInvitation.deleteMany({ where: { id } })).count === 0) return false
      await writeAct(tx, teamId, { ...act, target: row.address, before: { role: row.role } })
      return true
    }),
  async findInvitation(id, now) {
    const row = await prisma.teamInvitation.findUnique({ where: { id }, include: { team: true } })
    return row && row.expiresAt > now ? asOpen(row) : undefined
  },
  join: (id, personId, act) =>
    prisma.$transaction(async (tx) => {
      const row = await tx.teamInvitation.findUnique({ where: { id }, include: { team: true } })
      // The deletion uses the invitation up: of concurrent calls, one deletes it.
      const used = await tx.teamInvitation.deleteMany({ where: { id, expiresAt: { gt: act.at } } })
      if (!row || used.count === 0) return undefined
      const [invited, key] = [asOpen(row), { teamId: row.teamId, personId }]
      const member = await tx.member.findUnique({ where: { teamId_personId: key } })
      const had = member?.role as Role | undefined
      if (had && rank[invited.role] <= rank[had]) return { ...invited, role: had }
      await tx.member.upsert({
        where: { teamId_personId: key },
        create: { ...key, role: invited.role, createdAt: act.at },
        update: { role: invited.role },
      })
      await writeAct(tx, row.teamId, { ...act, after: { role: invited.role } })
      return invited
    }),
})

type Row = { role: string; team: { id: string; name: string } }
const asOpen = ({ role, team: { id, name } }: Row) => ({ team: { id, name }, role: role as Role })
