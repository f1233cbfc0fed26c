import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { freshUrl } from '#lib/testing/databases/databases'
import { setUpCommandLine } from '#lib/testing/process/command-line'
import { openPostern, testKey } from '#lib/testing/process/postern'

/** Holds SQLite's only write lock, as a backup or a long command of another process does. */
function holdWriteLock(url: string) {
  const other = new Sqlite(url.slice('file:'.length))
  other.exec('BEGIN IMMEDIATE')
  onTestFinished(() => void other.close())
}

it('starts without the write lock of SQLite if no migration is pending', async () => {
  const { settings, close } = await openPostern()
  await close()
  holdWriteLock(settings.DATABASE_URL)
  const again = await openPostern({ env: settings })
  expect(await again.context.database.prisma.person.count()).toBe(2)
  await again.close()
})

it('runs a reading command without the write lock of SQLite', async () => {
  const url = await freshUrl('sqlite')
  holdWriteLock(url)
  const { spawnCli } = setUpCommandLine({ DATABASE_URL: url, SECRET_KEY: testKey })
  expect(await spawnCli(['user', 'list'])).toMatchObject({ code: 0, stdout: '[]\n' })
})

it('runs a reading command while another node migrates PostgreSQL', async () => {
  const url = await freshUrl('postgresql')
  const other = new pg.Client(url)
  await other.connect()
  await other.query('BEGIN; SELECT pg_advisory_xact_lock(72707369); LOCK TABLE _prisma_migrations IN EXCLUSIVE MODE')
  const { cli } = setUpCommandLine({ DATABASE_URL: url, SECRET_KEY: testKey })
  expect(await cli(['user', 'list'])).toMatchObject({ code: 0, stdout: '[]\n' })
  await other.end()
})
