import { freshDatabaseUrl, startPostgres } from '#lib/testing/databases/postgres-server'

/** Starts a PostgreSQL server for one contestant, which writes every commit to the disk. */
export async function startOwnDatabase() {
  const postgres = await startPostgres({ durable: true })
  const url = new URL(await freshDatabaseUrl(postgres.url))
  return { url, stop: postgres.stop }
}

/** The people of a contestant, and the sign-ins of one run: each of them signs in once. */
export const people = Array.from({ length: 100 }, (_, index) => ({
  username: `person-${index}`,
  email: `person-${index}@example.org`,
  name: `Person ${index}`,
}))

/** Runs `work` for each value, a few at a time, and returns the results. */
export async function fewAtOnce<T, R>(values: T[], work: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < values.length; at += 8) results.push(...(await Promise.all(values.slice(at, at + 8).map(work))))
  return results
}
