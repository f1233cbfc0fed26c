import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'
import type { KeyStore } from '#lib/keys/store'

/** Stores signing keys; of processes that make the same generation at once, one succeeds (design §5). */
export const keyStore = (prisma: Prisma): KeyStore => ({
  async listKeys(now) {
    const keys = await prisma.signingKey.findMany({
      where: { OR: [{ goneAt: null }, { goneAt: { gt: now } }] },
      orderBy: { generation: 'desc' },
    })
    return keys.map((key) => ({ ...key, retiredAt: key.retiredAt ?? undefined, goneAt: key.goneAt ?? undefined }))
  },
  async insertKey({ retiredAt, goneAt, ...key }) {
    try {
      await prisma.signingKey.create({ data: { ...key, retiredAt: retiredAt ?? null, goneAt: goneAt ?? null } })
      return true
    } catch (fault) {
      if (isUniqueConflict(fault)) return false
      throw fault
    }
  },
  async retireBefore(generation, retiredAt, goneAt) {
    await prisma.signingKey.updateMany({
      where: { generation: { lt: generation }, retiredAt: null },
      data: { retiredAt, goneAt },
    })
  },
  async endKey(kid, now) {
    const where = { kid, retiredAt: { lte: now }, goneAt: { gt: now } }
    return (await prisma.signingKey.updateMany({ where, data: { goneAt: now } })).count === 1
  },
})
