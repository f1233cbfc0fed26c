import type { TeamAppStore } from '#lib/console/app/store'
import type { Prisma } from '#lib/db/engine/client'
import { writeAct } from './act-store.ts'

type Credentials = Pick<TeamAppStore, 'addSecret' | 'removeSecret' | 'removeKey'>

/** Adds and removes the secrets and keys of apps. */
export const appCredentials = (prisma: Prisma, mostLive: number): Credentials => ({
  addSecret: ({ id: appId, teamId }, secret, act) =>
    prisma.$transaction(async (tx) => {
      // The update locks the app's row, so that a concurrent call sees the secret that this call adds.
      const [app] = await tx.app.updateManyAndReturn({ where: { id: appId, teamId }, data: { updatedAt: act.at } })
      if (!app) return 'unknown app'
      if (app.kind !== 'confidential') return 'not confidential'
      const live = { appId, OR: [{ expiresAt: null }, { expiresAt: { gt: act.at } }] }
      if ((await tx.appSecret.count({ where: live })) >= mostLive) return 'enough are live'
      await tx.appSecret.create({ data: { ...secret, appId, createdAt: act.at } })
      await writeAct(tx, app.teamId, { ...act, target: appId, after: { secret: secret.id } })
      return 'added'
    }),
  removeSecret: ({ id: appId, teamId }, id, act) =>
    prisma.$transaction(async (tx) => {
      // Locks the app's row, so that it stays in this team.
      const { count } = await tx.app.updateMany({ where: { id: appId, teamId }, data: { id: appId } })
      if (count === 0 || (await tx.appSecret.deleteMany({ where: { appId, id } })).count === 0) return false
      await writeAct(tx, teamId, { ...act, target: appId, before: { secret: id } })
      return true
    }),
  removeKey: ({ id: appId, teamId }, kid, act) =>
    prisma.$transaction(async (tx) => {
      // Locks the app's row, so that of two concurrent calls one sees that its key is the last.
      const [app] = await tx.app.updateManyAndReturn({ where: { id: appId, teamId }, data: { updatedAt: act.at } })
      const keys = await tx.appKey.findMany({ where: { appId } })
      if (!app || !keys.some((key) => key.kid === kid)) return 'unknown'
      if (keys.length === 1 && !JSON.parse(app.registration).jwks_uri) return 'last'
      await tx.appKey.delete({ where: { appId_kid: { appId, kid } } })
      await writeAct(tx, app.teamId, { ...act, target: appId, before: { kid } })
      return 'removed'
    }),
})
