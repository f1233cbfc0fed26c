import type { AttemptStore, Counter, Point } from '#lib/account/throttle/attempt'
import { type Row, type Statement, type Statements, toDate } from '#lib/db/engine/statements'

/**
 * Counts attempts in the shared database, so that the limits hold across all nodes. Each step is one conditional
 * statement, so that concurrent attempts never exceed the limit. Stored times come from the clocks of the nodes and
 * only move forward: a wrong clock makes people wait longer and admits no additional attempt.
 */
export function attemptStore({ find, change, write, writeWhile }: Statements, now: () => Date): AttemptTable {
  const pass: AttemptTable['pass'] = async (key, { points, seconds }, at = now()) =>
    (await change(counted, [key, points, at, after(at, seconds)])) === 1
  return {
    now,
    async take(counters, at = now()) {
      const used: Counter[] = []
      const rows = await writeWhile(taken, (before) => {
        const counter = counters[before.length]
        if (!counter) return undefined
        const isBeyond = before.some(({ points }, index) => Number(points) > (used[index] as Counter).free)
        const { free, freeBeyond = free } = counter
        used.push({ ...counter, free: isBeyond ? freeBeyond : free })
        return valuesOf(used.at(-1) as Counter, at)
      })
      return rows.map((row, index) => pointOf(used[index] as Counter, row))
    },
    async waitFor(key) {
      const row = await find(held, [key, now()])
      return row ? secondsUntil(Number(row.heldUntil), now()) : 0
    },
    async pointsOf(key) {
      const row = await find(held, [key, now()])
      return row ? windowOf(row).points : 0
    },
    async giveBack({ key, expire, heldUntil }, count) {
      // Deletes the row if no attempt would be left; a concurrent attempt keeps the row.
      if ((await change(emptied, [key, expire, count])) > 0) return
      const row = await write(returned, [key, expire, count, heldUntil])
      if (row && Number(row.points) === 0) await change(emptied, [key, expire, 0])
    },
    async note(key, window, at) {
      await change(counted, [key, 2_000_000_000, at, after(at, window)])
    },
    async remove(key) {
      const row = await write(removed, [key])
      return row && windowOf(row)
    },
    pass,
    async count(key, limit) {
      const at = now()
      if (await pass(key, limit, at)) return 0
      const row = await find(held, [key, at])
      return row ? Math.max(1, secondsUntil(windowOf(row).expire.getTime(), at)) : 1
    },
    async takeBack(key) {
      await change(takenBack, [key])
    },
  }
}

/** The table of counted attempts; the limits of other modules use it too. */
export type AttemptTable = AttemptStore & {
  /**
   * Counts one attempt and returns true; counts nothing and returns false when the key has reached its limit for the
   * window.
   */
  pass(key: string, limit: Window, at?: Date): Promise<boolean>
  /** Undoes one count of `pass`, for an attempt that failed. */
  takeBack(key: string): Promise<void>
}

const valuesOf = ({ key, free, first = 1, longest, window }: Counter, at: Date) => {
  const heldAtOnce = free <= 1 ? at.getTime() + first * 1000 : 0
  return [key, after(at, window), at, free, at.getTime(), longest * 1000, heldAtOnce, first * 1000]
}
const pointOf = ({ key, free }: Counter, row: Row): Point => {
  const { points, expire } = windowOf(row)
  return { key, points, expire, heldUntil: points < free ? 0 : Number(row.heldUntil) }
}

const secondsUntil = (until: number, at: Date) => Math.max(0, Math.ceil((until - at.getTime()) / 1000))
const after = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000)

/** A limit: at most `points` attempts for one key in `seconds`. */
export type Window = { points: number; seconds: number }

type Counted = { points: number; expire: Date }
const windowOf = ({ points, expire }: Row): Counted => ({
  points: Number(points),
  expire: toDate(expire) ?? new Date(0),
})

/** The attempt that reaches the limit blocks the key, and so does each later one, for twice as long each time. */
const taken: Statement = {
  name: 'attempt-taken',
  sql: `INSERT INTO "Attempt" (key, points, expire, "heldUntil") VALUES ($1, 1, $2, CAST($7 AS BIGINT))
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN "Attempt".expire <= $3 THEN 1 ELSE "Attempt".points + 1 END,
      expire = CASE WHEN "Attempt".expire <= $3 THEN excluded.expire ELSE "Attempt".expire END,
      "heldUntil" = CASE
        WHEN "Attempt".expire <= $3 THEN excluded."heldUntil"
        WHEN "Attempt".points + 1 < $4 THEN "Attempt"."heldUntil"
        WHEN "Attempt".points + 1 - $4 > 20 THEN CAST($5 AS BIGINT) + CAST($6 AS BIGINT)
        WHEN (CAST($8 AS BIGINT) << ("Attempt".points + 1 - $4)) > CAST($6 AS BIGINT) THEN CAST($5 AS BIGINT) + CAST($6 AS BIGINT)
        ELSE CAST($5 AS BIGINT) + (CAST($8 AS BIGINT) << ("Attempt".points + 1 - $4)) END
    WHERE "Attempt".expire <= $3 OR "Attempt".points < $4 OR "Attempt"."heldUntil" <= CAST($5 AS BIGINT)
    RETURNING points, expire, "heldUntil"`,
}
/** Changes no row when the key has reached its limit. */
const counted: Statement = {
  name: 'attempt-counted',
  sql: `INSERT INTO "Attempt" (key, points, expire) VALUES ($1, 1, $4)
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN "Attempt".expire <= $3 THEN 1 ELSE "Attempt".points + 1 END,
      expire = CASE WHEN "Attempt".expire <= $3 THEN excluded.expire ELSE "Attempt".expire END
    WHERE "Attempt".expire <= $3 OR "Attempt".points < $2`,
}
const takenBack: Statement = {
  name: 'attempt-taken-back',
  sql: `UPDATE "Attempt" SET points = points - 1 WHERE key = $1 AND points > 0`,
}
const held: Statement = {
  name: 'attempt-held',
  sql: `SELECT points, expire, "heldUntil" FROM "Attempt" WHERE key = $1 AND expire > $2`,
}
const emptied: Statement = {
  name: 'attempt-emptied',
  sql: `DELETE FROM "Attempt" WHERE key = $1 AND expire = $2 AND points <= $3`,
}
/** Changes nothing once a later window has begun; keeps a wait that another attempt started. */
const returned: Statement = {
  name: 'attempt-returned',
  sql: `UPDATE "Attempt" SET points = points - $3,
      "heldUntil" = CASE WHEN "heldUntil" = CAST($4 AS BIGINT) THEN 0 ELSE "heldUntil" END
    WHERE key = $1 AND expire = $2 AND points >= $3 RETURNING points`,
}
const removed: Statement = {
  name: 'attempt-removed',
  sql: `DELETE FROM "Attempt" WHERE key = $1 RETURNING points, expire`,
}
