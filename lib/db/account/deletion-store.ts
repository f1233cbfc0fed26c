import type { DeletionStore } from '#lib/account/data/deletion'
import { removeApp } from '#lib/db/apps/app-removal'
import { findInNeed, keptApp, lockOwnTeams } from '#lib/db/console/sole-owner'
import type { Prisma } from '#lib/db/engine/client'
import { queueEvent, queueForSharing } from '#lib/db/events/queue-events'
import type { Prisma as Sql } from '#lib/db/generated/sqlite/client'
import { endSessions, revokeAuthorizations } from '#lib/db/logout/end-access'
import { isLastOperatorNow } from '#lib/db/operators/last-operator'
import { recordAct } from '#lib/db/operators/operator-acts'
import type { DeletionJournal } from '#lib/db/restore/deletion-journal'

type Transaction = Sql.TransactionClient

/** Deletes people: ends access at once, allows an undo during the grace period, and then erases all rows. */
export const deletionStore = (
  prisma: Prisma,
  queued: () => void = () => undefined,
  journal: DeletionJournal = () => undefined,
): DeletionStore => ({
  teamsInNeed: (personId) => findInNeed(prisma, personId),
  async ask(personId, { byOperator, ...about }) {
    const asked = await prisma.$transaction(async (tx) => {
      await lockOwnTeams(tx, personId, about.now)
      if (!byOperator && (await findInNeed(tx, personId)).length > 0) return 'needed'
      if (!byOperator && (await isLastOperatorNow(tx, personId))) return 'last operator'
      if (!(await startDeletion(tx, personId, about))) return 'asked before'
      if (byOperator) await recordAct(tx, personId, 'deletion_asked', byOperator)
      return 'asked'
    })
    queued()
    return asked
  },
  async askNow(personId, recorded) {
    const now = recorded.at
    await prisma.$transaction(async (tx) => {
      await tx.person.updateMany({ where: { id: personId }, data: { deleteAfter: now } })
      await recordAct(tx, personId, 'deleted_now', recorded)
      await endSessions(tx, { personId }, now)
      await revokeAuthorizations(tx, { personId }, now)
      await queueEvent(tx, { personId }, { type: 'account-disabled', claims: {} }, now)
    })
    queued()
  },
  keep: (id, now, byOperator) =>
    prisma.$transaction(async (tx) => {
      const isKept = await cancelDeletion(tx, id, now)
      if (isKept && byOperator) await recordAct(tx, id, 'deletion_cancelled', byOperator)
      return isKept
    }),
  async findDue(now, take) {
    const where = { deleteAfter: { lte: now } }
    // Without `orderBy`, Prisma orders by id and scans the whole table.
    const due = await prisma.person.findMany({ where, orderBy: { deleteAfter: 'asc' }, take, select: { id: true } })
    return due.map(({ id }) => id)
  },
  async erase(personId, now, batch) {
    if (!(await isDue(prisma, personId, now))) return true
    if (await eraseSome(prisma, personId, batch)) return false
    // Before the deletion: a restore must erase everyone who was erased.
    journal({ at: now.toISOString(), person: personId })
    await prisma.$transaction((tx) => eraseRest(tx, personId, now))
    // By the slower clock of another node, the person was still in time to cancel.
    const isKept = (await prisma.person.count({ where: { id: personId } })) === 1
    if (isKept) journal({ at: now.toISOString(), kept: personId })
    return true
  },
})

/** Cancels a deletion in its grace period; false if there is none. */
export async function cancelDeletion(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const [kept] = await tx.person.updateManyAndReturn({
    where: { id, deleteAfter: { gt: now } },
    data: { deleteAfter: null },
    select: { disabledAt: true },
  })
  const isOpen = kept?.disabledAt === null
  if (isOpen) await queueForSharing(tx, { personId: id }, { type: 'account-enabled', claims: {} }, now)
  return kept !== undefined
}

/** Starts the grace period, and ends sessions and approvals; false if it has started before. */
export async function startDeletion(
  tx: Transaction,
  personId: string,
  { keepSession, now, deleteAfter }: { keepSession: string; now: Date; deleteAfter: Date },
): Promise<boolean> {
  const { count } = await tx.person.updateMany({ where: { id: personId, deleteAfter: null }, data: { deleteAfter } })
  if (count === 0) return false
  await endSessions(tx, { personId, id: { not: keepSession } }, now)
  await revokeAuthorizations(tx, { personId }, now)
  await queueEvent(tx, { personId }, { type: 'account-disabled', claims: {} }, now)
  return true
}

/** Deletes a person whose large tables are empty, and queues the event for the apps, in one transaction. */
async function eraseRest(tx: Sql.TransactionClient, personId: string, now: Date): Promise<void> {
  // Locks the row, so that of two concurrent calls one queues the events.
  const due = { id: personId, deleteAfter: { lte: now } }
  if ((await tx.person.updateMany({ where: due, data: { id: personId } })).count === 0) return
  await queueForSharing(tx, { personId }, { type: 'account-purged', claims: {} }, now)
  // A relay address is never reused: its row stays without a person, and no mail is forwarded.
  await tx.alias.updateMany({ where: { personId, disabledAt: null }, data: { disabledAt: now } })
  await tx.alias.updateMany({ where: { personId }, data: nothingKept })
  // Filters by name: a condition on the alias relation would be evaluated for every row of these tables.
  const aliases = await tx.alias.findMany({ where: { personId }, select: { address: true } })
  const aliasName = { in: aliases.map(({ address }) => address) }
  await tx.reverseAddress.deleteMany({ where: { aliasName } })
  await tx.threadMark.deleteMany({ where: { aliasName } })
  await tx.sentMessage.deleteMany({ where: { aliasName } })
  const person = await tx.person.findUnique({ where: { id: personId }, select: { avatarFile: true } })
  if (person?.avatarFile) await tx.picture.deleteMany({ where: { file: person.avatarFile } })
  const owned = await tx.member.findMany({ where: { personId, role: 'owner' }, select: { teamId: true } })
  await tx.person.deleteMany({ where: due })
  for (const { teamId } of owned) await removeAbandoned(tx, teamId, now)
}

/** Deletes a team without members and identifiers of people, and the apps that waited for their erasure in it. */
async function removeAbandoned(tx: Transaction, id: string, now: Date): Promise<void> {
  const [team] = await tx.team.updateManyAndReturn({ where: { id, ...abandoned }, data: { id } })
  // No member could keep these apps any more, and without identifiers they have hardly any rows.
  const apps = team ? await tx.app.findMany({ where: { teamId: id, NOT: keptApp }, select: { id: true } }) : []
  for (const app of apps) await removeApp(tx, app.id, now)
  await tx.team.deleteMany({ where: { id, ...abandoned, apps: { none: {} } } })
}

const abandoned = { members: { none: {} }, apps: { none: keptApp }, apis: { none: {} }, subjects: { none: {} } }

const isDue = async (prisma: Prisma, id: string, now: Date) =>
  (await prisma.person.count({ where: { id, deleteAfter: { lte: now } } })) === 1

/** The mail statistics of a retired relay address: empty, because they described the erased person's mail. */
export const nothingKept = { label: '', note: '', forwarded: 0, blocked: 0, replied: 0, lastMailAt: null }

/** Deletes a batch from the first table that still has rows; these tables are too large for one transaction. */
async function eraseSome(prisma: Prisma, personId: string, take: number): Promise<boolean> {
  const [own, id] = [{ where: { personId }, take }, { id: true }]
  const among = (rows: { id: string }[]) => ({ where: { id: { in: rows.map((row) => row.id) } } })
  const activities = await prisma.activity.findMany({ ...own, select: id })
  if (activities.length > 0) return (await prisma.activity.deleteMany(among(activities))).count > 0
  const authorizations = await prisma.authorization.findMany({ ...own, select: id })
  if (authorizations.length > 0) return (await prisma.authorization.deleteMany(among(authorizations))).count > 0
  const sessions = await prisma.session.findMany({ ...own, select: id })
  if (sessions.length > 0) return (await prisma.session.deleteMany(among(sessions))).count > 0
  const written = { where: { alias: { personId } }, take }
  const threads = await prisma.threadMark.findMany({ ...written, select: id })
  if (threads.length > 0) return (await prisma.threadMark.deleteMany(among(threads))).count > 0
  const sent = await prisma.sentMessage.findMany({ ...written, select: id })
  if (sent.length > 0) return (await prisma.sentMessage.deleteMany(among(sent))).count > 0
  const reverses = await prisma.reverseAddress.findMany({ ...written, select: { token: true } })
  const tokens = reverses.map(({ token }) => token)
  return tokens.length > 0 && (await prisma.reverseAddress.deleteMany({ where: { token: { in: tokens } } })).count > 0
}
