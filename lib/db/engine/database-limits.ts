/** How long this process waits for its database, in milliseconds. */
export type DatabaseLimits = {
  /** PostgreSQL: how many connections there may be, and how long one is awaited. */
  connections: number
  connect: number
  /** PostgreSQL ends a statement after this long, so that its outcome is known. */
  statement: number
  /** After this long without an answer the network has lost a connection to PostgreSQL. */
  answer: number
  /** SQLite: how long another process may hold the lock. */
  lock: number
}

export const limitsFor = (timeout: number, connections: number): DatabaseLimits => ({
  connections,
  connect: timeout,
  statement: timeout,
  answer: timeout + 1000,
  lock: timeout / 2,
})

/** Commands have no waiting client and may read whole tables, so their limits are longer. */
export const limitsOfCommands = limitsFor(60_000, 5)
