import type { Act } from '#lib/console/audit/act'
import type { TeamDomain, TeamDomainStore } from '#lib/console/domain/team-domain'
import { writeAct } from '#lib/db/console/act-store'
import type { Prisma } from '#lib/db/engine/client'

/** Stores the domains of teams, with the proofs of ownership. */
export const teamDomainStore = (prisma: Prisma): TeamDomainStore => ({
  async list(teamId) {
    return (await prisma.teamDomain.findMany({ where: { teamId }, orderBy: { domain: 'asc' } })).map(read)
  },
  add: (domain, most, act) =>
    prisma.$transaction(async (tx) => {
      const { teamId } = domain
      // Locks the team, so that concurrent calls never exceed the limit.
      await tx.team.updateMany({ where: { id: teamId }, data: { updatedAt: act.at } })
      const known = await tx.teamDomain.findMany({ where: { teamId }, select: { domain: true } })
      if (known.some((one) => one.domain === domain.domain)) return 'known'
      if (known.length >= most) return 'enough'
      await tx.teamDomain.create({ data: nulled(domain) })
      await writeAct(tx, teamId, act)
      return 'added'
    }),
  remove: (teamId, domain, act) =>
    prisma.$transaction(async (tx) => {
      if ((await tx.teamDomain.deleteMany({ where: { teamId, domain } })).count === 0) return false
      await writeAct(tx, teamId, act)
      return true
    }),
  async listDue(now, take) {
    const where = { nextCheckAt: { lte: now } }
    return (await prisma.teamDomain.findMany({ where, orderBy: { nextCheckAt: 'asc' }, take })).map(read)
  },
  note: (domain, result, act) => prisma.$transaction((tx) => note(tx, domain, result, act)),
  async ownersOf(id, take) {
    const { name, members } = await prisma.team.findUniqueOrThrow({
      where: { id },
      select: {
        name: true,
        members: {
          where: { role: 'owner', person: { email: { not: null }, disabledAt: null, deleteAfter: null } },
          select: { person: { select: { username: true, email: true, locale: true } } },
          orderBy: { createdAt: 'asc' },
          take,
        },
      },
    })
    return {
      team: name,
      owners: members.flatMap(({ person: { email, ...one } }) => (email ? [{ ...one, email }] : [])),
    }
  },
})

type Transaction = Parameters<typeof writeAct>[0]
type Result = Parameters<TeamDomainStore['note']>[1]

/** The compare-and-set finds the row only in the state in which the check began. */
async function note(tx: Transaction, domain: TeamDomain, result: Result, act: Act | undefined): Promise<boolean> {
  const { teamId, proof, misses, verifiedAt = null, checkedAt = null } = domain
  const same = { teamId, domain: domain.domain, proof, misses, verifiedAt, checkedAt }
  const { count } = await tx.teamDomain.updateMany({ where: same, data: nulled(result) })
  if (count === 1 && act) await writeAct(tx, teamId, act)
  return count === 1
}

const nulled = <Times extends Pick<TeamDomain, 'checkedAt' | 'verifiedAt' | 'nextCheckAt'>>(one: Times) => ({
  ...one,
  checkedAt: one.checkedAt ?? null,
  verifiedAt: one.verifiedAt ?? null,
  nextCheckAt: one.nextCheckAt ?? null,
})

type Row = { [Field in keyof TeamDomain]: undefined extends TeamDomain[Field] ? Date | null : TeamDomain[Field] }

const read = (row: Row): TeamDomain => ({
  ...row,
  checkedAt: row.checkedAt ?? undefined,
  verifiedAt: row.verifiedAt ?? undefined,
  nextCheckAt: row.nextCheckAt ?? undefined,
})
