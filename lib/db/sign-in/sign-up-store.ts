import { raw } from '@prisma/client/runtime/client'
import { type Database, isUniqueConflict, type Prisma } from '#lib/db/engine/client'
import { queueCredentialChange } from '#lib/db/events/credential-change'
import type { Newcomer, SignUpStore } from '#lib/sign-in/sign-up/newcomer'

/** Creates people, and sets their passwords. */
export const signUpStore = ({ prisma }: Pick<Database, 'prisma'>): SignUpStore => ({
  create: (newcomer, now) => create(prisma, newcomer, now),
  findAlike: (skeleton) => findAlike(prisma, skeleton),
  async isInvited(hash, now) {
    return (await prisma.invitation.count({ where: openInvitation(hash, 'account', now) })) === 1
  },
  setPassword: (id, passwordHash, passwordSetAt) =>
    prisma.$transaction(async (tx) => {
      const change = (await tx.person.count({ where: { id, passwordHash: null } })) === 1 ? 'create' : 'update'
      const data = { passwordHash, passwordSetAt, knownVersion: { increment: 1 } }
      await tx.person.updateMany({ where: { id }, data })
      await queueCredentialChange(tx, id, { credential: 'password', change }, passwordSetAt)
    }),
  async findPassword(id) {
    const person = await prisma.person.findUnique({ where: { id }, select: { passwordHash: true } })
    return person?.passwordHash ?? undefined
  },
})

/** Matches an invitation that can be used. */
export const openInvitation = (hash: string, purpose: 'account' | 'team', now: Date) => ({
  hash,
  purpose,
  usedAt: null,
  expiresAt: { gt: now },
})

class Uninvited extends Error {}

async function create(prisma: Prisma, newcomer: Newcomer, now: Date): Promise<'created' | 'taken' | 'uninvited'> {
  const { id, username, locale, passwordHash = null, passkey, codes = [], invitation } = newcomer
  const profile = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale }
  const passwordSetAt = passwordHash === null ? null : now
  try {
    await prisma.$transaction(async (tx) => {
      if (invitation !== undefined) {
        const used = { where: openInvitation(invitation, 'account', now), data: { usedAt: now } }
        if ((await tx.invitation.updateMany(used)).count !== 1) throw new Uninvited()
      }
      await tx.person.create({
        data: { id, username, passwordHash, passwordSetAt, ...profile, profileUpdatedAt: now, createdAt: now },
      })
      if (passkey) {
        const { transports, ...rest } = passkey
        await tx.passkey.create({ data: { ...rest, personId: id, transports: transports.join(' '), createdAt: now } })
      }
      await tx.recoveryCode.createMany({ data: codes.map((code) => ({ personId: id, ...code, createdAt: now })) })
    })
    return 'created'
  } catch (fault) {
    if (fault instanceof Uninvited) return 'uninvited'
    if (isUniqueConflict(fault)) return 'taken'
    throw fault
  }
}

/**
 * Lists the usernames with this skeleton. The expression equals the function `skeleton` (a test compares them) and has an
 * index (migration look_alike_names).
 */
async function findAlike(prisma: Prisma, skeleton: string): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ username: string }[]>`
    SELECT username FROM "Person" WHERE ${raw(look)} = ${skeleton}`
  return rows.map(({ username }) => username)
}

export const look = `replace(replace(replace(replace(replace(replace(replace(
  username, 'rn', 'm'), 'vv', 'w'), '0', 'o'), '1', 'l'), 'i', 'l'), '.', '-'), '_', '-')`
