import type { Act } from '#lib/console/audit/act'
import { removeApp } from '#lib/db/apps/app-removal'
import type { Prisma } from '#lib/db/engine/client'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'
import { writeAct } from './act-store.ts'

/** Closes, opens and removes apps for the operator. Each change is in the audit trail of the team. */
export const operatorApps = (prisma: Prisma) => ({
  /** Closes an app, or opens it; a repetition changes nothing and writes no act. */
  setDisabled: (id: string, isDisabled: boolean, act: Act) =>
    prisma.$transaction((tx) => changeApp(tx, id, isDisabled, act)),
  /** Deletes an app whose rows of use are deleted already. */
  remove: (id: string, act: Act): Promise<void> =>
    prisma.$transaction(async (tx) => {
      const app = await tx.app.findUnique({ where: { id }, select: { teamId: true, name: true } })
      if (!app) return
      await writeAct(tx, app.teamId, { ...act, target: id, targetName: app.name })
      await removeApp(tx, id, act.at)
    }),
})

/** Closes an app, or opens it, and writes the act; returns whether that changed the app. */
export async function changeApp(tx: Generated.TransactionClient, id: string, isDisabled: boolean, act: Act) {
  // Locks the app, so that of concurrent equal calls one writes its act.
  const [before] = await tx.app.updateManyAndReturn({ where: { id }, data: { id } })
  if (!before) return 'unknown'
  await (isDisabled ? close(tx, id, act.at) : open(tx, id))
  const app = await tx.app.findUniqueOrThrow({ where: { id } })
  const isSame = before.disabledBy === app.disabledBy && (before.disabledAt === null) === (app.disabledAt === null)
  if (isSame) return 'same'
  await writeAct(tx, app.teamId, { ...act, target: id })
  return 'changed'
}

/** Closes an app. If its team has closed it already, only the operator can open it from now on. */
async function close(tx: Generated.TransactionClient, id: string, at: Date): Promise<void> {
  await tx.app.updateMany({ where: { id, disabledAt: null }, data: { disabledAt: at } })
  await tx.app.updateMany({ where: { id }, data: { disabledBy: 'operator' } })
}

/**
 * Opens an app; the job that ends the authorizations of a transferred app opens it when it is done. An app that is being
 * deleted stays closed, unless its team keeps it.
 */
async function open(tx: Generated.TransactionClient, id: string): Promise<void> {
  const unsettled = { acceptedAt: { not: null }, settledAt: null }
  const opened = { disabledAt: null, disabledBy: null }
  await tx.app.updateMany({ where: { id, removeAfter: { not: null } }, data: { disabledBy: 'deletion' } })
  await tx.app.updateMany({ where: { id, removeAfter: null, transfers: { none: unsettled } }, data: opened })
  await tx.app.updateMany({ where: { id, transfers: { some: unsettled } }, data: { disabledBy: 'transfer' } })
}
