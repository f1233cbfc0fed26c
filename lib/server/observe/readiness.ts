import type { Database } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'
import { refusesWrites } from '#lib/db/engine/unavailable'

/**
 * Milliseconds: `valid` is how long a result is cached, because any client may request it; `patience` is the timeout
 * of the probe.
 */
const [valid, patience] = [1000, 2000]

/** Returns a function that returns why this process cannot serve; undefined while it can. */
export function makeReadiness(database: Database, keys: { published(): Promise<unknown> }) {
  const write = writeProbe(database)
  let last: { at: number; reason: Promise<string | undefined> } | undefined
  const ask = async () => {
    const refused = 'the database refuses writes'
    if (database.trouble.refusesWrites()) return refused
    try {
      await inTime(write())
    } catch (fault) {
      return refusesWrites(fault) ? refused : 'the database does not answer'
    }
    // Another process may have made keys with another master key since the start.
    return keys.published().then(
      () => undefined,
      () => 'the signing keys do not open',
    )
  }
  return () => {
    const at = performance.now()
    if (!last || at - last.at > valid) last = { at, reason: ask() }
    return last.reason
  }
}

/** Makes the probe a write, because a read-only database cannot serve; each probe writes the same row. */
function writeProbe(database: Database): () => Promise<number> {
  const statement = {
    name: 'write-probe',
    sql: `INSERT INTO "Lease" (name, holder, "expiresAt") VALUES ('write-probe', '', $1)
      ON CONFLICT (name) DO UPDATE SET "expiresAt" = $1`,
  }
  const statements = statementsOf(database)
  return () => statements.change(statement, [new Date()])
}

/** Waits for a statement for two seconds at most. */
export async function inTime(work: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('The database did not answer in time.')), patience)
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
