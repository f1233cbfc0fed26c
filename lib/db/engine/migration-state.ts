import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import {
  migrationsIn,
  pending,
  type Row,
  readPostgresLedger,
  readSqliteLedger,
  unchecked,
  withPostgres,
} from '#prisma/apply'

/** The pending migrations of a database; `empty` if none was ever applied. */
export type MigrationState = { empty: boolean; pending: string[] }

/**
 * Reads which migrations a database has, and changes nothing. Throws, as a start does, if it has migrations that this
 * version does not know.
 */
export async function readMigrationState(databaseUrl: string, folder = 'prisma/migrations'): Promise<MigrationState> {
  const file = databaseUrl.startsWith('file:') ? databaseUrl.slice('file:'.length) : undefined
  const rows = file === undefined ? await withPostgres(databaseUrl, readPostgresLedger) : sqliteLedger(file)
  const known = migrationsIn(`${folder}/${file === undefined ? 'postgresql' : 'sqlite'}`)
  const halfDone = unchecked(rows).map((row) => row.migration_name)
  const todo = pending(known, rows).map((migration) => migration.name)
  return { empty: rows.length === 0, pending: [...halfDone, ...todo] }
}

function sqliteLedger(file: string): Row[] {
  if (!existsSync(file)) return []
  const db = new Sqlite(file, { readonly: true, timeout: 2000 })
  try {
    return readSqliteLedger(db)
  } finally {
    db.close()
  }
}
