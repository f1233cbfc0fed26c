import type { Act } from '#lib/console/audit/act'
import type { AppOffer, TransferStore } from '#lib/console/transfer/store'
import { writeAct } from '#lib/db/console/act-store'
import type { Prisma } from '#lib/db/engine/client'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'

type Transaction = Generated.TransactionClient

type Offers = Omit<TransferStore, 'accept' | 'findArrival' | 'readMap' | 'noteRead'>

/** Stores the offers of apps. */
export const offerStore = (prisma: Prisma): Offers => ({
  offer: (offer, most, act) =>
    prisma.$transaction(async (tx) => {
      const { appId, fromTeamId, toTeamId } = offer
      // Locks the giving team, so that concurrent offers exceed no limit and never offer an app twice.
      const own = { id: fromTeamId, closedAt: null }
      const { count } = await tx.team.updateMany({ where: own, data: { updatedAt: act.at } })
      const team = await tx.team.findUnique({ where: { id: toTeamId }, select: { name: true } })
      if (!team) return 'unknown team'
      const isOwn = count === 1 && (await tx.app.count({ where: { id: appId, ...transferable(fromTeamId) } })) === 1
      if (!isOwn) return 'not transferable'
      if ((await tx.appTransfer.count({ where: { appId, ...openAt(act.at) } })) > 0) return 'offered before'
      if ((await tx.appTransfer.count({ where: { fromTeamId, ...openAt(act.at) } })) >= most) return 'enough'
      await tx.appTransfer.create({ data: { ...offer, createdAt: act.at } })
      await writeAct(tx, fromTeamId, { ...act, target: appId, after: { team: team.name } })
      return 'offered'
    }),
  withdraw: (fromTeamId, id, act) =>
    prisma.$transaction((tx) => removeOffer(tx, { id, fromTeamId }, [[fromTeamId, act]])),
  decline: (toTeamId, id, { giving, receiving }) =>
    prisma.$transaction(async (tx) => {
      const offer = await tx.appTransfer.findUnique({ where: { id }, select: { fromTeamId: true } })
      const acts: [string, Act][] = [[toTeamId, receiving]]
      if (offer) acts.push([offer.fromTeamId, giving])
      return removeOffer(tx, { id, toTeamId }, acts)
    }),
  async findOpen(appId, now) {
    const row = await prisma.appTransfer.findFirst({ where: { appId, ...openAt(now) }, include: withNames })
    return row ? asOffer(row) : undefined
  },
  async listReceived(toTeamId, now, take) {
    const where = { toTeamId, ...openAt(now) }
    const rows = await prisma.appTransfer.findMany({ where, include: withNames, orderBy: { createdAt: 'desc' }, take })
    return rows.map(asOffer)
  },
  async findReceived(toTeamId, id, now) {
    const row = await prisma.appTransfer.findUnique({ where: { id, toTeamId, ...openAt(now) }, include: withNames })
    return row ? asOffer(row) : undefined
  },
})

const openAt = (now: Date) => ({ acceptedAt: null, expiresAt: { gt: now } })

/** Matches an app that its open team may give away: open, or closed by the team itself, and not about to be deleted. */
export const transferable = (teamId: string) => ({
  teamId,
  team: { closedAt: null },
  removeAfter: null,
  OR: [{ disabledAt: null }, { disabledBy: 'team' }],
})

type Open = { id: string; fromTeamId?: string; toTeamId?: string }

/** Deletes an offer that is not accepted yet, and writes the acts. Of concurrent calls, one deletes it. */
async function removeOffer(tx: Transaction, where: Open, acts: [string, Act][]): Promise<boolean> {
  const row = await tx.appTransfer.findUnique({ where: { id: where.id }, include: withNames })
  const { count } = await tx.appTransfer.deleteMany({ where: { ...where, acceptedAt: null } })
  if (!row || count === 0) return false
  const target = { target: row.appId, targetName: row.app.name }
  for (const [teamId, act] of acts) await writeAct(tx, teamId, { ...act, ...target, before: { team: row.toTeam.name } })
  return true
}

const withNames = {
  app: { select: { id: true, name: true, kind: true, team: { select: { id: true, name: true } } } },
  toTeam: { select: { id: true, name: true } },
} satisfies Generated.AppTransferInclude

type Row = Generated.AppTransferGetPayload<{ include: typeof withNames }>

/** The giving team of an open offer still has the app. */
function asOffer({ id, app, toTeam, createdAt, expiresAt }: Row): AppOffer {
  const { team, ...named } = app
  return { id, app: named, from: team, to: toTeam, createdAt, expiresAt }
}
