import { sqltag as sql } from '@prisma/client/runtime/client'
import type { Prisma } from '#lib/db/engine/client'
import type { EventType } from '#lib/oauth/events/event-types'
import type { EventDelivery, EventDeliveryStore, EventTarget } from '#lib/oauth/events/send-security-event'

/** Stores the queue of security events. */
export const eventDeliveryStore = (prisma: Prisma): EventDeliveryStore => {
  const known = ({ id, version }: EventDelivery) => ({ id, version, state: 'waiting' })
  return {
    async findDueTargets(now) {
      const rows = await prisma.$queryRaw<TargetRow[]>(dueTargets(now))
      return rows.map(({ profile, registration, ...target }) => ({
        ...target,
        profile: profile as EventTarget['profile'],
        registration: JSON.parse(registration),
      }))
    },
    async findDue(appId, now, take) {
      const where = { state: 'waiting', appId, nextAt: { lte: now } }
      const rows = await prisma.securityEvent.findMany({ where, orderBy: { nextAt: 'asc' }, take })
      return rows.map(({ id, type, sub, claims, version, attempts, until, createdAt }) => ({
        ...{ id, appId, sub, version, attempts, until, createdAt },
        type: type as EventType,
        claims: JSON.parse(claims),
      }))
    },
    async claim(event, until) {
      const { version, attempts } = event
      const claimed = { version: version + 1, attempts: attempts + 1 }
      const { count } = await prisma.securityEvent.updateMany({
        where: known(event),
        data: { ...claimed, nextAt: until },
      })
      return count === 1 ? { ...event, ...claimed } : undefined
    },
    async settle(event, { outcome, reason, at }) {
      const data = { state: outcome, refusal: reason, triedAt: at, version: event.version + 1 }
      return (await prisma.securityEvent.updateMany({ where: known(event), data })).count === 1
    },
    async retryAt(event, nextAt, { reason, at }) {
      const data = { nextAt, refusal: reason, triedAt: at, version: event.version + 1 }
      await prisma.securityEvent.updateMany({ where: known(event), data })
    },
    async giveUp(now, most) {
      const rows = await prisma.$queryRaw<{ appId: string; attempts: number }[]>(endOverdue(now, most))
      return [...Map.groupBy(rows, ({ appId }) => appId)].map(([appId, ended]) => ({
        appId,
        count: ended.length,
        attempts: Math.max(...ended.map(({ attempts }) => attempts)),
      }))
    },
  }
}

type TargetRow = {
  id: string
  teamId: string
  profile: string
  registration: string
  address: string
  sealedAuthorization: string
}

/**
 * Finds the apps with due events. The recursion goes from one app in the queue to the next, and reads one index entry for
 * each of them, however long the queue is.
 */
const dueTargets = (now: Date) => sql`
  WITH RECURSIVE queued("appId") AS (
    SELECT min("appId") FROM "SecurityEvent" WHERE state = 'waiting'
    UNION ALL
    SELECT (SELECT min(later."appId") FROM "SecurityEvent" later
      WHERE later.state = 'waiting' AND later."appId" > queued."appId")
    FROM queued WHERE queued."appId" IS NOT NULL
  )
  SELECT app.id, app."teamId", app.profile, app.registration, receiver.address, receiver."sealedAuthorization"
  FROM queued JOIN "EventReceiver" receiver ON receiver."appId" = queued."appId" JOIN "App" app ON app.id = queued."appId"
  WHERE receiver."pausedAt" IS NULL AND (SELECT min(one."nextAt") FROM "SecurityEvent" one
    WHERE one.state = 'waiting' AND one."appId" = queued."appId") <= ${now}`

/**
 * Ends overdue events. A leased one has its next attempt in the future. The outer condition keeps an event that was leased
 * or queued again after the inner query read it.
 */
const endOverdue = (now: Date, most: number) => sql`
  UPDATE "SecurityEvent" SET state = 'given_up', version = version + 1
  WHERE state = 'waiting' AND until < ${now} AND "nextAt" <= ${now} AND id IN (
    SELECT id FROM "SecurityEvent" WHERE state = 'waiting' AND until < ${now} AND "nextAt" <= ${now}
    ORDER BY until LIMIT ${most})
  RETURNING "appId", attempts`
