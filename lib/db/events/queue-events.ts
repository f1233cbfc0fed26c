import { randomUUID } from 'node:crypto'
import { empty, join, type Sql, sqltag as sql } from '@prisma/client/runtime/client'
import type { Prisma as Statement } from '#lib/db/generated/sqlite/client'
import type { EventData } from '#lib/oauth/events/event-types'

type Transaction = Statement.TransactionClient

/** Milliseconds during which the delivery of an event is retried. */
export const patience = 86_400_000
/** The number of rows in one statement; both databases limit the values of a statement. */
const most = 500

/** A person, and the one app that a change is about; all apps if it is absent. */
type About = { personId: string; appId?: string }

/**
 * Queues an event for the receiver of each app of which the person has a live authorization: its code was exchanged, it has
 * not expired, and it was not revoked before this change. Belongs after the change, in its transaction: an authorization that
 * the change itself has revoked still counts.
 */
export async function queueEvent(tx: Transaction, about: About, event: EventData, now: Date): Promise<void> {
  const receivers = await findReceivers(tx, about, isLive(about.personId, now))
  await insertEvents(
    tx,
    receivers.map((receiver) => ({ ...receiver, ...event })),
    now,
  )
}

/**
 * Queues an event for the receiver of each app that the person shares data with. Disabling or deleting an account has
 * revoked the authorizations, so that none is live when the account is enabled or erased.
 */
export async function queueForSharing(tx: Transaction, about: About, event: EventData, now: Date): Promise<void> {
  const receivers = await findReceivers(tx, about, isShared(about.personId))
  await insertEvents(
    tx,
    receivers.map((receiver) => ({ ...receiver, ...event })),
    now,
  )
}

/**
 * Queues an event for each ended session, and each app that received tokens in it. Belongs after the change, in its
 * transaction.
 */
export async function queueSessionEvents(tx: Transaction, sessionIds: string[], now: Date): Promise<void> {
  const ended = await tx.$queryRaw<{ appId: string; sub: string; sessionId: string }[]>`
    SELECT DISTINCT one."appId", one.sub, one."sessionId"
    FROM "Authorization" one JOIN "EventReceiver" receiver ON receiver."appId" = one."appId"
    WHERE one."sessionId" IN (${join(sessionIds)}) AND ${isUsable(now)}`
  const type = 'session-revoked' as const
  const events = ended.map(({ sessionId, ...receiver }) => ({ ...receiver, type, claims: { sessionId } }))
  await insertEvents(tx, events, now)
}

/** Queues the event that a team asks for to test its receiver (SSF 1.0 §8.1.4). */
export const queueVerification = (tx: Transaction, appId: string, now: Date): Promise<void> =>
  insertEvents(tx, [{ appId, sub: '', type: 'verification', claims: {} }], now)

type Receiver = { appId: string; sub: string }

/** Reads one index entry of each team that the person has an identifier for. */
const findReceivers = (tx: Transaction, { personId, appId }: About, condition: Sql): Promise<Receiver[]> =>
  tx.$queryRaw<Receiver[]>`
    SELECT receiver."appId", subject.sub
    FROM "Subject" subject JOIN "EventReceiver" receiver ON receiver."teamId" = subject."teamId"
    WHERE subject."personId" = ${personId} AND ${condition}
    ${appId === undefined ? empty : sql`AND receiver."appId" = ${appId}`}`

const isLive = (personId: string, now: Date) => sql`EXISTS (
  SELECT 1 FROM "Authorization" one
  WHERE one."personId" = ${personId} AND one."appId" = receiver."appId" AND ${isUsable(now)})`

const isUsable = (now: Date) => sql`one."codeSpentAt" IS NOT NULL AND one."keepUntil" > ${now}
  AND (one."revokedAt" IS NULL OR one."revokedAt" = ${now})`

const isShared = (personId: string) => sql`EXISTS (
  SELECT 1 FROM "Consent" consent WHERE consent."personId" = ${personId} AND consent."appId" = receiver."appId")`

async function insertEvents(tx: Transaction, events: (Receiver & EventData)[], now: Date): Promise<void> {
  const times = { nextAt: now, until: new Date(now.getTime() + patience), createdAt: now }
  const rows = events.map(({ claims, ...event }) => ({
    ...{ id: randomUUID(), ...event, claims: JSON.stringify(claims) },
    ...{ state: 'waiting', version: 0, attempts: 0, ...times },
  }))
  for (let first = 0; first < rows.length; first += most)
    await tx.securityEvent.createMany({ data: rows.slice(first, first + most) })
}
