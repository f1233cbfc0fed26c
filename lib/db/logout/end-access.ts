import { join, sqltag as sql } from '@prisma/client/runtime/client'
import { queueSessionEvents } from '#lib/db/events/queue-events'
import type { Prisma as Statement } from '#lib/db/generated/sqlite/client'

type Transaction = Statement.TransactionClient

/**
 * Ends the sessions that match, and returns their number. In the same transaction, it revokes the approvals that end
 * with them: those whose consent is asked at each sign-in, and codes that were not exchanged. Every app that received
 * an ID token in one of the sessions gets a logout token (Back-Channel Logout 1.0 §2.3, §2.7), and the security event
 * session-revoked if its team registered a receiver.
 */
export async function endSessions(tx: Transaction, where: Statement.SessionWhereInput, now: Date): Promise<number> {
  const ended = await tx.session.updateManyAndReturn({
    where: { ...where, endedAt: null },
    data: { endedAt: now },
    select: { id: true, firstId: true },
  })
  const ids = [...new Set(ended.map(({ id, firstId }) => firstId ?? id))]
  const approvals: Approval[][] = []
  for (let first = 0; first < ids.length; first += most) {
    const some = ids.slice(first, first + most)
    const sessionId = { in: some }
    const unspent = { codeSpentAt: null, codeExpiresAt: { gt: aMinuteBefore(now) } }
    // Revokes before it reads, so that a concurrent code exchange either fails or is found by the read.
    await tx.authorization.updateMany({
      where: { sessionId, revokedAt: null, OR: [{ endsWithSession: true }, unspent] },
      data: { revokedAt: now },
    })
    const exchanged = { sessionId, codeSpentAt: { not: null }, app: hasLogoutUri }
    approvals.push(await tx.authorization.findMany({ where: exchanged, select: approval }))
    await queueSessionEvents(tx, some, now)
  }
  await queueLogouts(tx, approvals.flat(), now)
  return ended.length
}

/** Codes that expired before need no write. The clock of another node may be behind by less than a minute. */
const aMinuteBefore = (now: Date) => new Date(now.getTime() - 60_000)

/**
 * Revokes the authorizations that match, queues logout tokens for their sessions, and returns the ids of their apps.
 */
export async function revokeAuthorizations(
  tx: Transaction,
  where: Statement.AuthorizationWhereInput,
  now: Date,
): Promise<string[]> {
  const revoked = await tx.authorization.updateManyAndReturn({
    where: { ...where, revokedAt: null },
    data: { revokedAt: now },
    select: { ...approval, codeSpentAt: true },
  })
  const ids = [...new Set(revoked.map(({ appId }) => appId))]
  if (ids.length === 0) return []
  const apps = await tx.app.findMany({ where: { id: { in: ids }, ...hasLogoutUri }, select: { id: true } })
  const receivers = new Set(apps.map(({ id }) => id))
  await queueLogouts(
    tx,
    revoked.filter(({ appId, codeSpentAt }) => codeSpentAt && receivers.has(appId)),
    now,
  )
  return ids
}

const approval = { appId: true, sessionId: true, sub: true } as const
type Approval = { appId: string; sessionId: string; sub: string }

/**
 * Matches apps whose `backchannel_logout_uri` is present and not empty. The column is JSON that Postern wrote, so it
 * has no spaces between name and value.
 */
const hasLogoutUri = {
  registration: { contains: '"backchannel_logout_uri":"' },
  NOT: { registration: { contains: '"backchannel_logout_uri":""' } },
} as const

/** Milliseconds during which the delivery of a logout token is retried. */
const patience = 86_400_000
/** The number of rows or values in one statement; both databases limit the values of a statement. */
const most = 500

/**
 * Queues one delivery for each app and session, due at once. A delivery that is already queued starts again from its
 * first attempt.
 */
async function queueLogouts(tx: Transaction, approvals: Approval[], now: Date): Promise<void> {
  const distinct = new Map(approvals.map((one) => [`${one.appId} ${one.sessionId}`, one]))
  // Sorts the rows, because concurrent transactions that lock rows in different orders would deadlock.
  const rows = [...distinct].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  const until = new Date(now.getTime() + patience)
  for (let first = 0; first < rows.length; first += most) {
    const values = rows
      .slice(first, first + most)
      .map(({ appId, sessionId, sub }) => sql`(${appId}, ${sessionId}, ${sub}, 0, 0, ${now}, ${until}, ${now})`)
    await tx.$executeRaw`INSERT INTO "LogoutDelivery"
      ("appId", "sessionId", sub, version, attempts, "nextAt", until, "createdAt") VALUES ${join(values)}
      ON CONFLICT ("appId", "sessionId") DO UPDATE SET version = "LogoutDelivery".version + 1, attempts = 0,
      "nextAt" = excluded."nextAt", until = excluded.until`
  }
}
