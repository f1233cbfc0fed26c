import type { Database } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'

/** Deletes a batch of expired rows of one table; `heldMs` is how long that blocked the event loop. */
export type Sweep = { table: string; run(now: Date, rows: number): Promise<{ count: number; heldMs: number }> }

/** A row expires `keep` milliseconds after the time in `column`, which needs an index. `key` is the primary key. */
export type Expiry = { table: string; key: string[]; column: string; keep?: number }

const [hour, day] = [3_600_000, 86_400_000]

/** Every table that grows with traffic, except LogoutDelivery, whose overdue rows the job give-up-deliveries reports. */
export const expiries: Expiry[] = [
  { table: 'Authorization', key: ['id'], column: 'keepUntil' },
  { table: 'RevokedToken', key: ['jti'], column: 'expiresAt' },
  { table: 'UsedAssertion', key: ['id'], column: 'expiresAt' },
  { table: 'PushedRequest', key: ['id'], column: 'expiresAt' },
  // A day after the last attempt: an event can be sent again for a day, and its end can be read for another.
  { table: 'SecurityEvent', key: ['id'], column: 'until', keep: day },
  { table: 'UsedProof', key: ['id'], column: 'expiresAt' },
  { table: 'Session', key: ['id'], column: 'expiresAt' },
  // Thirteen months, so that events of a year ago can be looked up.
  { table: 'Activity', key: ['id'], column: 'at', keep: 400 * day },
  // The delay before the next code depends on expired codes for up to an hour.
  { table: 'EmailCode', key: ['personId', 'purpose'], column: 'expiresAt', keep: hour },
  // For 30 days, a visitor reads that the invitation has expired, not that it never existed.
  { table: 'Invitation', key: ['hash'], column: 'expiresAt', keep: 30 * day },
  { table: 'TeamInvitation', key: ['id'], column: 'expiresAt' },
  { table: 'TeamToken', key: ['id'], column: 'expiresAt' },
  { table: 'RegistrationToken', key: ['id'], column: 'expiresAt' },
  // Two years, so that a change of the year before can be explained.
  { table: 'TeamAct', key: ['id'], column: 'at', keep: 2 * 365 * day },
  // A year and the current day, which is what the pages show.
  { table: 'AppUsage', key: ['appId', 'day', 'what'], column: 'day', keep: 366 * day },
  // Sixty days after a transfer its map is gone. The row of the transfer goes a day later, so that it takes no map with it.
  { table: 'MovedSubject', key: ['transferId', 'oldSub'], column: 'until' },
  { table: 'AppTransfer', key: ['id'], column: 'expiresAt', keep: day },
  { table: 'Failure', key: ['id'], column: 'lastAt', keep: 7 * day },
  { table: 'AppTrial', key: ['personId', 'appId'], column: 'expiresAt' },
  { table: 'OperatorAct', key: ['id'], column: 'at', keep: 2 * 365 * day },
  // For an hour, operators see that a node ended without a goodbye.
  { table: 'Node', key: ['id'], column: 'beatAt', keep: hour },
  { table: 'Attempt', key: ['key'], column: 'expire' },
  // The tables of the relay (relay §§1, 6, 7): receipts, threads, fingerprints, reverse addresses and bounces.
  { table: 'RelayReceipt', key: ['id'], column: 'expiresAt' },
  { table: 'ThreadMark', key: ['id'], column: 'expiresAt' },
  { table: 'SentMessage', key: ['id'], column: 'expiresAt' },
  // No reply is expected two years after the last message of an address.
  { table: 'ReverseAddress', key: ['token'], column: 'lastUsedAt', keep: 2 * 365 * day },
  { table: 'ReturnedMail', key: ['id'], column: 'at', keep: 2 * day },
]

/**
 * Deletes the oldest expired rows. ORDER BY makes both databases use the index on the column, whatever their
 * statistics. The outer condition keeps a row that was renewed after the inner query read it.
 */
export function sweepStatement({ table, key, column }: Expiry): string {
  const primaryKey = key.map((part) => `"${part}"`).join(', ')
  return `DELETE FROM "${table}" WHERE "${column}" <= $1 AND (${primaryKey}) IN
    (SELECT ${primaryKey} FROM "${table}" WHERE "${column}" <= $1 ORDER BY "${column}" LIMIT $2)`
}

/** Returns one sweep for each table. */
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
        // PostgreSQL is another process: waiting for it does not block the event loop.
        return { count, heldMs: database.kind === 'sqlite' ? performance.now() - began : 0 }
      },
    }
  })
}
