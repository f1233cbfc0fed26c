import type { AppStore } from '#lib/apps/store'
import type { Prisma } from '#lib/db/engine/client'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'

/** Deletes an app: first the rows that grow with use, in batches, then the app in one transaction. */
export const appRemoval = (prisma: Prisma): Pick<AppStore, 'findDeletable' | 'removeUse' | 'remove'> => ({
  async findDeletable(now, take) {
    const due = await prisma.app.findMany({ where: { removeAfter: { lte: now } }, select: { id: true }, take })
    return due.map(({ id }) => id)
  },
  async removeUse(appId, take) {
    const [own, select] = [{ where: { appId }, take }, { id: true }]
    const among = (rows: { id: string }[]) => ({ where: { id: { in: rows.map(({ id }) => id) } } })
    const authorizations = await prisma.authorization.findMany({ ...own, select })
    if (authorizations.length > 0) return (await prisma.authorization.deleteMany(among(authorizations))).count > 0
    const events = await prisma.securityEvent.findMany({ ...own, select })
    if (events.length > 0) return (await prisma.securityEvent.deleteMany(among(events))).count > 0
    const consents = await prisma.consent.findMany({ ...own, select: { personId: true } })
    const people = { in: consents.map(({ personId }) => personId) }
    if (consents.length > 0) return (await prisma.consent.deleteMany({ where: { appId, personId: people } })).count > 0
    const moved = await prisma.movedSubject.findMany({
      where: { transfer: { appId } },
      select: { transferId: true, oldSub: true },
      take,
    })
    if (moved.length > 0) return (await prisma.movedSubject.deleteMany({ where: { OR: moved } })).count > 0
    const written = { where: { alias: { appId } }, take }
    const threads = await prisma.threadMark.findMany({ ...written, select })
    if (threads.length > 0) return (await prisma.threadMark.deleteMany(among(threads))).count > 0
    const sent = await prisma.sentMessage.findMany({ ...written, select })
    if (sent.length > 0) return (await prisma.sentMessage.deleteMany(among(sent))).count > 0
    const reverses = await prisma.reverseAddress.findMany({ ...written, select: { token: true } })
    const token = { in: reverses.map((reverse) => reverse.token) }
    return reverses.length > 0 && (await prisma.reverseAddress.deleteMany({ where: { token } })).count > 0
  },
  remove: (id, now) => prisma.$transaction((tx) => removeApp(tx, id, now)),
})

/** Deletes the row of an app and its logo. */
export async function removeApp(tx: Generated.TransactionClient, id: string, now: Date): Promise<void> {
  const app = await tx.app.findUnique({ where: { id }, select: { logoFile: true } })
  // The alias rows stay, without the app: an address is never issued again, and mail to it is not forwarded.
  await tx.alias.updateMany({ where: { appId: id, disabledAt: null }, data: { disabledAt: now } })
  await tx.app.deleteMany({ where: { id } })
  await tx.securityEvent.deleteMany({ where: { appId: id } })
  if (app?.logoFile) await tx.picture.deleteMany({ where: { file: app.logoFile } })
}
