import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import pg from 'pg'
import { findPrimary } from '#lib/db/engine/postgres-hosts'
import { serverUrls } from '#lib/text/server-urls'
import { betweenLocks, type LockWaits, usualWaits } from './lock-waits.ts'

/**
 * Applies pending migrations in one transaction, which is also the start-up lock: processes may start together. Keeps
 * Prisma's own ledger. Returns the names of the applied migrations.
 */
export function applyMigrations(
  databaseUrl: string,
  folder = 'prisma/migrations',
  waits: Partial<LockWaits> = {},
): Promise<string[]> {
  return databaseUrl.startsWith('file:')
    ? applySqlite(databaseUrl.slice('file:'.length), migrationsIn(`${folder}/sqlite`))
    : applyPostgres(databaseUrl, migrationsIn(`${folder}/postgresql`), { ...usualWaits, ...waits })
}

type Migration = { name: string; sql: string; checksum: string }
export type Row = {
  migration_name: string
  checksum: string
  finished_at: unknown
  rolled_back_at: unknown
  applied_steps_count?: number
}

/**
 * SQLite has a single write lock. A database without pending migrations is only read. The check of foreign keys,
 * which reads every row, runs after the commit and holds no lock.
 */
async function applySqlite(file: string, known: Migration[]): Promise<string[]> {
  const db = new Database(file, { timeout: 0 })
  try {
    const todo = pending(known, await whileBusy(() => readSqliteLedger(db)))
    const applied = todo.length > 0 ? await migrateSqlite(db, known) : []
    if (unchecked(readSqliteLedger(db)).length > 0) await checkForeignKeys(db)
    return applied
  } finally {
    db.close()
  }
}

async function migrateSqlite(db: Database.Database, known: Migration[]): Promise<string[]> {
  await whileBusy(() => db.pragma('journal_mode = WAL'))
  db.pragma('synchronous = FULL')
  // With foreign keys on, rebuilding a parent table would delete its children by cascade. SQLite ignores this pragma
  // inside a transaction.
  db.pragma('foreign_keys = OFF')
  await whileBusy(() => db.exec('BEGIN IMMEDIATE'))
  db.exec(ledger('TEXT', 'DATETIME'))
  // Another process may have migrated while this one waited for the lock.
  const todo = pending(known, readSqliteLedger(db))
  const enter = db.prepare(
    'INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, applied_steps_count) VALUES (?, ?, ?, ?, 1)',
  )
  for (const migration of todo) {
    db.exec(migration.sql)
    enter.run(randomUUID(), migration.checksum, migration.name, Date.now())
  }
  db.exec('COMMIT')
  return todo.map((migration) => migration.name)
}

/**
 * Marks the migrations that the ledger lists as unchecked as finished. If a row refers to a missing parent, the
 * migrations stay unchecked and no process starts.
 */
async function checkForeignKeys(db: Database.Database): Promise<void> {
  const orphans = db.pragma('foreign_key_check') as unknown[]
  if (orphans.length > 0)
    throw new Error(`A migration left ${orphans.length} rows without their parent. Restore a backup.`)
  const finish = db.prepare(
    'UPDATE _prisma_migrations SET finished_at = ? WHERE finished_at IS NULL AND applied_steps_count > 0',
  )
  await whileBusy(() => finish.run(Date.now()))
}

/**
 * Runs `run` with a connection whose every wait has a timeout, so that a start on a silent network ends with a
 * message.
 */
export async function withPostgres<T>(url: string, run: (db: pg.Client) => Promise<T>, timeout = 10_000): Promise<T> {
  const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
  const db = new pg.Client({
    connectionString: await findPrimary(serverUrls(url), 10_000),
    connectionTimeoutMillis: 10_000,
    query_timeout: timeout,
    ...keepAlive,
  })
  // Without a listener, a connection that is lost between two statements would end the process without a message.
  db.on('error', () => undefined)
  await db.connect()
  try {
    return await run(db)
  } finally {
    await db.end()
  }
}

/** Building an index on a large table takes minutes, and so does waiting for another node that builds it. */
const migrationTimeout = 15 * 60_000

async function applyPostgres(url: string, known: Migration[], waits: LockWaits): Promise<string[]> {
  const todo = pending(known, await withPostgres(url, readPostgresLedger))
  if (todo.length === 0) return []
  return withPostgres(
    url,
    (db) => withPostgres(url, (observer) => migratePostgres(db, observer, known, waits)),
    migrationTimeout,
  )
}

async function migratePostgres(db: pg.Client, observer: pg.Client, known: Migration[], waits: LockWaits) {
  await db.query('BEGIN')
  // The role or a pooler may set limits that are right for requests; `withPostgres` limits the wait for another process.
  for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
    await db.query(`SET LOCAL ${limit} = 0`)
  await db.query('SELECT pg_advisory_xact_lock(72707369)')
  const applied = await betweenLocks(db, observer, () => applyPending(db, known), waits)
  await db.query('COMMIT')
  return applied
}

async function applyPending(db: pg.Client, known: Migration[]): Promise<string[]> {
  await db.query(ledger('VARCHAR(255)', 'timestamptz'))
  const todo = pending(known, await readPostgresLedger(db))
  for (const migration of todo) {
    await db.query(migration.sql)
    await db.query(
      'INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), 1)',
      [randomUUID(), migration.checksum, migration.name],
    )
  }
  return todo.map((migration) => migration.name)
}

/** Returns the applied migrations of a database, or none for an unused one. Takes no lock. */
export function readSqliteLedger(db: Database.Database): Row[] {
  const table = db.prepare("SELECT 1 FROM sqlite_master WHERE name = '_prisma_migrations'").get()
  return table ? (db.prepare('SELECT * FROM _prisma_migrations').all() as Row[]) : []
}

/** Returns the same for PostgreSQL. */
export async function readPostgresLedger(db: pg.Client): Promise<Row[]> {
  const { rows } = await db.query(`SELECT to_regclass('_prisma_migrations') AS found`)
  return rows[0].found ? (await db.query<Row>('SELECT * FROM _prisma_migrations')).rows : []
}

const ledger = (text: string, time: string) => `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  id ${text} PRIMARY KEY NOT NULL, checksum ${text} NOT NULL, finished_at ${time}, migration_name ${text} NOT NULL, logs TEXT,
  rolled_back_at ${time}, started_at ${time} NOT NULL DEFAULT current_timestamp, applied_steps_count INTEGER NOT NULL DEFAULT 0)`

/** Returns the migrations of one database kind, in order. */
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

/**
 * Returns migrations whose foreign keys are not checked yet: the process died after the commit, or is checking now.
 */
export const unchecked = (applied: Row[]): Row[] =>
  applied.filter((row) => !row.rolled_back_at && !row.finished_at && (row.applied_steps_count ?? 0) > 0)

/**
 * Returns whether a migration is a contract step: it removes what older versions use. Its name says so, such as
 * `20270131120000_contract_drop_column` (docs/decisions/0056-expand-then-contract.md).
 */
export const isContract = (migration: string): boolean => /^\d+_contract_/.test(migration)

/**
 * Returns the migrations that remain to be applied. Accepts unknown migrations of a newer version that is being rolled
 * out, unless they are contract steps. Rejects a ledger that otherwise does not match this version's files.
 */
export function pending(known: Migration[], applied: Row[]): Migration[] {
  const standing = applied.filter((row) => !row.rolled_back_at)
  for (const row of standing) {
    const same = known.find((migration) => migration.name === row.migration_name)
    if (!same && isContract(row.migration_name))
      throw new Error(
        `The database has migration ${row.migration_name}, which this version does not know and cannot run with: it was used by a newer Postern. Start that version, or restore a backup.`,
      )
    if (!same) continue
    if (same.checksum !== row.checksum)
      throw new Error(`Migration ${same.name} was edited after it was applied. Restore its file.`)
    if (!row.finished_at && !row.applied_steps_count)
      throw new Error(`Migration ${same.name} did not finish. Restore a backup.`)
  }
  return known.filter((migration) => !standing.some((row) => row.migration_name === migration.name))
}

/** Retries for up to a minute while another process migrates the same file. */
async function whileBusy<T>(run: () => T): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return run()
    } catch (fault) {
      if (tries >= 1200 || !String((fault as { code?: string }).code).startsWith('SQLITE_BUSY')) throw fault
      await pause(50)
    }
  }
}
