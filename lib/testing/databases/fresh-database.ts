import { randomUUID } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { freshDatabaseUrl } from './postgres-server.ts'

/** Returns a path for a new SQLite file, which is removed at the end of the run. */
export function freshSqliteFile(): string {
  return join(inject('temporaryFolder'), `${randomUUID()}.db`)
}

/**
 * Returns the URL of a new database on the run's PostgreSQL, copied from `template`. The database is removed with the
 * server.
 */
export async function freshPostgresUrl(template?: string, adminUrl = inject('postgresUrl')): Promise<string> {
  if (!adminUrl) throw new Error('There is no PostgreSQL in this run; its output above says why.')
  return freshDatabaseUrl(adminUrl, template)
}

/** Returns a copy of the database that was migrated once for the whole run. */
export function migratedUrl(kind: 'sqlite' | 'postgresql'): Promise<string> {
  return kind === 'sqlite' ? copySqlite(inject('sqliteTemplate')) : freshPostgresUrl(inject('postgresTemplate'))
}

/** Copies the database at `url`, which must have no open connections. */
export function copyOf(url: string): Promise<string> {
  return url.startsWith('file:')
    ? copySqlite(url.slice('file:'.length))
    : freshPostgresUrl(new URL(url).pathname.slice(1))
}

async function copySqlite(template: string): Promise<string> {
  const file = freshSqliteFile()
  await copyFile(template, file)
  return `file:${file}`
}
