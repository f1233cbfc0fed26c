import type { Role } from '#lib/console/roles'
import type { TeamStore } from '#lib/console/team/store'
import type { Prisma } from '#lib/db/engine/client'
import { writeAct } from './act-store.ts'
import { rank } from './rank.ts'
import { activeOwner, findOwnedAlone } from './sole-owner.ts'

/** Stores the members of teams. */
export const memberStore = (
  prisma: Prisma,
): Pick<TeamStore, 'listMembers' | 'setRole' | 'addMember' | 'soleOwnerOf'> => ({
  async listMembers(teamId) {
    const rows = await prisma.member.findMany({
      where: { teamId },
      include: { person: { select: { username: true, name: true } } },
      orderBy: { createdAt: 'asc' },
    })
    return rows
      .map(({ personId, role, createdAt, person }) => ({ personId, ...person, role: role as Role, createdAt }))
      .toSorted((one, other) => rank[other.role] - rank[one.role])
  },
  setRole: (teamId, personId, role, act) =>
    prisma.$transaction(async (tx) => {
      // Locks the team, so that of two owners who step back at the same time one stays.
      await tx.team.updateMany({ where: { id: teamId }, data: { updatedAt: act.at } })
      const where = { teamId, personId }
      const before = await tx.member.findUnique({ where: { teamId_personId: where } })
      if (!before) return 'unknown'
      if (before.role === role) return 'changed'
      const otherOwners = { ...activeOwner, teamId, personId: { not: personId } }
      if (before.role === 'owner' && (await tx.member.count({ where: otherOwners })) === 0) return 'last owner'
      if (role) await tx.member.updateMany({ where, data: { role } })
      else {
        await tx.member.deleteMany({ where })
        // A member who returns later begins without tokens.
        await tx.teamToken.deleteMany({ where })
        await tx.registrationToken.deleteMany({ where })
      }
      await writeAct(tx, teamId, { ...act, before: { role: before.role }, after: role ? { role } : {} })
      return 'changed'
    }),
  addMember: (teamId, personId, role, act) =>
    prisma.$transaction(async (tx) => {
      const key = { teamId, personId }
      const before = await tx.member.findUnique({ where: { teamId_personId: key } })
      if (before) return false
      await tx.member.create({ data: { ...key, role, createdAt: act.at } })
      await writeAct(tx, teamId, { ...act, after: { role } })
      return true
    }),
  soleOwnerOf: (personId) => findOwnedAlone(prisma, personId),
})
