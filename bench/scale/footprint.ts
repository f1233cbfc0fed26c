import type { Database } from '#lib/db/engine/client'
import type { Installation } from '../endurance/installation.ts'

/** Describes the size of the tables and indexes that grow with authorizations and people, in bytes for each row. */
export async function describeFootprint({ open }: Installation): Promise<string> {
  const database = await open()
  try {
    const sizes = database.kind === 'sqlite' ? sizesOnSqlite(database) : await sizesOnPostgres(database)
    const rows = new Map<string, number>()
    for (const table of tables) rows.set(table, await countRows(database, table))
    const lines = sizes.map(({ table, name, bytes }) => {
      const each = Math.round(bytes / (rows.get(table) as number))
      return `| ${[table, name === table ? 'rows' : name, (bytes / 2 ** 20).toFixed(0), each].join(' | ')} |`
    })
    return ['| table | part | MiB | bytes a row |', '| --- | --- | --: | --: |', ...lines].join('\n')
  } finally {
    await database.close()
  }
}

const tables = ['Authorization', 'Person']
const list = tables.map((table) => `'${table}'`).join(', ')

type Size = { table: string; name: string; bytes: number }

function sizesOnSqlite({ sqlite }: Database & { kind: 'sqlite' }): Size[] {
  return sqlite.driver
    .prepare(`SELECT m.tbl_name AS "table", m.name, s.pgsize AS bytes FROM sqlite_master m
      JOIN dbstat s ON s.name = m.name AND s.aggregate = TRUE WHERE m.tbl_name IN (${list}) ORDER BY 1, 3 DESC`)
    .safeIntegers(false)
    .all() as Size[]
}

async function sizesOnPostgres({ pool }: Database & { kind: 'postgresql' }): Promise<Size[]> {
  const { rows } =
    await pool.query(`SELECT t.relname AS "table", i.relname AS name, pg_relation_size(i.oid)::float8 AS bytes
    FROM pg_class t LEFT JOIN pg_index x ON x.indrelid = t.oid JOIN pg_class i ON i.oid IN (x.indexrelid, t.oid)
    WHERE t.relname IN (${list}) AND t.relkind = 'r' GROUP BY 1, 2, i.oid ORDER BY 1, 3 DESC`)
  return rows
}

async function countRows(database: Database, table: string): Promise<number> {
  const sql = `SELECT count(*) AS rows FROM "${table}"`
  if (database.kind === 'sqlite')
    return (database.sqlite.driver.prepare(sql).safeIntegers(false).get() as { rows: number }).rows
  return Number((await database.pool.query(sql)).rows[0].rows)
}
