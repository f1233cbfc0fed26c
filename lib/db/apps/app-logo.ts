import type { TeamAppStore } from '#lib/console/app/store'
import { writeAct } from '#lib/db/console/act-store'
import type { Prisma } from '#lib/db/engine/client'

/** Stores the logos of apps, as pictures of the database. */
export const appLogo = (prisma: Prisma): Pick<TeamAppStore, 'setLogo'> => ({
  setLogo: ({ id, teamId }, picture, act) =>
    prisma.$transaction(async (tx) => {
      // Locks the row first, so that the second of two concurrent changes removes the picture that the first one stored.
      const [app] = await tx.app.updateManyAndReturn({
        where: { id, teamId, ...(!picture && { logoFile: { not: null } }) },
        data: { updatedAt: act.at },
      })
      if (!app) return
      if (picture) await tx.picture.create({ data: { ...picture, createdAt: act.at } })
      await tx.app.update({ where: { id }, data: { logoFile: picture?.file ?? null } })
      if (app.logoFile !== null) await tx.picture.deleteMany({ where: { file: app.logoFile } })
      await writeAct(tx, app.teamId, { ...act, target: id })
    }),
})
