/** Returns the same model for PostgreSQL: only the provider differs. */
export const postgresqlSchema = (sqlite) => sqlite.replace('provider = "sqlite"', 'provider = "postgresql"')
