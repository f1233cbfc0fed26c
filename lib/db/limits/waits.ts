import type { Prisma } from '#lib/db/engine/client'

/** The waits under keys that begin with one of some texts. */
export const waitStore = (prisma: Prisma) => {
  const keysOf = async (beginnings: string[]) => {
    // The databases compare the letters of a beginning in their own ways; an exact look follows.
    const where = { OR: beginnings.map((beginning) => ({ key: { startsWith: beginning } })) }
    const rows = await prisma.attempt.findMany({ where })
    return rows.filter(({ key }) => beginnings.some((beginning) => key.startsWith(beginning)))
  }
  return {
    /** Returns the moment until which the longest wait lasts; undefined when none does. */
    async longest(beginnings: string[], now: Date): Promise<Date | undefined> {
      const rows = await keysOf(beginnings)
      const until = Math.max(
        0,
        ...rows.filter(({ expire }) => expire && expire > now).map((row) => Number(row.heldUntil)),
      )
      return until > now.getTime() ? new Date(until) : undefined
    },
    /** Forgets what was counted, and so ends every wait; returns how many keys there were. */
    async end(beginnings: string[]): Promise<number> {
      const keys = (await keysOf(beginnings)).map(({ key }) => key)
      return keys.length === 0 ? 0 : (await prisma.attempt.deleteMany({ where: { key: { in: keys } } })).count
    },
  }
}
