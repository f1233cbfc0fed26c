import { randomUUID } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { freshDatabaseUrl } from './postgres-server.ts'

/** A path for a new SQLite file; it goes when the run of vitest ends. */
export function freshSqliteFile(): string {
  return join(inject('temporaryFolder'), `${randomUUID()}.db`)
}

/** The URL of a new database on the run's PostgreSQL, a copy of `template`; it goes with the server. */
export async function freshPostgresUrl(template?: string, adminUrl = inject('postgresUrl')): Promise<string> {
  if (!adminUrl) throw new Error('There is no PostgreSQL in this run; its output above says why.')
  return freshDatabaseUrl(adminUrl, template)
}

/** A copy of what was migrated once for the whole run. */
export function migratedUrl(kind: 'sqlite' | 'postgresql'): Promise<string> {
  return kind === 'sqlite' ? copySqlite(inject('sqliteTemplate')) : freshPostgresUrl(inject('postgresTemplate'))
}

/** A new database with all that is in the one at `url`, which nobody may have open. */
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
