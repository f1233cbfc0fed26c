import type { Prisma } from '#lib/db/engine/client'

/** Reads and ends the waits of all keys with one of the given prefixes. */
export const waitStore = (prisma: Pick<Prisma, 'attempt'>) => {
  const keysOf = async (beginnings: string[]) => {
    // The databases differ in case sensitivity of a prefix search; the filter below compares exactly.
    const where = { OR: beginnings.map((beginning) => ({ key: { startsWith: beginning } })) }
    const rows = await prisma.attempt.findMany({ where })
    return rows.filter(({ key }) => beginnings.some((beginning) => key.startsWith(beginning)))
  }
  return {
    /** Returns when the longest current wait ends; undefined if there is none. */
    async longest(beginnings: string[], now: Date): Promise<Date | undefined> {
      const rows = await keysOf(beginnings)
      const until = Math.max(
        0,
        ...rows.filter(({ expire }) => expire && expire > now).map((row) => Number(row.heldUntil)),
      )
      return until > now.getTime() ? new Date(until) : undefined
    },
    /** Deletes the counts and thereby ends every wait; returns the number of keys. */
    async end(beginnings: string[]): Promise<number> {
      const keys = (await keysOf(beginnings)).map(({ key }) => key)
      return keys.length === 0 ? 0 : (await prisma.attempt.deleteMany({ where: { key: { in: keys } } })).count
    },
  }
}
