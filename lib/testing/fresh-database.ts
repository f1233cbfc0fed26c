import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { inject } from 'vitest'
import { freshDatabaseUrl } from './postgres-server.ts'

/** A path for a new SQLite file; it goes when the run of vitest ends. */
export function freshSqliteFile(): string {
  return join(inject('temporaryFolder'), `${randomUUID()}.db`)
}

/** The URL of a new, empty database on the run's PostgreSQL; it goes with the server. */
export async function freshPostgresUrl(adminUrl = inject('postgresUrl')): Promise<string> {
  if (!adminUrl) throw new Error('There is no PostgreSQL in this run; its output above says why.')
  return freshDatabaseUrl(adminUrl)
}
