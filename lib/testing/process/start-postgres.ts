import type { TestProject } from 'vitest/node'
import { applyMigrations } from '#prisma/apply'
import { freshDatabaseUrl, type PostgresServer, startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** An administrator's URL of the run's PostgreSQL; empty when none could be started. */
    postgresUrl: string
    /** A database on it with every migration applied, to be copied. */
    postgresTemplate: string
  }
}

/** One PostgreSQL for a whole run of vitest. Without one the other tests still run; those that ask for it fail. */
export default async function startForRun(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres().catch((fault: Error): PostgresServer => {
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
