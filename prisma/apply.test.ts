import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { emptyUrl, freshUrl, type Kind, kinds } from '#lib/testing/databases/databases'
import { applyMigrations, pending } from './apply.ts'

const run = promisify(execFile)

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  if (url.startsWith('file:')) {
    const db = new Sqlite(url.slice('file:'.length))
    try {
      return db.prepare(sql).all() as Record<string, unknown>[]
    } finally {
      db.close()
    }
  }
  const db = new pg.Client(url)
  await db.connect()
  const { rows } = await db.query(sql)
  await db.end()
  return rows
}

/** Returns a copy of the real migrations with one more migration. */
function folderWith(kind: Kind, sql: string, name = '99990101000000_added'): string {
  const folder = mkdtempSync(join(inject('temporaryFolder'), 'migrations-'))
  cpSync('prisma/migrations', folder, { recursive: true })
  const added = join(folder, kind, name)
  mkdirSync(added)
  writeFileSync(join(added, 'migration.sql'), sql)
  return folder
}

describe.each(kinds)('migrations on %s', (kind) => {
  it('applies the migrations once when three processes start together', async () => {
    const url = await emptyUrl(kind)
    const script = `import { applyMigrations } from './prisma/apply.ts'; console.log((await applyMigrations(process.argv[1])).length)`
    const starts = [1, 2, 3].map(() => run(process.execPath, ['--input-type=module', '-e', script, url]))
    const applied = (await Promise.all(starts)).map(({ stdout }) => Number(stdout))
    expect(applied.filter((count) => count > 0)).toHaveLength(1)
    expect(await ask(url, 'SELECT id FROM "Team"')).toEqual([])
  })

  it('rolls back a failed migration completely', async () => {
    const url = await emptyUrl(kind)
    await expect(
      applyMigrations(url, folderWith(kind, 'CREATE TABLE half (a TEXT); SELECT nonsense;')),
    ).rejects.toThrow()
    await applyMigrations(url)
    await expect(ask(url, 'SELECT * FROM half')).rejects.toThrow()
  })

  it('accepts the expand steps of a newer version, and rejects its contract step with a clear message', async () => {
    const url = await emptyUrl(kind)
    await applyMigrations(url, folderWith(kind, 'CREATE TABLE added (a TEXT);'))
    expect(await applyMigrations(url)).toEqual([])
    const name = '99991231000001_contract_added'
    await applyMigrations(url, folderWith(kind, 'DROP TABLE added;', name))
    await expect(applyMigrations(url)).rejects.toThrow(`${name}, which this version does not know and cannot run with`)
  })

  it('rejects an edited migration with a clear message', async () => {
    const url = await emptyUrl(kind)
    await applyMigrations(url, folderWith(kind, 'CREATE TABLE added (a TEXT);'))
    await expect(applyMigrations(url, folderWith(kind, 'CREATE TABLE added (b TEXT);'))).rejects.toThrow(/edited/)
  })
})

describe('a migration of a table that another session of PostgreSQL uses', () => {
  const sql = 'ALTER TABLE "Team" ADD COLUMN later TEXT; ALTER TABLE "Authorization" ADD COLUMN later TEXT;'

  /** Opens a session that holds what pg_dump holds until its end. */
  async function openDump(url: string) {
    const dump = new pg.Client({ connectionString: url, application_name: 'pg_dump' })
    await dump.connect()
    await dump.query('BEGIN; LOCK TABLE "Authorization" IN ACCESS SHARE MODE')
    const { rows } = await dump.query('SELECT pg_backend_pid() AS pid')
    onTestFinished(() => dump.end())
    return { end: () => dump.query('ROLLBACK'), pid: rows[0].pid }
  }

  it('waits in short steps between which running processes use the table, and keeps other starts waiting', async () => {
    const url = await freshUrl('postgresql')
    const dump = await openDump(url)
    const reports: string[] = []
    const waits = { report: (one: string) => void reports.push(one), lock: 500, pause: 300, tries: 100 }
    const migrating = applyMigrations(url, folderWith('postgresql', sql), waits)
    await expect.poll(() => reports.length).toBeGreaterThan(0)
    const hurried = `${url}?options=-c%20statement_timeout%3D5s`
    for (const table of ['Team', 'Authorization']) expect(await ask(hurried, `SELECT 1 FROM "${table}"`)).toEqual([])
    expect(await ask(url, 'SELECT pg_try_advisory_xact_lock(72707369) AS free')).toEqual([{ free: false }])
    await dump.end()
    expect(await migrating).toEqual(['99990101000000_added'])
    expect(reports[0]).toContain(`pg_dump (process ${dump.pid}, role ${new URL(url).username}) on "Authorization"`)
  })

  it('ends with the session that holds the lock and leaves the database as it was', async () => {
    const url = await freshUrl('postgresql')
    const { pid } = await openDump(url)
    const migrating = applyMigrations(url, folderWith('postgresql', sql), { lock: 500, pause: 1, tries: 2 })
    await expect(migrating).rejects.toThrow(new RegExp(`process ${pid}.*pg_terminate_backend`))
    await expect(ask(url, 'SELECT later FROM "Team"')).rejects.toThrow('does not exist')
  })
})

it('keeps the children when a parent table is rebuilt on SQLite', async () => {
  const url = await emptyUrl('sqlite')
  await applyMigrations(url)
  const db = new Sqlite(url.slice('file:'.length))
  db.exec(`INSERT INTO "Team" (id, name, "createdAt", "updatedAt") VALUES ('t', 'T', 0, 0); INSERT INTO "Person" (id, username, name, nickname, biography, gender, birthdate, region, locale, "profileUpdatedAt", "createdAt") VALUES ('p', 'p', '', '', '', '', '', '', '', 0, 0);
    INSERT INTO "Subject" ("personId", "teamId", sub, "createdAt") VALUES ('p', 't', 's', 0)`)
  db.close()
  const rebuild = `PRAGMA defer_foreign_keys=ON; PRAGMA foreign_keys=OFF;
    CREATE TABLE "new_Team" ("id" TEXT NOT NULL PRIMARY KEY, "name" TEXT NOT NULL, "createdAt" DATETIME NOT NULL, "updatedAt" DATETIME NOT NULL);
    INSERT INTO "new_Team" SELECT id, name, "createdAt", "updatedAt" FROM "Team"; DROP TABLE "Team"; ALTER TABLE "new_Team" RENAME TO "Team";`
  await applyMigrations(url, folderWith('sqlite', rebuild))
  expect(await ask(url, 'SELECT sub FROM "Subject"')).toEqual([{ sub: 's' }])
})

it('keeps the counted attempts when their table is rebuilt on SQLite', async () => {
  const url = await emptyUrl('sqlite')
  await applyMigrations(url)
  const db = new Sqlite(url.slice('file:'.length))
  const columns = '"key" TEXT NOT NULL PRIMARY KEY, "points" INTEGER NOT NULL, "expire" DATETIME'
  db.exec(`DROP TABLE "Attempt"; CREATE TABLE "Attempt" (${columns}); CREATE INDEX "Attempt_expire_idx" ON "Attempt"("expire");
    ALTER TABLE "Attempt" ADD COLUMN "heldUntil" BIGINT NOT NULL DEFAULT 0; CREATE UNIQUE INDEX "Session_publicId_key" ON "Session"("publicId");
    INSERT INTO "Attempt" VALUES ('a', 3, 1700000000000, 1700000000001), ('b', 1, NULL, 0);`)
  const rows = () => db.prepare('SELECT * FROM "Attempt" ORDER BY key').all()
  const before = rows()
  db.exec(readFileSync('prisma/migrations/sqlite/20261130200001_fewer_pages_of_a_sign_in/migration.sql', 'utf8'))
  expect([before.length, rows()]).toEqual([2, before])
  const [{ detail } = { detail: '' }] = db
    .prepare<[], { detail: string }>('EXPLAIN QUERY PLAN SELECT key FROM "Attempt" WHERE expire < 5')
    .all()
  expect(detail).toContain('Attempt_expire_idx')
  db.close()
})

it('checks foreign keys after the commit and rejects every start until they hold', async () => {
  const url = await emptyUrl('sqlite')
  await applyMigrations(url)
  const orphan = `INSERT INTO "Subject" ("personId", "teamId", sub, "createdAt") VALUES ('nobody', 'none', 's', 0);`
  const folder = folderWith('sqlite', orphan)
  await expect(applyMigrations(url, folder)).rejects.toThrow(/left 2 rows without their parent/)
  // The migration is committed although the check failed, and the next start repeats the check.
  expect(await ask(url, 'SELECT sub FROM "Subject"')).toEqual([{ sub: 's' }])
  await expect(applyMigrations(url, folder)).rejects.toThrow(/left 2 rows without their parent/)
  const db = new Sqlite(url.slice('file:'.length))
  db.exec('DELETE FROM "Subject"')
  db.close()
  expect(await applyMigrations(url, folder)).toEqual([])
  expect(await ask(url, 'SELECT count(*) AS n FROM _prisma_migrations WHERE finished_at IS NULL')).toEqual([{ n: 0 }])
})

it('returns only migrations that are not in the ledger as pending', () => {
  const known = ['1', '2'].map((name) => ({ name, sql: '', checksum: name }))
  const done = { migration_name: '1', checksum: '1', finished_at: 1, rolled_back_at: null }
  expect(pending(known, [done]).map(({ name }) => name)).toEqual(['2'])
  expect(() => pending(known, [{ ...done, finished_at: null }])).toThrow(/did not finish/)
})
