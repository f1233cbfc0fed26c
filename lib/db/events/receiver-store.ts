import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Act } from '#lib/console/audit/act'
import type { EventReceiverStore, NewReceiver, ShownEvent } from '#lib/console/events/store'
import { writeAct } from '#lib/db/console/act-store'
import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'
import type { Prisma as Statement } from '#lib/db/generated/sqlite/client'
import type { EventType } from '#lib/oauth/events/event-types'
import { patience, queueVerification } from './queue-events.ts'

type Transaction = Statement.TransactionClient

/** The number of events that one statement of a replay or of a removal changes. */
const most = 500

/** Stores the receivers of apps, and lists and replays their events. */
export const eventReceiverStore = (prisma: Prisma): EventReceiverStore => ({
  async find(appId) {
    const row = await prisma.eventReceiver.findUnique({ where: { appId } })
    if (!row) return undefined
    const { address, sealedAuthorization, createdAt, pausedAt } = row
    return { address, hasAuthorization: sealedAuthorization !== '', createdAt, pausedAt }
  },
  async listEvents(appId, after, take) {
    const rows = await prisma.securityEvent.findMany({
      where: { appId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      ...(after !== undefined && { cursor: { id: after }, skip: 1 }),
      take,
      select: { ...shown, id: true },
    })
    return rows.map(({ type, state, ...row }) => ({
      ...row,
      type: type as EventType,
      state: state as ShownEvent['state'],
    }))
  },
  async set(receiver, act) {
    // Events of an earlier receiver are never sent to a new one: the app may belong to another team now.
    if ((await prisma.eventReceiver.count({ where: { appId: receiver.appId } })) === 0)
      await removeEvents(prisma, receiver.appId, act.at)
    return untilUnique(() => prisma.$transaction((tx) => set(tx, receiver, act)))
  },
  async remove(appId, act) {
    const isRemoved = await prisma.$transaction(async (tx) => {
      const { count } = await tx.eventReceiver.deleteMany({ where: { appId } })
      if (count === 1) await noteAct(tx, appId, act)
      return count === 1
    })
    if (isRemoved) await removeEvents(prisma, appId, act.at)
    return isRemoved
  },
  setPaused: (appId, isPaused, act) =>
    prisma.$transaction(async (tx) => {
      const { count } = await tx.eventReceiver.updateMany({
        where: { appId, pausedAt: isPaused ? null : { not: null } },
        data: { pausedAt: isPaused ? act.at : null },
      })
      if (count === 1) await noteAct(tx, appId, act)
      // On a double submit the second request changes nothing, and shows the same result.
      return count === 1 || (await tx.eventReceiver.count({ where: { appId } })) === 1
    }),
  verify: (appId, act) =>
    prisma.$transaction(async (tx) => {
      // Locks the receiver, so that of two concurrent calls one finds the verification of the other.
      const { count } = await tx.eventReceiver.updateMany({ where: { appId }, data: { appId } })
      if (count === 0) return 'unknown'
      const waiting = { state: 'waiting', appId, type: 'verification' }
      if ((await tx.securityEvent.findFirst({ where: waiting, select: { id: true } })) !== null) return 'waiting'
      await queueVerification(tx, appId, act.at)
      await noteAct(tx, appId, act)
      return 'queued'
    }),
  replay: (appId, since, act) => replay(prisma, appId, since, act),
})

const shown = {
  type: true,
  state: true,
  attempts: true,
  createdAt: true,
  triedAt: true,
  nextAt: true,
  refusal: true,
} as const satisfies Record<Exclude<keyof ShownEvent, 'id'>, true>

async function set(tx: Transaction, { appId, teamId, address, sealedAuthorization }: NewReceiver, act: Act) {
  // Locks the app: if it went to another team, no receiver of this team may come after those that the transfer removed.
  const { count: own } = await tx.app.updateMany({ where: { id: appId, teamId }, data: { id: appId } })
  if (own === 0) return 'unknown app'
  const before = await tx.eventReceiver.findUnique({ where: { appId } })
  const data = { address, updatedAt: act.at, ...(sealedAuthorization !== undefined && { sealedAuthorization }) }
  if (!before) await tx.eventReceiver.create({ data: { appId, teamId, createdAt: act.at, ...data } })
  else {
    // Part of the statement, so that a value which is stored at the same time is never sent to this address.
    const mayKeep = sealedAuthorization === undefined ? { OR: [{ address }, { sealedAuthorization: '' }] } : {}
    const { count } = await tx.eventReceiver.updateMany({ where: { appId, ...mayKeep }, data })
    if (count === 0) return 'secret needed'
  }
  const values = { before: before ? { receiver: before.address } : {}, after: { receiver: address } }
  const kind = before ? 'receiver_changed' : 'receiver_registered'
  await writeAct(tx, teamId, { ...act, kind, target: appId, ...values })
  return before ? 'changed' : 'registered'
}

/** Repeats a registration that another one preceded. */
async function untilUnique<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (fault) {
    if (!isUniqueConflict(fault)) throw fault
    return write()
  }
}

async function noteAct(tx: Transaction, appId: string, act: Act): Promise<void> {
  const app = await tx.app.findUnique({ where: { id: appId }, select: { teamId: true } })
  if (app) await writeAct(tx, app.teamId, { ...act, target: appId })
}

/** Removes the events that were queued until then, in batches; other requests run between batches. */
async function removeEvents(prisma: Prisma, appId: string, until: Date): Promise<void> {
  for (;;) {
    const where = { appId, createdAt: { lte: until } }
    const rows = await prisma.securityEvent.findMany({ where, select: { id: true }, take: most })
    await prisma.securityEvent.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } })
    if (rows.length < most) return
    await nextTurn()
  }
}

/** Queues events again in the order of their time, in batches; other requests run between batches. */
async function replay(prisma: Prisma, appId: string, since: Date, act: Act): Promise<number> {
  let last: { id: string; createdAt: Date } | undefined
  let total = 0
  for (;;) {
    const rows = await prisma.$transaction(async (tx) => {
      const some = await findEnded(tx, { appId, since, last })
      const again = { state: 'waiting', attempts: 0, nextAt: act.at, until: new Date(act.at.getTime() + patience) }
      const where = { id: { in: some.map(({ id }) => id) }, state: { not: 'waiting' } }
      await tx.securityEvent.updateMany({ where, data: { ...again, refusal: '', version: { increment: 1 } } })
      if (total === 0 && some.length > 0) await noteAct(tx, appId, act)
      return some
    })
    total += rows.length
    last = rows.at(-1)
    if (rows.length < most) return total
    await nextTurn()
  }
}

type Ended = { appId: string; since: Date; last: { id: string; createdAt: Date } | undefined }

/** Finds events after the last one of the batch before; a verification is not sent again. */
const findEnded = (tx: Transaction, { appId, since, last }: Ended) =>
  tx.securityEvent.findMany({
    where: {
      ...{ appId, state: { not: 'waiting' }, type: { not: 'verification' } },
      createdAt: { gte: last?.createdAt ?? since },
      ...(last && { OR: [{ createdAt: { gt: last.createdAt } }, { id: { gt: last.id } }] }),
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: most,
    select: { id: true, createdAt: true },
  })
