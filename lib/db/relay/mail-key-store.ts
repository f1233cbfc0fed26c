import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'
import type { MailKeyAlgorithm, MailKeyStore, StoredMailKey } from '#lib/relay/dkim/store'

/** Stores DKIM keys; of processes that make the same generation at once, one succeeds. */
export const mailKeyStore = (prisma: Prisma): MailKeyStore => ({
  async listMailKeys() {
    const rows = await prisma.mailKey.findMany({ orderBy: [{ generation: 'asc' }, { algorithm: 'desc' }] })
    return rows.map(({ currentFrom, retiredAt, algorithm, ...row }) => ({
      ...row,
      algorithm: algorithm as MailKeyAlgorithm,
      ...stateOf(currentFrom, retiredAt),
    }))
  },
  async insertGeneration(keys) {
    try {
      await prisma.mailKey.createMany({ data: keys.map((key) => ({ ...key, currentFrom: key.currentFrom ?? null })) })
      return true
    } catch (fault) {
      if (isUniqueConflict(fault)) return false
      throw fault
    }
  },
  async promote(generation, now) {
    return prisma.$transaction(async (tx) => {
      const mine = { where: { generation, currentFrom: null }, data: { currentFrom: now } }
      if ((await tx.mailKey.updateMany(mine)).count === 0) return false
      const older = { generation: { lt: generation }, retiredAt: null }
      await tx.mailKey.updateMany({ where: older, data: { retiredAt: now } })
      return true
    })
  },
  async removeWaiting(before) {
    await prisma.mailKey.deleteMany({ where: { generation: { lt: before }, currentFrom: null } })
  },
  async removeRetired(until) {
    return (await prisma.mailKey.deleteMany({ where: { retiredAt: { lte: until } } })).count
  },
})

type State = Pick<StoredMailKey, 'state'> &
  ({ state: 'next' } | { state: 'current'; currentFrom: Date } | { state: 'retired'; retiredAt: Date })

function stateOf(currentFrom: Date | null, retiredAt: Date | null): State {
  if (retiredAt) return { state: 'retired', retiredAt }
  return currentFrom ? { state: 'current', currentFrom } : { state: 'next' }
}
