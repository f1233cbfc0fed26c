import type { Database } from '#lib/db/engine/client'
import { statementsOf, toDate } from '#lib/db/engine/statements'

/** The sweep of one table. */
export type Sweep = {
  table: string
  /** Deletes a batch of expired rows; `heldMs` is how long that blocked the event loop. */
  run(now: Date, rows: number): Promise<{ count: number; heldMs: number }>
  /** Counts the rows that have expired, to 10,000 at most, and returns when the oldest expired. */
  readBacklog(now: Date): Promise<Backlog>
}

export type Backlog = { rows: number; oldest: Date | undefined }

/** Counting stops here, because an index of millions of rows takes too long to read. */
export const mostCounted = 10_000

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
  { table: 'EmailChange', key: ['id'], column: 'expiresAt' },
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
    (SELECT ${primaryKey} FROM "${table}" WHERE "${column}" <= $1 AND "${column}" >= $3 ORDER BY "${column}" LIMIT $2)`
}

/** Counts expired rows in the order of the index. */
export const backlogStatement = ({ table, column }: Pick<Expiry, 'table' | 'column'>): string =>
  `SELECT count(*) AS "rows", min(at) AS oldest
    FROM (SELECT "${column}" AS at FROM "${table}" WHERE "${column}" <= $1 ORDER BY "${column}" LIMIT $2) AS expired`

/** Returns one sweep for each table. */
export const sweeps = (database: Database): Sweep[] =>
  expiries.map((expiry) => {
    const { table, keep = 0 } = expiry
    const before = (now: Date) => new Date(now.getTime() - keep)
    const backlog = { name: `backlog-${table}`, sql: backlogStatement(expiry) }
    const remove = database.kind === 'sqlite' ? removeOnSqlite(database, expiry) : removeOnPostgres(database, expiry)
    return {
      table,
      run: (now, rows) => remove(before(now), rows),
      async readBacklog(now) {
        const row = await statementsOf(database).find(backlog, [before(now), mostCounted])
        const oldest = toDate(row?.oldest)
        return { rows: Number(row?.rows ?? 0), oldest: oldest && new Date(oldest.getTime() + keep) }
      },
    }
  })

type Remove = (before: Date, rows: number) => ReturnType<Sweep['run']>

/** Measures the statement alone: the wait for the transactions of requests does not block the event loop. */
function removeOnSqlite({ sqlite }: Database & { kind: 'sqlite' }, expiry: Expiry): Remove {
  const statement = sqlite.driver.prepare(sweepStatement(expiry).replaceAll(/\$\d/g, '+?'))
  return async (before, rows) => {
    const removed = await sqlite.write(() => {
      const began = performance.now()
      const { changes } = statement.run(before.getTime(), before.getTime(), 0, rows)
      return { count: changes, heldMs: performance.now() - began }
    })
    // `write` has counted one write already. A sweep that removes nothing must count none.
    sqlite.countWrites(removed.count * writesOfRow - 1)
    return removed
  }
}

/**
 * A removed row counts as this many writes until the next checkpoint: expired rows are scattered, so each changes a page of
 * the table and pages of its indexes. Fifty removed rows request a checkpoint.
 */
const writesOfRow = 4

/**
 * On PostgreSQL the index keeps the entries of deleted rows until a vacuum. Each batch begins where the last one ended, so
 * that it does not read the entries of all earlier batches again.
 */
function removeOnPostgres(database: Database, expiry: Expiry): Remove {
  const sql = `WITH gone AS (${sweepStatement(expiry)} RETURNING "${expiry.column}" AS at)
    SELECT count(*) AS "rows", max(at) AS latest FROM gone`
  const statement = { name: `sweep-${expiry.table}`, sql }
  let from = new Date(0)
  return async (before, rows) => {
    const row = await statementsOf(database).write(statement, [before, rows, from])
    const count = Number(row?.rows ?? 0)
    // After the last batch, the next sweep also looks for rows that came with an earlier time.
    from = count < rows ? new Date(0) : (toDate(row?.latest) ?? from)
    // PostgreSQL is another process: waiting for it does not block the event loop.
    return { count, heldMs: 0 }
  }
}
