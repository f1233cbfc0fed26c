import type { Prisma } from '#lib/db/engine/client'
import type { Prisma as Sql } from '#lib/db/generated/sqlite/client'
import { endSessions } from '#lib/db/logout/end-access'

/** The times of a restore. Refresh tokens that are newer than their rows are accepted until `until`. */
export type Epoch = { id: string; backupAt: Date; restoredAt: Date; until: Date }

/** What a restore ended, in numbers. */
export type Ended = { sessions: number; codes: number; refreshTokensExtended: number }

const rows = 500

/**
 * Begins a restore epoch (decision 0057). Ends all sessions and all codes, and removes what is valid once or for minutes;
 * also what a server issues meanwhile. Runs in batches; running it again with the same id completes it.
 */
export async function beginEpoch(prisma: Prisma, { id, ...epoch }: Epoch): Promise<Ended> {
  await prisma.restore.upsert({ where: { id }, create: { id, ...epoch }, update: epoch })
  const sessions = await endAllSessions(prisma, epoch.restoredAt)
  // A code that expired before the backup is refused anyway.
  const codes = await inBatches((limit) =>
    prisma.authorization.updateMany({
      where: { codeSpentAt: null, revokedAt: null, codeExpiresAt: { gt: epoch.backupAt } },
      data: { revokedAt: epoch.restoredAt },
      limit,
    }),
  )
  // The lost refreshes have restarted the idle time of their tokens; how often is unknown.
  const refreshTokensExtended = await inBatches((limit) =>
    prisma.authorization.updateMany({
      where: { revokedAt: null, refreshIdleUntil: { gt: epoch.backupAt, lt: epoch.until } },
      data: { refreshIdleUntil: epoch.until },
      limit,
    }),
  )
  await prisma.$transaction((tx) => removeShortLived(tx, epoch.restoredAt))
  return { sessions, codes, refreshTokensExtended }
}

async function endAllSessions(prisma: Prisma, now: Date): Promise<number> {
  let sessions = 0
  for (;;) {
    const some = await prisma.session.findMany({ where: { endedAt: null }, select: { id: true }, take: rows })
    if (some.length === 0) return sessions
    const ids = some.map(({ id }) => id)
    sessions += await prisma.$transaction((tx) => endSessions(tx, { id: { in: ids } }, now))
  }
}

/**
 * Removes pushed requests, e-mail codes, trials and waiting removals of second factors. A person who asked for deletion may
 * have cancelled it after the backup, so the deletion waits for seven more days. Changes of addresses stay: an undo after the
 * backup is lost, and its link must work again.
 */
async function removeShortLived(tx: Sql.TransactionClient, now: Date): Promise<void> {
  await tx.pushedRequest.deleteMany()
  await tx.emailCode.deleteMany()
  await tx.appTrial.deleteMany()
  await tx.factorReset.deleteMany()
  const later = new Date(now.getTime() + 7 * 86_400_000)
  await tx.person.updateMany({ where: { deleteAfter: { not: null, lt: later } }, data: { deleteAfter: later } })
}

/** Repeats a limited UPDATE until it changes nothing; returns the number of changed rows. */
async function inBatches(update: (limit: number) => Promise<{ count: number }>): Promise<number> {
  let changed = 0
  for (;;) {
    const { count } = await update(rows)
    changed += count
    if (count === 0) return changed
  }
}
