import type { TestProject } from 'vitest/node'
import { freshDatabaseUrl, type PostgresServer, startPostgres } from '#lib/testing/databases/postgres-server'
import { applyMigrations } from '#prisma/apply'

declare module 'vitest' {
  interface ProvidedContext {
    /** An administrator's URL of the run's PostgreSQL; empty when PostgreSQL could not be started. */
    postgresUrl: string
    /** The name of a template database with every migration applied. */
    postgresTemplate: string
  }
}

/** Starts one PostgreSQL for a whole run of vitest. Without PostgreSQL, only the tests that use it fail. */
export default async function startForRun(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres().catch((fault: Error): Pick<PostgresServer, 'url' | 'stop'> => {
    process.stderr.write(`${fault.message}\n`)
    return { url: '', stop: async () => {} }
  })
  project.provide('postgresUrl', server.url)
  project.provide('postgresTemplate', server.url && (await makeTemplate(server.url)))
  return server.stop
}

async function makeTemplate(adminUrl: string): Promise<string> {
  const url = await freshDatabaseUrl(adminUrl)
  await applyMigrations(url)
  return new URL(url).pathname.slice(1)
}
