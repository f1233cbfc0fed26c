import type { OwnApp, TeamAppStore } from '#lib/console/app/store'
import type { Prisma } from '#lib/db/engine/client'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'
import { writeAct } from './act-store.ts'
import { activeOwner } from './sole-owner.ts'

/** Closes, opens and deletes the apps of a team. */
export const appState = (prisma: Prisma): Pick<TeamAppStore, 'setDisabled' | 'setDeletion'> => ({
  setDisabled: ({ id, teamId }, isDisabled, act) =>
    prisma.$transaction(async (tx) => {
      const own = { id, teamId }
      const where = isDisabled
        ? { ...own, disabledAt: null }
        : { ...own, disabledAt: { not: null }, disabledBy: 'team', removeAfter: null }
      const data = isDisabled ? { disabledAt: act.at, disabledBy: 'team' } : { disabledAt: null, disabledBy: null }
      if (!isDisabled && !(await lockOpenTeam(tx, teamId))) return false
      // First, so that an app that the end of its transfer opens at the same time is open below, and closes.
      const isKept = isDisabled && (await keepClosed(tx, own))
      const [app] = await tx.app.updateManyAndReturn({ where, data })
      if (isKept) await writeAct(tx, teamId, { ...act, target: id })
      else if (app) await writeAct(tx, app.teamId, { ...act, target: id })
      // On a double submit the second request changes nothing, and shows the same result.
      return (
        app !== undefined ||
        (await tx.app.count({ where: { ...own, disabledAt: isDisabled ? { not: null } : null } })) === 1
      )
    }),
  setDeletion: ({ id, teamId }, after, act) =>
    prisma.$transaction(async (tx) => {
      const own = { id, teamId }
      if (!after && !((await lockOpenTeam(tx, teamId)) && (await hasActiveOwner(tx, teamId)))) return false
      // An app whose deletion is due may be half deleted already.
      const where = { ...own, removeAfter: after ? null : { gt: act.at } }
      const [app] = await tx.app.updateManyAndReturn({ where, data: { removeAfter: after ?? null } })
      if (!app) return (await tx.app.count({ where: { ...own, removeAfter: after ? { not: null } : null } })) === 1
      // A deletion closes the app; keeping it opens the app again, unless it was closed before.
      if (after)
        await tx.app.updateMany({
          where: { id, disabledAt: null },
          data: { disabledAt: act.at, disabledBy: 'deletion' },
        })
      else
        await tx.app.updateMany({ where: { id, disabledBy: 'deletion' }, data: { disabledAt: null, disabledBy: null } })
      await writeAct(tx, app.teamId, { ...act, target: id })
      return true
    }),
})

/** Keeps an arriving app closed at the end of its transfer; false if none is under way, or if it stays closed anyway. */
async function keepClosed(tx: Generated.TransactionClient, { id: appId, teamId: toTeamId }: OwnApp): Promise<boolean> {
  const arriving = { appId, toTeamId, acceptedAt: { not: null }, settledAt: null, wasClosed: false }
  return (await tx.appTransfer.updateMany({ where: arriving, data: { wasClosed: true } })).count > 0
}

/** Locks a team before an app of it opens; false if the operator has closed the team. */
const lockOpenTeam = async (tx: Generated.TransactionClient, id: string): Promise<boolean> =>
  (await tx.team.updateMany({ where: { id, closedAt: null }, data: { id } })).count === 1

/** Returns whether the team has an owner who stays: one whose account is not about to be deleted. A kept app needs one. */
const hasActiveOwner = async (tx: Generated.TransactionClient, teamId: string): Promise<boolean> =>
  (await tx.member.count({ where: { teamId, ...activeOwner } })) > 0
