import type { Act } from '#lib/console/audit/act'
import type { Accepted, TransferStore } from '#lib/console/transfer/store'
import { writeAct } from '#lib/db/console/act-store'
import type { Prisma } from '#lib/db/engine/client'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'
import { offerStore, transferable } from './offer-store.ts'

type Transaction = Generated.TransactionClient

/** Splits the scopes of an app that comes to another team; absent where operators review no scopes. */
type Review = (scopes: string[]) => { scopes: string[]; waitingScopes: string[] }

/** Stores the offers and transfers of apps. */
export const transferStore = (prisma: Prisma, review?: Review): TransferStore => ({
  ...offerStore(prisma),
  async accept(...given) {
    try {
      return await prisma.$transaction((tx) => accept(tx, review, ...given))
    } catch (fault) {
      if (fault instanceof Refused) return fault.result
      throw fault
    }
  },
  async findArrival(appId, teamId, now) {
    const row = await prisma.appTransfer.findFirst({
      where: { appId, toTeamId: teamId, acceptedAt: { not: null }, expiresAt: { gt: now }, app: { teamId } },
      orderBy: { acceptedAt: 'desc' },
    })
    if (!row?.acceptedAt) return undefined
    const { id, fromTeamId, acceptedAt, settledAt, expiresAt } = row
    const from = await prisma.team.findUnique({ where: { id: fromTeamId }, select: { name: true } })
    return { id, from: from?.name, acceptedAt, settledAt, mapUntil: expiresAt }
  },
  async readMap(transferId, after, take) {
    const where = { transferId, oldSub: { gt: after } }
    const rows = await prisma.movedSubject.findMany({ where, orderBy: { oldSub: 'asc' }, take })
    return rows.map(({ oldSub, newSub }) => ({ old_sub: oldSub, new_sub: newSub }))
  },
  async noteRead(teamId, act, since) {
    const { kind, actor, token = '', target } = act
    const same = { teamId, act: kind, actor, tokenName: token, target }
    await prisma.$transaction(async (tx) => {
      const isNoted =
        since && (await tx.teamAct.findFirst({ where: { ...same, at: { gt: since } }, select: { id: true } }))
      if (!isNoted) await writeAct(tx, teamId, act)
    })
  },
})

/** Rolls an acceptance back. */
class Refused extends Error {
  readonly result: Accepted
  constructor(result: Accepted) {
    super(result)
    this.result = result
  }
}

type Given = Parameters<TransferStore['accept']>

async function accept(
  tx: Transaction,
  review: Review | undefined,
  ...[{ id, toTeamId }, { most, mapUntil, version }, acts]: Given
): Promise<Accepted> {
  const now = acts.receiving.at
  const open = { id, toTeamId, acceptedAt: null, expiresAt: { gt: now } }
  const data = { acceptedAt: now, expiresAt: mapUntil }
  const [offer] = await tx.appTransfer.updateManyAndReturn({ where: open, data })
  // On a double submit the second request changes nothing, and shows the same result.
  if (!offer) return (await tx.appTransfer.count({ where: { id, toTeamId, ...accepted } })) === 1 ? 'accepted' : 'over'
  // Locks the receiving team, so that concurrent calls never exceed the limit.
  const team = { id: toTeamId, closedAt: null }
  const [to] = await tx.team.updateManyAndReturn({ where: team, data: { updatedAt: now } })
  if (!to) throw new Refused('closed')
  if ((await tx.app.count({ where: { teamId: toTeamId } })) >= most) throw new Refused('enough')
  // The caller has checked the names of this version.
  const { updatedAt } = await tx.app.findUniqueOrThrow({ where: { id: offer.appId }, select: { updatedAt: true } })
  if (updatedAt.toISOString() !== version) throw new Refused('changed')
  await move(tx, offer, { now, review, updatedAt })
  const { fromTeamId, appId } = offer
  const from = await tx.team.findUniqueOrThrow({ where: { id: fromTeamId }, select: { name: true } })
  const act = (one: Act, values: Pick<Act, 'before' | 'after'>): Act => ({ ...one, target: appId, ...values })
  // The members of the giving team read the name of the team, not of the person who accepted.
  await writeAct(tx, fromTeamId, act({ ...acts.giving, actor: to.name }, { before: {}, after: {} }))
  await writeAct(tx, toTeamId, act(acts.receiving, { before: { team: from.name }, after: { team: to.name } }))
  return 'accepted'
}

const accepted = { acceptedAt: { not: null } }

type Offer = { id: string; appId: string; fromTeamId: string; toTeamId: string }

/**
 * Gives the app to the receiving team and closes it: no token of the giving team works from now on, and a job ends the
 * authorizations (decision 0046). The maps of earlier transfers can no longer be read.
 */
async function move(
  tx: Transaction,
  { id, appId, fromTeamId, toTeamId }: Offer,
  { now, review, updatedAt }: { now: Date; review: Review | undefined; updatedAt: Date },
): Promise<void> {
  const app = await tx.app.findUnique({ where: { id: appId }, select: moving })
  const reviewed = app && review ? inReview(app, review, now) : { seen: {}, scopes: {} }
  const [wasClosed, since] = [Boolean(app?.disabledAt), app?.teamSince ?? null]
  const closed = { disabledAt: now, disabledBy: 'transfer' }
  const { count } = await tx.app.updateMany({
    where: { ...transferable(fromTeamId), id: appId, updatedAt, disabledAt: app?.disabledAt ?? null, ...reviewed.seen },
    data: { ...closed, ...reviewed.scopes, teamId: toTeamId, teamSince: now, updatedAt: now },
  })
  if (count === 0) throw new Refused('not transferable')
  // The holder of this token could change the app without being a member of its team (RFC 7592).
  await tx.managementToken.deleteMany({ where: { appId } })
  // The giving team registered the address, and the receiver would go on getting events with that team's identifiers.
  await tx.eventReceiver.deleteMany({ where: { appId } })
  await tx.appTransfer.updateMany({ where: { id }, data: { wasClosed, since } })
  await tx.appTransfer.updateMany({ where: { appId, id: { not: id } }, data: { expiresAt: now } })
}

const moving = {
  disabledAt: true,
  teamSince: true,
  scopes: true,
  waitingScopes: true,
  waitingSince: true,
} as const satisfies Generated.AppSelect

type Moving = Generated.AppGetPayload<{ select: typeof moving }>

/** An approval was given for the giving team: sensitive scopes wait again. `seen` lets a concurrent change win. */
function inReview({ scopes, waitingScopes, waitingSince }: Moving, review: Review, now: Date) {
  const split = review([...scopes.split(' '), ...waitingScopes.split(' ').filter(Boolean)])
  const since = split.waitingScopes.length > 0 ? (waitingSince ?? now) : null
  return {
    seen: { scopes, waitingScopes },
    scopes: { scopes: split.scopes.join(' '), waitingScopes: split.waitingScopes.join(' '), waitingSince: since },
  }
}
