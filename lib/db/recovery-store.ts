import type { RecoveryStore } from '#lib/account/recovery'
import type { Prisma } from './client.ts'
import { isGone } from './is-gone.ts'

/** New passwords for accounts that were got back into: all that lets somebody in ends with the old one. */
export const recoveryStore = (prisma: Prisma): RecoveryStore => ({
  async findRecovering(personId, now) {
    const row = await prisma.person.findUnique({ where: { id: personId } })
    if (!row || isGone(row, now)) return undefined
    const { username, email, locale, passwordHash } = row
    return { personId, username, email: email ?? undefined, locale, passwordHash: passwordHash ?? undefined }
  },
  resetPassword({ personId, before, hash, now, revoke }) {
    return prisma.$transaction(async (tx) => {
      const where = { id: personId, passwordHash: before ?? null, disabledAt: null }
      const data = { passwordHash: hash, knownVersion: { increment: 1 } }
      const { count } = await tx.person.updateMany({ where, data })
      if (count !== 1) return false
      await tx.session.updateMany({ where: { personId, endedAt: null }, data: { endedAt: now } })
      if (revoke) await tx.authorization.updateMany({ where: { personId, revokedAt: null }, data: { revokedAt: now } })
      return true
    })
  },
})
