import type { Database } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'

/** Removes some expired rows of one table; `heldMs` is how long that held this process's event loop. */
export type Sweep = { table: string; run(now: Date, rows: number): Promise<{ count: number; heldMs: number }> }

/** Rows whose `column` is older than `keep` milliseconds have expired; it needs an index, and `key` is the primary key. */
export type Expiry = { table: string; key: string[]; column: string; keep?: number }

const [hour, day] = [3_600_000, 86_400_000]

/** Every table that grows with traffic. */
export const expiries: Expiry[] = [
  { table: 'Authorization', key: ['id'], column: 'keepUntil' },
  { table: 'RevokedToken', key: ['jti'], column: 'expiresAt' },
  { table: 'UsedAssertion', key: ['id'], column: 'expiresAt' },
  { table: 'Session', key: ['id'], column: 'expiresAt' },
  // A year and a month: what happened a year ago can still be looked up.
  { table: 'Activity', key: ['id'], column: 'at', keep: 400 * day },
  // Expired codes still count letters: they go when no delay can depend on them.
  { table: 'EmailCode', key: ['personId', 'purpose'], column: 'expiresAt', keep: hour },
  // A late visitor still learns that the invitation is over, not that it never was.
  { table: 'Invitation', key: ['hash'], column: 'expiresAt', keep: 30 * day },
  { table: 'Attempt', key: ['key'], column: 'expire' },
  // What mail leaves behind (relay §§1, 6, 7): marks of messages and threads, and counts of a day.
  { table: 'RelayReceipt', key: ['id'], column: 'expiresAt' },
  { table: 'ThreadMark', key: ['id'], column: 'expiresAt' },
  { table: 'SentMessage', key: ['id'], column: 'expiresAt' },
  // Nobody answers a message two years after the last one under its address.
  { table: 'ReverseAddress', key: ['token'], column: 'lastUsedAt', keep: 2 * 365 * day },
  { table: 'ReturnedMail', key: ['id'], column: 'at', keep: 2 * day },
]

/**
 * Deletes the oldest expired rows. The order makes both databases walk the index on the column, whatever their
 * statistics say; the outer condition spares a row that was renewed in between.
 */
export function sweepStatement({ table, key, column }: Expiry): string {
  const primaryKey = key.map((part) => `"${part}"`).join(', ')
  return `DELETE FROM "${table}" WHERE "${column}" <= $1 AND (${primaryKey}) IN
    (SELECT ${primaryKey} FROM "${table}" WHERE "${column}" <= $1 ORDER BY "${column}" LIMIT $2)`
}

/** How the expired rows of each table go, some at a time. */
export function sweeps(database: Database): Sweep[] {
  const statements = statementsOf(database)
  return expiries.map((expiry) => {
    const statement = { name: `sweep-${expiry.table}`, sql: sweepStatement(expiry) }
    return {
      table: expiry.table,
      async run(now, rows) {
        const before = new Date(now.getTime() - (expiry.keep ?? 0))
        const began = performance.now()
        const count = await statements.change(statement, [before, rows])
        // PostgreSQL works in a process of its own, and a waiting connection holds nothing up here.
        return { count, heldMs: database.kind === 'sqlite' ? performance.now() - began : 0 }
      },
    }
  })
}
