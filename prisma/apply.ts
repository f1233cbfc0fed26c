import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import pg from 'pg'

/**
 * Applies pending migrations in one transaction that is also the start-up lock, so that processes starting together
 * are safe; keeps Prisma's own ledger. Returns the names applied.
 */
export function applyMigrations(databaseUrl: string, folder = 'prisma/migrations'): Promise<string[]> {
  return databaseUrl.startsWith('file:')
    ? applySqlite(databaseUrl.slice('file:'.length), migrationsIn(`${folder}/sqlite`))
    : applyPostgres(databaseUrl, migrationsIn(`${folder}/postgresql`))
}

type Migration = { name: string; sql: string; checksum: string }
type Row = { migration_name: string; checksum: string; finished_at: unknown; rolled_back_at: unknown }

async function applySqlite(file: string, known: Migration[]): Promise<string[]> {
  const db = new Database(file, { timeout: 0 })
  try {
    await patiently(() => db.pragma('journal_mode = WAL'))
    db.pragma('synchronous = FULL')
    // Rebuilding a parent table with foreign keys on would delete its children by cascade; inside BEGIN the pragma is ignored.
    db.pragma('foreign_keys = OFF')
    await patiently(() => db.exec('BEGIN IMMEDIATE'))
    db.exec(ledger('TEXT', 'DATETIME'))
    const todo = pending(known, db.prepare('SELECT * FROM _prisma_migrations').all() as Row[])
    const enter = db.prepare(
      'INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count) VALUES (?, ?, ?, ?, ?, 1)',
    )
    for (const migration of todo) {
      db.exec(migration.sql)
      enter.run(randomUUID(), migration.checksum, migration.name, Date.now(), Date.now())
    }
    const orphans = db.pragma('foreign_key_check') as unknown[]
    if (orphans.length > 0) throw new Error(`A migration would leave ${orphans.length} rows without their parent.`)
    db.exec('COMMIT')
    return todo.map((migration) => migration.name)
  } finally {
    db.close()
  }
}

async function applyPostgres(url: string, known: Migration[]): Promise<string[]> {
  const db = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await db.connect()
  try {
    await db.query('BEGIN')
    await db.query('SELECT pg_advisory_xact_lock(72707369)')
    await db.query(ledger('VARCHAR(255)', 'timestamptz'))
    const todo = pending(known, (await db.query<Row>('SELECT * FROM _prisma_migrations')).rows)
    for (const migration of todo) {
      await db.query(migration.sql)
      await db.query(
        'INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), 1)',
        [randomUUID(), migration.checksum, migration.name],
      )
    }
    await db.query('COMMIT')
    return todo.map((migration) => migration.name)
  } finally {
    await db.end()
  }
}

const ledger = (text: string, time: string) => `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  id ${text} PRIMARY KEY NOT NULL, checksum ${text} NOT NULL, finished_at ${time}, migration_name ${text} NOT NULL, logs TEXT,
  rolled_back_at ${time}, started_at ${time} NOT NULL DEFAULT current_timestamp, applied_steps_count INTEGER NOT NULL DEFAULT 0)`

/** The migrations of one database, in order. */
export function migrationsIn(folder: string): Migration[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return names
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(`${folder}/${name}/migration.sql`, 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

/** What is still to do; a ledger that does not match this version's files is refused, never guessed at. */
export function pending(known: Migration[], applied: Row[]): Migration[] {
  const standing = applied.filter((row) => !row.rolled_back_at)
  for (const row of standing) {
    const same = known.find((migration) => migration.name === row.migration_name)
    if (!same)
      throw new Error(
        `The database has migration ${row.migration_name}, which this version does not know: it was used by a newer Postern. Start that version, or restore a backup.`,
      )
    if (same.checksum !== row.checksum)
      throw new Error(`Migration ${same.name} was edited after it was applied. Restore its file.`)
    if (!row.finished_at) throw new Error(`Migration ${same.name} did not finish. Restore a backup.`)
  }
  return known.filter((migration) => !standing.some((row) => row.migration_name === migration.name))
}

/** Another process may be migrating the same file: wait up to a minute for it. */
async function patiently(run: () => unknown) {
  for (let tries = 0; ; tries++) {
    try {
      return run()
    } catch (fault) {
      if (tries >= 1200 || !String((fault as { code?: string }).code).startsWith('SQLITE_BUSY')) throw fault
      await pause(50)
    }
  }
}
