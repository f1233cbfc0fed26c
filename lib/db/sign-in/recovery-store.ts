import { toSeenSession } from '#lib/db/account/sessions-store'
import type { Prisma } from '#lib/db/engine/client'
import { queueCredentialChange } from '#lib/db/events/credential-change'
import { queueEvent } from '#lib/db/events/queue-events'
import type { Prisma as Sql } from '#lib/db/generated/sqlite/client'
import { endSessions, revokeAuthorizations } from '#lib/db/logout/end-access'
import type { RecoveredBy, RecoveryStore } from '#lib/sign-in/recovery/store'
import { isGone } from './sign-in-statements.ts'

/** Resets the passwords of recovered accounts. */
export function recoveryStore(prisma: Prisma, idleDays: number, queued: () => void = () => undefined): RecoveryStore {
  /** Matches sessions that were valid at that time: neither expired nor idle for too long. */
  const livingAt = (at: Date, which: { personId: string; endedAt: Date | null }) => ({
    ...which,
    expiresAt: { gt: at },
    lastSeenAt: { gt: new Date(at.getTime() - idleDays * 86_400_000) },
  })
  return {
    async findRecovering(personId, now) {
      const row = await prisma.person.findUnique({ where: { id: personId } })
      if (!row || isGone(row, now)) return undefined
      const { username, email, locale, passwordHash } = row
      return { personId, username, email: email ?? undefined, locale, passwordHash: passwordHash ?? undefined }
    },
    async resetPassword({ personId, before, hash, now, secondFactor, signOut, revoke, removesSecondFactor }) {
      const ended = await prisma.$transaction(async (tx) => {
        const unproven = secondFactor || removesSecondFactor ? {} : { totp: { is: null } }
        const where = { id: personId, passwordHash: before ?? null, disabledAt: null, ...unproven }
        const data = { passwordHash: hash, passwordSetAt: now, knownVersion: { increment: 1 } }
        if ((await tx.person.updateMany({ where, data })).count !== 1) return undefined
        await tx.emailCode.updateMany({ where: { personId }, data: { hash: '' } })
        const sessions = signOut ? await tx.session.count({ where: livingAt(now, { personId, endedAt: null }) }) : 0
        if (signOut) await endSessions(tx, { personId }, now)
        const apps = revoke ? await revokeAuthorizations(tx, { personId }, now) : []
        if (revoke) await queueEvent(tx, { personId }, { type: 'access-withdrawn', claims: {} }, now)
        const change = before === undefined ? 'create' : 'update'
        await queueCredentialChange(tx, personId, { credential: 'password', change }, now)
        const gone = removesSecondFactor === true && (await removeSecondFactor(tx, personId, now))
        return { sessions, apps: apps.length, secondFactor: gone }
      })
      queued()
      return ended
    },
    async provenBefore(personId, by, before) {
      const [person, activity, codes] = await Promise.all([
        prisma.person.findUnique({ where: { id: personId }, select: { createdAt: true } }),
        prisma.activity.findFirst({ where: { personId, at: { lt: before }, OR: proofs[by] }, orderBy: { at: 'desc' } }),
        by === 'code' ? prisma.recoveryCode.findFirst({ where: { personId, createdAt: { lte: before } } }) : undefined,
      ])
      const times = [person?.createdAt, activity?.at, codes?.createdAt].filter((time) => time instanceof Date)
      return new Date(Math.max(...times.map((time) => time.getTime())))
    },
    async endedAt(personId, at) {
      const where = livingAt(at, { personId, endedAt: at })
      const rows = await prisma.session.findMany({ where, orderBy: { lastSeenAt: 'desc' }, take: 100 })
      return rows.map(toSeenSession)
    },
  }
}

/** Removes the authenticator app and its recovery codes; returns false if there was neither. */
export async function removeSecondFactor(tx: Sql.TransactionClient, personId: string, now: Date): Promise<boolean> {
  const totp = await tx.totp.deleteMany({ where: { personId } })
  const codes = await tx.recoveryCode.deleteMany({ where: { personId } })
  if (totp.count > 0) await queueCredentialChange(tx, personId, { credential: 'app', change: 'delete' }, now)
  if (codes.count > 0)
    await queueCredentialChange(tx, personId, { credential: 'recovery-codes', change: 'delete' }, now)
  return totp.count + codes.count > 0
}

/** The activity entries that record when a proof was set up or last used for recovery. */
const proofs: Record<Exclude<RecoveredBy, 'operator'>, { kind: string; detail?: { contains: string } }[]> = {
  letter: [
    { kind: 'email_bound' },
    { kind: 'email_changed' },
    { kind: 'recovered', detail: { contains: '"by":"letter"' } },
  ],
  code: [{ kind: 'recovered', detail: { contains: '"by":"code"' } }],
}
