import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'

/**
 * Stores the lease of each background job: one process holds it at a time, and another may take over an expired
 * lease.
 */
export const leaseStore = (prisma: Prisma) => ({
  async take(name: string, holder: string, now: Date, expiresAt: Date): Promise<boolean> {
    const mine = { where: { name, OR: [{ holder }, { expiresAt: { lte: now } }] }, data: { holder, expiresAt } }
    if ((await prisma.lease.updateMany(mine)).count === 1) return true
    try {
      await prisma.lease.create({ data: { name, holder, expiresAt } })
      return true
    } catch (fault) {
      if (isUniqueConflict(fault)) return false
      throw fault
    }
  },
})
