import type { DeletionStore } from '#lib/account/deletion'
import type { Prisma } from './client.ts'

/** Deleting people: what ends at once, what can be undone, and how everything goes in the end. */
export const deletionStore = (prisma: Prisma): DeletionStore => ({
  ask(personId, { keepSession, now, deleteAfter }) {
    return prisma.$transaction(async (tx) => {
      const { count } = await tx.person.updateMany({
        where: { id: personId, deleteAfter: null },
        data: { deleteAfter },
      })
      if (count === 0) return false
      const sessions = { personId, endedAt: null, id: { not: keepSession } }
      await tx.session.updateMany({ where: sessions, data: { endedAt: now } })
      await tx.authorization.updateMany({ where: { personId, revokedAt: null }, data: { revokedAt: now } })
      return true
    })
  },
  async keep(id, now) {
    const { count } = await prisma.person.updateMany({
      where: { id, deleteAfter: { gt: now } },
      data: { deleteAfter: null },
    })
    return count === 1
  },
  async findDue(now, take) {
    const due = await prisma.person.findMany({ where: { deleteAfter: { lte: now } }, take, select: { id: true } })
    return due.map(({ id }) => id)
  },
  async erase(personId, now, batch) {
    if (!(await isDue(prisma, personId, now))) return true
    if (await eraseSome(prisma, personId, batch)) return false
    await prisma.$transaction(async (tx) => {
      // An address is never given again: its row stays, without a person, and nothing is forwarded any more.
      await tx.alias.updateMany({ where: { personId, disabledAt: null }, data: { disabledAt: now } })
      await tx.alias.updateMany({ where: { personId }, data: nothingCarried })
      await tx.reverseAddress.deleteMany({ where: { alias: { personId } } })
      await tx.threadMark.deleteMany({ where: { alias: { personId } } })
      const person = await tx.person.findUnique({ where: { id: personId }, select: { avatarFile: true } })
      if (person?.avatarFile) await tx.picture.deleteMany({ where: { file: person.avatarFile } })
      await tx.person.deleteMany({ where: { id: personId, deleteAfter: { lte: now } } })
    })
    return true
  },
})

const isDue = async (prisma: Prisma, id: string, now: Date) =>
  (await prisma.person.count({ where: { id, deleteAfter: { lte: now } } })) === 1

/** The row of a retired address names nobody and says nothing of what went through it. */
const nothingCarried = { forwarded: 0, blocked: 0, replied: 0, lastMailAt: null }

/** Whatever grows with use goes before the person, a batch at a time, so that requests pass in between. */
async function eraseSome(prisma: Prisma, personId: string, take: number): Promise<boolean> {
  const [own, id] = [{ where: { personId }, take }, { id: true }]
  const activities = await prisma.activity.findMany({ ...own, select: id })
  const authorizations = await prisma.authorization.findMany({ ...own, select: id })
  const sessions = await prisma.session.findMany({ ...own, select: id })
  const written = { where: { alias: { personId } }, take }
  const reverses = await prisma.reverseAddress.findMany({ ...written, select: { token: true } })
  const threads = await prisma.threadMark.findMany({ ...written, select: id })
  if ([activities, authorizations, sessions, reverses, threads].every(({ length }) => length === 0)) return false
  const ids = (rows: { id: string }[]) => ({ id: { in: rows.map((row) => row.id) } })
  await prisma.activity.deleteMany({ where: ids(activities) })
  await prisma.authorization.deleteMany({ where: ids(authorizations) })
  await prisma.session.deleteMany({ where: ids(sessions) })
  await prisma.reverseAddress.deleteMany({ where: { token: { in: reverses.map(({ token }) => token) } } })
  await prisma.threadMark.deleteMany({ where: ids(threads) })
  return true
}
