import type { Role } from '#lib/console/roles'
import type { OwnTeam, TeamStore } from '#lib/console/team/store'
import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'
import { openInvitation } from '#lib/db/sign-in/sign-up-store'
import type { ClientKind } from '#lib/oauth/client/profile'
import { skeletonOf } from '#lib/text/look-alike'
import { writeAct } from './act-store.ts'
import { invitationStore } from './invitation-store.ts'
import { memberStore } from './member-store.ts'

/** Stores teams and their members. */
export const teamStore = (prisma: Prisma): TeamStore => ({
  async listTeams(personId) {
    const rows = await prisma.member.findMany({
      where: { personId },
      include: { team: counted },
      orderBy: { team: { name: 'asc' } },
    })
    return rows.map(({ role, team }) => asTeam(role, team))
  },
  async findTeam(teamId, personId) {
    const where = { teamId_personId: { teamId, personId } }
    const row = await prisma.member.findUnique({ where, include: { team: counted } })
    return row ? asTeam(row.role, row.team) : undefined
  },
  async listApps(teamId, after, most, search = '') {
    const select = { id: true, name: true, kind: true, disabledAt: true }
    const rows = await prisma.app.findMany({
      where: { teamId, id: { gt: after } },
      select,
      orderBy: { id: 'asc' },
      // Filtered here, because the two databases fold capitals differently.
      take: search === '' ? most : mostSearched,
    })
    const wanted = folded(search)
    const found = rows.filter(({ id, name }) => folded(name).includes(wanted) || folded(id).includes(wanted))
    return found.slice(0, most).map(({ kind, disabledAt, ...row }) => ({
      ...row,
      kind: kind as ClientKind,
      isDisabled: disabledAt !== null,
    }))
  },
  async verifiedNames(skeletons, exceptTeamId) {
    const isVerified = { OR: [{ trusted: true }, { domains: { some: { verifiedAt: { not: null } } } }] }
    const where = { skeleton: { in: skeletons }, id: { not: exceptTeamId }, ...isVerified }
    return (await prisma.team.findMany({ where, select: { skeleton: true } })).flatMap(({ skeleton }) => skeleton ?? [])
  },
  create: (...given) => unlessTaken(() => create(prisma, ...given)),
  rename: ({ id, name, skeleton }, act) =>
    unlessTaken(() =>
      prisma.$transaction(async (tx) => {
        if (await isUsedUnmarked(tx, skeleton, id)) return 'lookalike' as const
        await tx.team.update({ where: { id }, data: { name, skeleton, updatedAt: act.at } })
        await writeAct(tx, id, act)
        return 'changed' as const
      }),
    ),
  ...memberStore(prisma),
  ...invitationStore(prisma),
})

/** Apps that a search reads; a team has at most 1,000, unless the operator registered more. */
const mostSearched = 5000

/** Returns a text as a search compares it: without the differences of capitals and of widths. */
const folded = (text: string) => text.normalize('NFKC').toLowerCase()

const counted = { include: { _count: { select: { apps: true, members: true } } } } as const

export type TeamRow = {
  id: string
  name: string
  createdAt: Date
  trusted: boolean
  closedAt: Date | null
  _count: { apps: number; members: number }
}

/** Returns a team with the role that its member has now: those of a closed team may only look, and leave. */
export const asTeam = (role: string, { id, name, createdAt, trusted, closedAt, _count }: TeamRow): OwnTeam => ({
  ...{ id, name, createdAt },
  isTrusted: trusted,
  isClosed: closedAt !== null,
  role: closedAt === null ? (role as Role) : 'viewer',
  ..._count,
})

class Uninvited extends Error {}

type Given = Parameters<TeamStore['create']>

async function create(prisma: Prisma, ...[{ id, name, skeleton }, owner, act, invitation]: Given) {
  const { personId, username, most } = owner
  const now = act.at
  try {
    return await prisma.$transaction(async (tx) => {
      // Locks the person, so that concurrent calls never exceed the limit.
      await tx.person.updateMany({ where: { id: personId }, data: { username } })
      if ((await tx.member.count({ where: { personId, role: 'owner' } })) >= most) return 'enough'
      if (await isUsedUnmarked(tx, skeleton, id)) return 'lookalike'
      if (invitation !== undefined) {
        const open = openInvitation(invitation, 'team', now)
        if ((await tx.invitation.updateMany({ where: open, data: { usedAt: now } })).count !== 1) throw new Uninvited()
      }
      await tx.team.create({ data: { id, name, skeleton, createdAt: now, updatedAt: now } })
      await tx.member.create({ data: { teamId: id, personId, role: 'owner', createdAt: now } })
      await writeAct(tx, id, act)
      return 'created'
    })
  } catch (fault) {
    if (fault instanceof Uninvited) return 'uninvited'
    throw fault
  }
}

/** Returns whether a team of the operator without a stored skeleton has a look-alike name (`lib/db/provision/`). */
async function isUsedUnmarked(tx: Generated.TransactionClient, skeleton: string, id: string): Promise<boolean> {
  const unmarked = await tx.team.findMany({ where: { skeleton: null, id: { not: id } }, select: { name: true } })
  return unmarked.some(({ name }) => skeletonOf(name) === skeleton)
}

/** The unique index on the skeleton finds look-alikes, also concurrent ones. */
async function unlessTaken<Result>(write: () => Promise<Result>): Promise<Result | 'lookalike'> {
  try {
    return await write()
  } catch (fault) {
    if (isUniqueConflict(fault)) return 'lookalike'
    throw fault
  }
}
