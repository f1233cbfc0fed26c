import type BetterSqlite from 'better-sqlite3'
import type pg from 'pg'
import { makeBatches } from './batches.ts'
import type { Database } from './client.ts'
import type { SharedSqlite } from './sqlite.ts'

export type Value = string | number | boolean | Date | Buffer | null | undefined

export type Row = Record<string, unknown>

/** A prepared statement by name; `$1`, `$2` … stand for its values on both databases. */
export type Statement = {
  name: string
  sql: string
  /**
   * The PostgreSQL types of the values, if its concurrent uses may run as one: a SELECT of at most one row, or an UPDATE
   * of one row, whose condition begins with a unique column and the first value, such as `WHERE id = $1`.
   */
  types?: readonly string[]
}

/** The hot path: prepared statements on the driver below Prisma, for tables that Prisma defines (design §6). */
export type Statements = {
  kind: Database['kind']
  find(statement: Statement, values: Value[]): Promise<Row | undefined>
  /** Returns the number of changed rows; on SQLite, after a commit that concurrent requests share. */
  change(statement: Statement, values: Value[]): Promise<number>
  /** Returns the row of a write with RETURNING; undefined if the write changed no row. */
  write(statement: Statement, values: Value[]): Promise<Row | undefined>
  /**
   * Runs a write with RETURNING again and again, with the values that `next` returns for the rows so far, until it returns
   * undefined or the write changes no row. Returns the rows. SQLite commits all of these writes together.
   */
  writeWhile(statement: Statement, next: (rows: Row[]) => Value[] | undefined): Promise<Row[]>
}

export const statementsOf = (database: Database): Statements =>
  database.kind === 'sqlite' ? onSqlite(database.sqlite) : onPostgres(database.pool)

function onSqlite(sqlite: SharedSqlite): Statements {
  const prepared = new Map<string, Prepared>()
  const prepare = ({ name, sql }: Statement) => {
    let known = prepared.get(name)
    if (!known) {
      // The driver takes one value for each placeholder, in order of appearance.
      const order = [...sql.matchAll(/\$(\d+)/g)].map((mark) => Number(mark[1]) - 1)
      // `+?` instead of `?`: for a bare placeholder, SQLite plans the statement again for each value, which takes ten
      // times as long as the query itself (sqlite3_prepare_v2, with SQLITE_ENABLE_STAT4).
      known = { statement: sqlite.driver.prepare(sql.replaceAll(/\$\d+/g, '+?')).safeIntegers(false), order }
      prepared.set(name, known)
    }
    return known
  }
  const inOrder = ({ order }: Prepared, values: Value[]) => order.map((position) => forSqlite(values[position]))
  return {
    kind: 'sqlite',
    find: (statement, values) => {
      const known = prepare(statement)
      return sqlite.read(() => known.statement.get(...inOrder(known, values)) as Row | undefined)
    },
    change: (statement, values) => {
      const known = prepare(statement)
      return sqlite.write(() => known.statement.run(...inOrder(known, values)).changes)
    },
    write: (statement, values) => {
      const known = prepare(statement)
      return sqlite.write(() => known.statement.get(...inOrder(known, values)) as Row | undefined)
    },
    writeWhile: (statement, next) => {
      const known = prepare(statement)
      return sqlite.write(() => {
        const rows: Row[] = []
        for (let values = next(rows); values; values = next(rows)) {
          const row = known.statement.get(...inOrder(known, values)) as Row | undefined
          if (!row) break
          rows.push(row)
        }
        return rows
      })
    },
  }
}

type Prepared = { statement: BetterSqlite.Statement; order: number[] }

function onPostgres(pool: pg.Pool): Statements {
  const ask = ({ name, sql, mayRepeat }: Statement & { mayRepeat?: boolean }, values: unknown[]) =>
    pool.query<Row>({ name, text: sql, values, mayRepeat } as pg.QueryConfig)
  const run = (statement: Statement, values: Value[]) => ask(statement, values.map(forPostgres))
  const inBatch = makeBatches(async (statement, values) => (await ask(statement, values)).rows)
  const one = ({ types, ...statement }: Statement, values: Value[]) =>
    types && inBatch({ ...statement, types }, values.map(forPostgres))
  return {
    kind: 'postgresql',
    find: async (statement, values) =>
      await (one(statement, values) ?? run(statement, values).then(({ rows }) => rows[0])),
    change: async (statement, values) => {
      const changed = one(statement, values)
      if (changed) return (await changed) ? 1 : 0
      return (await run(statement, values)).rowCount ?? 0
    },
    write: async (statement, values) => (await run(statement, values)).rows[0],
    async writeWhile(statement, next) {
      const rows: Row[] = []
      for (let values = next(rows); values; values = next(rows)) {
        const [row] = (await run(statement, values)).rows
        if (!row) break
        rows.push(row)
      }
      return rows
    },
  }
}

/** SQLite stores a time as integer milliseconds, as Prisma's adapter writes it. */
function forSqlite(value: Value) {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'boolean' ? Number(value) : (value ?? null)
}

/** Writes a Date in UTC; the driver would use the time zone of the process. */
const forPostgres = (value: Value) => (value instanceof Date ? value.toISOString() : (value ?? null))

/** Returns a stored time of either database as a Date. */
export function toDate(value: unknown): Date | undefined {
  if (value === null || value === undefined) return undefined
  return value instanceof Date ? value : new Date(value as number)
}
