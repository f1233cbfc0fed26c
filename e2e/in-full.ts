/** Whether this is `npm run faults`, which repeats more often what `npm test` repeats a few times (CONTRIBUTING.md). */
export const inFull = process.env.FAULTS === '1'

/** The nodes of an installation that tests share: `NODES=3` puts three on PostgreSQL behind HAProxy. */
export const nodeCount = Number(process.env.NODES ?? 1)

/** Whether these nodes reach PostgreSQL through PgBouncer in transaction mode: `PGBOUNCER=1`. */
export const isPooled = process.env.PGBOUNCER === '1'
