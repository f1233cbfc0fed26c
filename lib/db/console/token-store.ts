import type { Act } from '#lib/console/audit/act'
import type { Role } from '#lib/console/roles'
import type { TokenScope } from '#lib/console/tokens/scopes'
import type { Holder, RegistrationToken, TeamToken, TokenStore } from '#lib/console/tokens/store'
import type { Prisma } from '#lib/db/engine/client'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'
import type { ProfileName } from '#lib/oauth/client/profile'
import { writeAct } from './act-store.ts'
import { asTeam, type TeamRow } from './team-store.ts'

/** Stores the API tokens and the initial access tokens of teams. */
export const tokenStore = (prisma: Prisma): TokenStore => ({
  ...apiTokens(prisma),
  ...registrationTokens(prisma),
})

const apiTokens = (
  prisma: Prisma,
): Pick<TokenStore, 'listTokens' | 'addToken' | 'revokeToken' | 'findToken' | 'noteUse'> => ({
  async listTokens(teamId, now) {
    const rows = await prisma.teamToken.findMany({ where: live(teamId, now), include: maker, orderBy: newestFirst })
    return rows.map(asToken)
  },
  addToken: (teamId, { scopes, ...token }, most, act) =>
    prisma.$transaction(async (tx) => {
      await lockTeam(tx, teamId, act)
      if ((await tx.teamToken.count({ where: live(teamId, act.at) })) >= most) return 'enough'
      await tx.teamToken.create({ data: { ...token, teamId, scopes: scopes.join(' ') } })
      await writeAct(tx, teamId, act)
      return 'added'
    }),
  revokeToken: (teamId, id, act) =>
    prisma.$transaction(async (tx) => {
      const row = await tx.teamToken.findUnique({ where: { id, teamId } })
      if (!row || (await tx.teamToken.deleteMany({ where: { id } })).count === 0) return false
      await writeAct(tx, teamId, { ...act, target: row.name })
      return true
    }),
  async findToken(hash, now) {
    const row = await prisma.teamToken.findUnique({ where: { hash }, include: holder })
    return row && row.expiresAt > now ? heldBy(row, asToken(row), await roleOf(prisma, row)) : undefined
  },
  async noteUse({ id, lastUsedAt }, now) {
    const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000)
    if (lastUsedAt && lastUsedAt >= hour) return
    const before = { OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: hour } }] }
    await prisma.teamToken.updateMany({ where: { id, ...before }, data: { lastUsedAt: hour } })
  },
})

const registrationTokens = (
  prisma: Prisma,
): Pick<
  TokenStore,
  'listRegistrationTokens' | 'addRegistrationToken' | 'revokeRegistrationToken' | 'findRegistrationToken'
> => ({
  async listRegistrationTokens(teamId, now) {
    const where = { ...live(teamId, now), remaining: { gt: 0 } }
    const rows = await prisma.registrationToken.findMany({ where, include: maker, orderBy: newestFirst })
    return rows.map(asRegistrationToken)
  },
  addRegistrationToken: (teamId, token, most, act) =>
    prisma.$transaction(async (tx) => {
      await lockTeam(tx, teamId, act)
      const open = { ...live(teamId, act.at), remaining: { gt: 0 } }
      if ((await tx.registrationToken.count({ where: open })) >= most) return 'enough'
      await tx.registrationToken.create({ data: { ...token, teamId } })
      await writeAct(tx, teamId, act)
      return 'added'
    }),
  revokeRegistrationToken: (teamId, id, act) =>
    prisma.$transaction(async (tx) => {
      const row = await tx.registrationToken.findUnique({ where: { id, teamId } })
      if (!row || (await tx.registrationToken.deleteMany({ where: { id } })).count === 0) return false
      await writeAct(tx, teamId, { ...act, target: row.name })
      return true
    }),
  async findRegistrationToken(hash, now) {
    const row = await prisma.registrationToken.findUnique({ where: { hash }, include: holder })
    if (!row || row.expiresAt <= now || row.remaining === 0) return undefined
    return heldBy(row, asRegistrationToken(row), await roleOf(prisma, row))
  },
})

/** Locks the team, so that concurrent calls never exceed a limit. */
const lockTeam = (tx: Generated.TransactionClient, id: string, act: Act) =>
  tx.team.updateMany({ where: { id }, data: { updatedAt: act.at } })

const live = (teamId: string, now: Date) => ({ teamId, expiresAt: { gt: now } })
const newestFirst = { createdAt: 'desc' } as const
const maker = { person: { select: { username: true } } } as const
const holder = {
  person: {
    select: { id: true, username: true, locale: true, pageLanguage: true, disabledAt: true, deleteAfter: true },
  },
  team: { include: { _count: { select: { apps: true, members: true } } } },
} as const

type Made = { person: { username: string } }
type TokenRow = Omit<TeamToken, 'scopes' | 'maker'> & Made & { scopes: string }
const asToken = ({ id, name, scopes, createdAt, expiresAt, lastUsedAt, person }: TokenRow): TeamToken => ({
  ...{ id, name, createdAt, expiresAt, lastUsedAt },
  scopes: scopes.split(' ') as TokenScope[],
  maker: person.username,
})

type RegistrationRow = Omit<RegistrationToken, 'profile' | 'maker'> & Made & { profile: string }
const asRegistrationToken = (row: RegistrationRow): RegistrationToken => {
  const { id, name, profile, remaining, createdAt, expiresAt, person } = row
  return { id, name, profile: profile as ProfileName, remaining, createdAt, expiresAt, maker: person.username }
}

const roleOf = async (prisma: Prisma, { teamId, personId }: { teamId: string; personId: string }) =>
  (await prisma.member.findUnique({ where: { teamId_personId: { teamId, personId } } }))?.role as Role | undefined

type HolderRow = {
  person: Holder<unknown>['person'] & { disabledAt: Date | null; deleteAfter: Date | null }
  team: TeamRow
}

function heldBy<Token>({ person, team }: HolderRow, token: Token, role: Role | undefined): Holder<Token> | undefined {
  const { disabledAt, deleteAfter, ...holder } = person
  if (!role || disabledAt || deleteAfter) return undefined
  return { token, team: asTeam(role, team), person: holder }
}
