import type { Database } from '#lib/db/engine/client'
import { statementsOf, toDate } from '#lib/db/engine/statements'

type Clock = { now: string; inSeconds(seconds: number): string }

/** Returns SQL expressions for times of the database's clock, to the millisecond, as the columns store them. */
export const databaseClock = (kind: Database['kind']): Clock => clocks[kind]

const ofSqlite = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`
// A statement that waits for a lock reads the time after the wait.
const ofPostgres = `(clock_timestamp() AT TIME ZONE 'UTC')::timestamp(3)`

const clocks: Record<Database['kind'], Clock> = {
  sqlite: { now: ofSqlite, inSeconds: (seconds) => `(${ofSqlite} + ${seconds * 1000})` },
  postgresql: { now: ofPostgres, inSeconds: (seconds) => `(${ofPostgres} + interval '${seconds} seconds')` },
}

/** Reads the clock of the database. */
export async function readDatabaseClock(database: Database): Promise<Date> {
  const statement = { name: 'database-clock', sql: `SELECT ${databaseClock(database.kind).now} AS now` }
  return toDate((await statementsOf(database).find(statement, []))?.now) as Date
}
