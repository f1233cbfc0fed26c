import { existsSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { expect, it } from 'vitest'
import { freshPostgresUrl, freshSqliteFile } from './fresh-database.ts'

it('returns a new, writable path for each SQLite file', () => {
  const [one, two] = [freshSqliteFile(), freshSqliteFile()]
  writeFileSync(one, '')
  expect(existsSync(one)).toBe(true)
  expect(existsSync(two)).toBe(false)
})

it('returns a new database in UTC for each PostgreSQL URL', async () => {
  const urls = await Promise.all([1, 2].map(() => freshPostgresUrl()))
  const said = await Promise.all(urls.map(ask))
  expect(new Set(said.map(({ database }) => database)).size).toBe(2)
  expect(said.map(({ zone }) => zone)).toEqual(['UTC', 'UTC'])
})

async function ask(url: string): Promise<{ database: string; zone: string }> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query("SELECT current_database() AS database, current_setting('TimeZone') AS zone")
    return rows[0]
  } finally {
    await client.end()
  }
}
