import { randomUUID } from 'node:crypto'
import type { Activity, ActivityStore } from '#lib/account/activity/activity'
import type { Prisma } from '#lib/db/engine/client'

/** Stores the audit trail of accounts. */
export const activityStore = (prisma: Prisma): ActivityStore => ({
  async record(personId, { detail, ...activity }) {
    await prisma.activity.create({ data: { id: randomUUID(), personId, ...activity, detail: JSON.stringify(detail) } })
  },
  async list(personId, before, most, kinds) {
    const orderBy = [{ at: 'desc' }, { id: 'desc' }] as const
    const own = { personId, ...(kinds && { kind: { in: kinds } }) }
    const where = { ...own, ...(before && { at: { lt: before } }) }
    const rows = await prisma.activity.findMany({ where, orderBy: [...orderBy], take: most })
    const last = rows.length === most ? rows.at(-1) : undefined
    // Entries with the same time all go on one page, because the next page starts with earlier times.
    const same = last && { ...own, at: last.at, id: { lt: last.id } }
    const rest = same ? await prisma.activity.findMany({ where: same, orderBy: { id: 'desc' } }) : []
    return [...rows, ...rest].map(({ at, kind, detail, address, device }) => ({
      at,
      kind: kind as Activity['kind'],
      detail: JSON.parse(detail),
      address,
      device,
    }))
  },
})
