/** Returns the same model for PostgreSQL: the provider differs, and lines after `// postgresql:` count. */
export const postgresqlSchema = (sqlite) =>
  sqlite.replace('provider = "sqlite"', 'provider = "postgresql"').replaceAll('// postgresql: ', '')
