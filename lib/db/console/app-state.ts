import type { TeamAppStore } from '#lib/console/app/store'
import type { Prisma } from '#lib/db/engine/client'
import { writeAct } from './act-store.ts'

/** Closes, opens and deletes the apps of a team. */
export const appState = (prisma: Prisma): Pick<TeamAppStore, 'setDisabled' | 'setDeletion'> => ({
  setDisabled: ({ id, teamId }, isDisabled, act) =>
    prisma.$transaction(async (tx) => {
      const own = { id, teamId }
      const where = isDisabled
        ? { ...own, disabledAt: null }
        : { ...own, disabledAt: { not: null }, disabledBy: 'team', removeAfter: null }
      const data = isDisabled ? { disabledAt: act.at, disabledBy: 'team' } : { disabledAt: null, disabledBy: null }
      const [app] = await tx.app.updateManyAndReturn({ where, data })
      if (app) await writeAct(tx, app.teamId, { ...act, target: id })
      // On a double submit the second request changes nothing, and shows the same result.
      return (
        app !== undefined ||
        (await tx.app.count({ where: { ...own, disabledAt: isDisabled ? { not: null } : null } })) === 1
      )
    }),
  setDeletion: ({ id, teamId }, after, act) =>
    prisma.$transaction(async (tx) => {
      const own = { id, teamId }
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
