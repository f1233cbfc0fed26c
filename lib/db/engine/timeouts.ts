/** Timeouts in milliseconds of this process's waits for its database, and the size of its connection pool. */
export type Timeouts = {
  /** PostgreSQL: the size of the pool. */
  connections: number
  /** PostgreSQL: the wait for a connection, new or from the pool. */
  connect: number
  /** PostgreSQL ends a statement after this time, so that its outcome is known. */
  statement: number
  /** PostgreSQL: a connection without an answer for this long counts as lost. */
  answer: number
  /** SQLite: the wait for a lock that another process holds. */
  lock: number
}

export const timeoutsFor = (timeout: number, connections: number): Timeouts => ({
  connections,
  connect: timeout,
  statement: timeout,
  answer: timeout + 1000,
  lock: timeout / 2,
})

/** Commands have no waiting client and may read whole tables, so they wait longer. */
export const timeoutsOfCommands = timeoutsFor(60_000, 5)
