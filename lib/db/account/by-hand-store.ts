import type { ByHandStore, Made } from '#lib/account/hide-my-email/store'
import { nothingKept } from '#lib/db/account/deletion-store'
import type { Prisma } from '#lib/db/engine/client'

/** Returns the name of a new address: the same one for the same person and key, a random one for an empty key. */
type MakeName = (personId: string, key: string) => string

/** Stores the relay addresses that people make by hand. */
export const byHandStore = (prisma: Prisma, makeName: MakeName): ByHandStore => ({
  async find(personId, key) {
    if (key === '') return undefined
    const address = makeName(personId, key)
    const known = await prisma.alias.findUnique({ where: { address }, select: { personId: true } })
    return known ? asKnown(known, personId, address) : undefined
  },
  make(personId, { key, label }, most, now) {
    const address = makeName(personId, key)
    return prisma.$transaction(async (tx): Promise<Made> => {
      // Counts and locks in one statement, so that concurrent requests wait here and cannot exceed the quota together.
      const below = { id: personId, aliasesByHand: { lt: most } }
      const { count } = await tx.person.updateMany({ where: below, data: { aliasesByHand: { increment: 1 } } })
      const known = await tx.alias.findUnique({ where: { address }, select: { personId: true } })
      if (!known && count === 0) return 'enough'
      if (!known) await tx.alias.create({ data: { address, personId, byHand: true, label, createdAt: now } })
      else if (count === 1) await uncount(tx, personId)
      return known ? asKnown(known, personId, address) : { name: address, isNew: true }
    })
  },
  async remove(personId, address, now) {
    const own = { personId, address, byHand: true }
    // No mail may arrive while the rows are deleted. They are too many for one transaction, and a repeated call goes on.
    await prisma.alias.updateMany({ where: { ...own, disabledAt: null }, data: { disabledAt: now } })
    if ((await prisma.alias.count({ where: own })) === 0) return false
    while (await forgetSome(prisma, address));
    return prisma.$transaction(async (tx) => {
      // A relay address is never reused: its row stays without a person, and mail to it is for an unknown address.
      const { count } = await tx.alias.updateMany({ where: own, data: { personId: null, ...nothingKept } })
      if (count === 1) await uncount(tx, personId)
      return count === 1
    })
  },
})

/** A deleted address has no person. */
const asKnown = (known: { personId: string | null }, personId: string, name: string): Made =>
  known.personId === personId ? { name, isNew: false } : 'gone'

const uncount = (tx: Pick<Prisma, 'person'>, id: string) =>
  tx.person.updateMany({ where: { id, aliasesByHand: { gt: 0 } }, data: { aliasesByHand: { decrement: 1 } } })

const batch = 500

/** Deletes a batch of the traces of the mail of an address; false when none is left. */
async function forgetSome(prisma: Prisma, aliasName: string): Promise<boolean> {
  const some = { where: { aliasName }, take: batch }
  const threads = await prisma.threadMark.findMany({ ...some, select: { id: true } })
  await prisma.threadMark.deleteMany({ where: { id: { in: threads.map(({ id }) => id) } } })
  const sent = await prisma.sentMessage.findMany({ ...some, select: { id: true } })
  await prisma.sentMessage.deleteMany({ where: { id: { in: sent.map(({ id }) => id) } } })
  const reverses = await prisma.reverseAddress.findMany({ ...some, select: { token: true } })
  await prisma.reverseAddress.deleteMany({ where: { token: { in: reverses.map(({ token }) => token) } } })
  return threads.length + sent.length + reverses.length > 0
}
