import { openDatabase } from '#lib/db/engine/client'
import { freshUrl } from './databases.ts'

/** Opens an empty SQLite database that notes each statement it prepares, and explains how it runs one. */
export async function openNotedSqlite() {
  const database = await openDatabase(await freshUrl('sqlite'))
  if (database.kind !== 'sqlite') throw new Error('This database is not SQLite.')
  const { driver } = database.sqlite
  const prepare = driver.prepare.bind(driver)
  const asked: string[] = []
  driver.prepare = (sql: string) => {
    asked.push(sql)
    return prepare(sql)
  }
  return {
    database,
    asked,
    /** Returns the steps of the plan. */
    explain(sql: string): string[] {
      const values = Array.from(sql.match(/\?/g) ?? [], () => null)
      return (prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[]).map(({ detail }) => detail)
    },
  }
}
