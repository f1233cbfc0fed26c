import type { Activity, ActivityStore } from '#lib/account/activity/activity'
import { makeOrderedId, random } from '#lib/crypto/random'
import type { Database } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'

/** Stores the audit trail of accounts. */
export function activityStore(database: Database): ActivityStore {
  const { prisma } = database
  const { change } = statementsOf(database)
  return {
    async record(personId, { at, kind, detail, address, device }) {
      await change(record, [makeOrderedId(at, random), personId, at, kind, JSON.stringify(detail), address, device])
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
  }
}

const record = {
  name: 'record-activity',
  sql: 'INSERT INTO "Activity" (id, "personId", at, kind, detail, address, device) VALUES ($1, $2, $3, $4, $5, $6, $7)',
}
