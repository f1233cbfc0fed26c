import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'
import type { KeyStore, StoredKey } from '#lib/keys/store'

type Row = Awaited<ReturnType<Prisma['signingKey']['findMany']>>[number]

/** Stores signing keys; of processes that make the same generation at once, one succeeds (design §5). */
export const keyStore = (prisma: Prisma): KeyStore => ({
  async listKeys(now) {
    const keys = await prisma.signingKey.findMany({
      where: { OR: [{ goneAt: null }, { goneAt: { gt: now } }] },
      orderBy: [{ algorithm: 'asc' }, { generation: 'desc' }],
    })
    return keys.map(toKey)
  },
  async findRetired(kid, now) {
    const row = await prisma.signingKey.findUnique({ where: { kid, goneAt: { lte: now }, leakedAt: null } })
    return row ? toKey(row) : undefined
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
  async retireBefore({ algorithm, generation }, retiredAt, goneAt) {
    await prisma.signingKey.updateMany({
      where: { algorithm, generation: { lt: generation }, retiredAt: null },
      data: { retiredAt, goneAt },
    })
  },
  async endKey(kid, now) {
    const where = { kid, retiredAt: { lte: now }, goneAt: { gt: now } }
    return (await prisma.signingKey.updateMany({ where, data: { goneAt: now } })).count === 1
  },
  async leakBefore({ algorithm, generation }, now) {
    await prisma.signingKey.updateMany({
      where: { algorithm, generation: { lt: generation }, leakedAt: null },
      data: { retiredAt: now, goneAt: now, leakedAt: now },
    })
  },
})

const toKey = ({ leakedAt: _, ...key }: Row): StoredKey => ({
  ...key,
  algorithm: key.algorithm as StoredKey['algorithm'],
  retiredAt: key.retiredAt ?? undefined,
  goneAt: key.goneAt ?? undefined,
})
