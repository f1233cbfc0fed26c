import { randomUUID } from 'node:crypto'
import { join, sqltag as sql } from '@prisma/client/runtime/client'
import type { SettlingStore, Unsettled } from '#lib/console/transfer/store'
import type { Prisma } from '#lib/db/engine/client'
import type { Prisma as Sql } from '#lib/db/generated/sqlite/client'

type Transaction = Sql.TransactionClient

/** Ends the authorizations of apps that changed teams, in batches. */
export const settlingStore = (prisma: Prisma, newSubject: () => string): SettlingStore => ({
  async findUnsettled(acceptedBefore, take) {
    const where = { acceptedAt: { lte: acceptedBefore }, settledAt: null }
    const rows = await prisma.appTransfer.findMany({ where, orderBy: { acceptedAt: 'asc' }, take })
    return rows.map(({ acceptedAt, ...row }) => ({ ...row, acceptedAt: acceptedAt ?? acceptedBefore }))
  },
  settleSome: (transfer, now, rows) =>
    prisma.$transaction(async (tx) => {
      const people = await nextPeople(tx, transfer, rows)
      if (!people) return false
      if (people.length > 0) {
        await settlePeople(tx, transfer, { people, now, newSubject })
        return true
      }
      return (await removeRest(tx, transfer, rows)) || finish(tx, transfer, now)
    }),
})

type SettlingPerson = { personId: string; sub: string }
type Batch = { people: SettlingPerson[]; now: Date; newSubject: () => string }

/**
 * Returns the next people with an identifier for the giving team, and moves the cursor of the transfer past them. Returns
 * undefined if the app is deleted by now, or if another process has moved the cursor.
 */
async function nextPeople(tx: Transaction, { id, fromTeamId }: Unsettled, take: number) {
  const cursor = (await tx.appTransfer.findUnique({ where: { id, settledAt: null } }))?.cursor
  if (cursor === undefined) return undefined
  const people: SettlingPerson[] = await tx.subject.findMany({
    where: { teamId: fromTeamId, personId: { gt: cursor } },
    orderBy: { personId: 'asc' },
    take,
  })
  const last = people.at(-1)?.personId
  if (last === undefined) return []
  const { count } = await tx.appTransfer.updateMany({ where: { id, cursor, settledAt: null }, data: { cursor: last } })
  return count === 1 ? people : undefined
}

/**
 * Ends the authorizations of people, deletes their consents, maps their identifiers and tells them. A person who never
 * authorized the app is left alone.
 */
async function settlePeople(tx: Transaction, transfer: Unsettled, { people, now, newSubject }: Batch): Promise<void> {
  const { id: transferId, appId, toTeamId, expiresAt: until } = transfer
  const known = await whoAuthorized(tx, transfer, people)
  if (known.length === 0) return
  const personId = { in: known.map((person) => person.personId) }
  await tx.authorization.updateMany({ where: { appId, personId, revokedAt: null }, data: { revokedAt: now } })
  await tx.consent.deleteMany({ where: { appId, personId } })
  const values = known.map((person) => sql`(${person.personId}, ${toTeamId}, ${newSubject()}, ${now})`)
  await tx.$executeRaw`INSERT INTO "Subject" ("personId", "teamId", sub, "createdAt") VALUES ${join(values)}
    ON CONFLICT ("personId", "teamId") DO NOTHING`
  const subjects = await tx.subject.findMany({ where: { teamId: toTeamId, personId } })
  const newSubs = new Map(subjects.map((subject) => [subject.personId, subject.sub]))
  const moved = known.flatMap(({ sub: oldSub, ...person }) => {
    const newSub = newSubs.get(person.personId)
    return newSub === undefined ? [] : [{ transferId, personId: person.personId, oldSub, newSub, until }]
  })
  await tx.movedSubject.createMany({ data: moved })
  const event = { at: now, kind: 'app_moved', detail: await detailOf(tx, transfer), address: '', device: '' }
  await tx.activity.createMany({ data: moved.map((one) => ({ id: randomUUID(), personId: one.personId, ...event })) })
}

/**
 * Returns the people who authorized the app for the giving team: with a consent, with an authorization that has the
 * identifier of this team, or with a relay address that was made since the app came to this team.
 */
async function whoAuthorized(tx: Transaction, { id, appId }: Unsettled, people: SettlingPerson[]) {
  const own = { appId, personId: { in: people.map(({ personId }) => personId) } }
  const consents = await tx.consent.findMany({ where: own, select: { personId: true } })
  const approvals = await tx.authorization.groupBy({ by: ['personId', 'sub'], where: own })
  const { since } = await tx.appTransfer.findUniqueOrThrow({ where: { id }, select: { since: true } })
  const aliases = await tx.alias.findMany({
    where: { ...own, ...(since && { createdAt: { gt: since } }) },
    select: { personId: true },
  })
  const [byConsent, byAddress] = [consents, aliases].map((rows) => new Set(rows.map(({ personId }) => personId)))
  const bySub = new Set(approvals.map(({ personId, sub }) => `${personId} ${sub}`))
  return people.filter(
    ({ personId, sub }) => byConsent?.has(personId) || byAddress?.has(personId) || bySub.has(`${personId} ${sub}`),
  )
}

/** Returns the names for the activity of a person. */
async function detailOf(tx: Transaction, { appId, fromTeamId }: Unsettled): Promise<string> {
  const app = await tx.app.findUniqueOrThrow({ where: { id: appId }, select: { name: true, team: true } })
  const from = await tx.team.findUnique({ where: { id: fromTeamId }, select: { name: true } })
  return JSON.stringify({ app: app.name, team: app.team.name, from: from?.name ?? '' })
}

/**
 * Deletes a batch of rows that no person led to: consents without an identifier, the security events of the giving team,
 * and the maps of earlier transfers.
 */
async function removeRest(tx: Transaction, { id, appId, acceptedAt }: Unsettled, take: number): Promise<boolean> {
  const consents = await tx.consent.findMany({ where: { appId }, select: { personId: true }, take })
  const personId = { in: consents.map((consent) => consent.personId) }
  if (consents.length > 0) return (await tx.consent.deleteMany({ where: { appId, personId } })).count > 0
  // A replay would send the identifiers of the giving team.
  const events = await tx.securityEvent.findMany({
    where: { appId, createdAt: { lte: acceptedAt } },
    select: { id: true },
    take,
  })
  const ids = events.map((event) => event.id)
  if (events.length > 0) return (await tx.securityEvent.deleteMany({ where: { id: { in: ids } } })).count > 0
  const earlier = { transfer: { appId, id: { not: id } } }
  const moved = await tx.movedSubject.findMany({ where: earlier, select: { transferId: true, oldSub: true }, take })
  return moved.length > 0 && (await tx.movedSubject.deleteMany({ where: { OR: moved } })).count > 0
}

/** Marks the transfer as settled and opens the app, unless it was closed before, or is now closed for another reason. */
async function finish(tx: Transaction, { id, appId }: Unsettled, now: Date): Promise<false> {
  const [transfer] = await tx.appTransfer.updateManyAndReturn({
    where: { id, settledAt: null },
    data: { settledAt: now },
  })
  if (!transfer) return false
  const closed = { id: appId, disabledBy: 'transfer' }
  // An app that its team closed stays closed, also when its deletion is cancelled.
  if (transfer.wasClosed) await tx.app.updateMany({ where: closed, data: { disabledBy: 'team' } })
  await tx.app.updateMany({ where: { ...closed, removeAfter: { not: null } }, data: { disabledBy: 'deletion' } })
  await tx.app.updateMany({ where: closed, data: { disabledAt: null, disabledBy: null } })
  return false
}
