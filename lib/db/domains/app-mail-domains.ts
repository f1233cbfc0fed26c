import type { AppMail } from '#lib/console/mail/app-mail'
import { writeAct } from '#lib/db/console/act-store'
import type { Prisma } from '#lib/db/engine/client'

/** Adds and removes the mail domains of apps, with the acts of their teams. */
export const appMailDomains = (prisma: Prisma, makeProof: () => string): Pick<AppMail, 'add' | 'remove'> => ({
  add: ({ id: appId, teamId }, domain, most, act) =>
    prisma.$transaction(async (tx) => {
      // Locks the app, so that concurrent calls never exceed the limit.
      const [app] = await tx.app.updateManyAndReturn({ where: { id: appId, teamId }, data: { updatedAt: act.at } })
      if (!app) return 'unknown'
      const known = await tx.mailDomain.findMany({ where: { appId }, select: { domain: true } })
      if (known.some((one) => one.domain === domain)) return 'known'
      if (known.length >= most) return 'enough'
      await tx.mailDomain.create({ data: { appId, domain, proof: makeProof(), createdAt: act.at } })
      await writeAct(tx, app.teamId, act)
      return 'added'
    }),
  remove: (...given) => removeMailDomain(prisma, ...given),
})

/** Removes a mail domain of an app, with the act; false if the app has no such domain. */
export const removeMailDomain = (prisma: Prisma, ...[app, domain, act]: Parameters<AppMail['remove']>) =>
  prisma.$transaction(async (tx) => {
    const { id: appId, teamId } = app
    // Locks the app, so that it stays in this team.
    const { count } = await tx.app.updateMany({ where: { id: appId, teamId }, data: { id: appId } })
    if (count === 0 || (await tx.mailDomain.deleteMany({ where: { appId, domain } })).count === 0) return false
    await writeAct(tx, teamId, act)
    return true
  })
