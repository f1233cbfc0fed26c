import type { Database } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'
import { isContract, migrationsIn } from '#prisma/apply'

/**
 * Returns a function that returns a contract step in the database that this version does not know. The known migrations
 * are read now, because an upgrade replaces the files while the process runs.
 */
export function contractWatch(database: Database, folder = 'prisma/migrations'): () => Promise<string | undefined> {
  const known = new Set(migrationsIn(`${folder}/${database.kind}`).map(({ name }) => name))
  const statements = statementsOf(database)
  return async () => {
    const names = (await statements.find(contractSteps, []))?.names
    return typeof names === 'string' ? names.split(',').find((name) => isContract(name) && !known.has(name)) : undefined
  }
}

/** As one row, because a statement of the hot path returns one. */
const contractSteps = {
  name: 'contract-steps',
  sql: `SELECT string_agg(migration_name, ',') AS names FROM _prisma_migrations
    WHERE rolled_back_at IS NULL AND migration_name LIKE '%contract%'`,
}
