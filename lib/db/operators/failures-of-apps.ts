import type { FailuresOfApps } from '#lib/admin/failures'
import type { Prisma } from '#lib/db/engine/client'

/** Reads the failures of all apps. */
export const failuresOfApps = (prisma: Prisma): FailuresOfApps => ({
  async list(before, take) {
    const orderBy = [{ lastAt: 'desc' as const }, { id: 'desc' as const }]
    const where = before ? { lastAt: { lt: before } } : {}
    const rows = await prisma.failure.findMany({ where, select: shown, orderBy, take })
    const last = rows.length === take ? rows.at(-1) : undefined
    if (!last) return rows
    // Failures of the same time all go on one page, because the next page starts with earlier times.
    const same = { lastAt: last.lastAt, id: { lt: last.id } }
    return [...rows, ...(await prisma.failure.findMany({ where: same, select: shown, orderBy, take: 500 }))]
  },
})

const shown = {
  id: true,
  app: { select: { id: true, name: true } },
  endpoint: true,
  code: true,
  reason: true,
  count: true,
  lastAt: true,
} as const
