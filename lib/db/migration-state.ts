import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { migrationsIn, pending } from '../../prisma/apply.ts'

/** What a database still needs, without changing it; `empty` when nothing was ever applied. */
export type MigrationState = { empty: boolean; pending: string[] }

/** Looks at the ledger of a database; throws like a start would when its migrations are not of this version. */
export async function readMigrationState(databaseUrl: string, folder = 'prisma/migrations'): Promise<MigrationState> {
  const file = databaseUrl.startsWith('file:') ? databaseUrl.slice('file:'.length) : undefined
  const rows = file === undefined ? await postgresLedger(databaseUrl) : sqliteLedger(file)
  const known = migrationsIn(`${folder}/${file === undefined ? 'postgresql' : 'sqlite'}`)
  return { empty: rows.length === 0, pending: pending(known, rows).map((migration) => migration.name) }
}

type Ledger = Parameters<typeof pending>[1]

function sqliteLedger(file: string): Ledger {
  if (!existsSync(file)) return []
  const db = new Sqlite(file, { readonly: true, timeout: 2000 })
  try {
    const table = db.prepare("SELECT 1 FROM sqlite_master WHERE name = '_prisma_migrations'").get()
    return table ? (db.prepare('SELECT * FROM _prisma_migrations').all() as Ledger) : []
  } finally {
    db.close()
  }
}

async function postgresLedger(url: string): Promise<Ledger> {
  const db = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  await db.connect()
  try {
    const { rows } = await db.query(`SELECT to_regclass('_prisma_migrations') AS found`)
    return rows[0].found ? (await db.query('SELECT * FROM _prisma_migrations')).rows : []
  } finally {
    await db.end()
  }
}
