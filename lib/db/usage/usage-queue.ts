import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Statement, Statements } from '#lib/db/engine/statements'

/** A number of one app, to be added to its row of a day. */
type Addition = { appId: string; day: Date; what: string; count: number }
/** A credential of an app, which was used. */
type Use = { kind: 'secret' | 'key'; appId: string; id: string }

export type UsageQueue = {
  /** Writes the counts made before the call. After a failed write, the next call writes the rest. */
  flush(): Promise<void>
}

const [hour, day] = [3_600_000, 86_400_000]
/** The additions and uses that wait while the database is away; beyond these, new ones are not counted. */
const mostWaiting = 20_000
const rowsOfStatement = 100

/**
 * Writes counts in batches. Each statement adds to the stored numbers, so that several processes count together. A
 * statement whose confirmation is lost is written again, so that its counts may count twice.
 */
export function usageQueue(
  counts: Map<string, number>,
  { statements, now, fault }: { statements: Statements; now(): Date; fault(err: unknown): void },
): UsageQueue {
  const additions = new Map<string, Addition>()
  const uses = new Map<string, Use>()
  // The hour that this process has stored for a credential, so that each one is written once an hour.
  const stored = new Map<string, number>()
  const take = (time: number) => {
    const today = new Date(time - (time % day))
    for (const [name, count] of counts) {
      const [appId = '', what = ''] = name.split('\0')
      const use = readUse(appId, what)
      if (use) keep(uses, name, use)
      else keep(additions, `${name}\0${today.getTime()}`, { appId, day: today, what, count }, add)
    }
    counts.clear()
  }
  const writeUses = async (time: number) => {
    const thisHour = time - (time % hour)
    for (const [name, use] of uses) {
      if (stored.get(name) !== thisHour)
        await statements.change(lastUse[use.kind], [use.appId, use.id, new Date(thisHour)])
      if (stored.size >= mostWaiting) stored.clear()
      stored.set(name, thisHour)
      uses.delete(name)
    }
  }
  const writeAdditions = async () => {
    // All processes lock the rows in one order, so that they cannot block each other.
    const names = [...additions.keys()].toSorted()
    for (let at = 0; at < names.length; at += rowsOfStatement) {
      const batch = names.slice(at, at + rowsOfStatement)
      const rows = batch.map((name) => additions.get(name) as Addition)
      await statements.change(
        additionOf(rows.length),
        rows.flatMap((row) => [row.appId, row.day, row.what, row.count]),
      )
      for (const name of batch) additions.delete(name)
      await nextTurn()
    }
  }
  let running: Promise<void> | undefined
  const flush = async () => {
    const time = now().getTime()
    take(time)
    try {
      await writeUses(time)
      await writeAdditions()
    } catch (err) {
      fault(err)
    } finally {
      running = undefined
    }
  }
  return {
    async flush() {
      // The write that is running does not include the latest counts.
      if (running !== undefined) await running
      running ??= flush()
      return running
    },
  }
}

function readUse(appId: string, what: string): Use | undefined {
  const [, kind, id] = /^(secret|key) (.*)$/s.exec(what) ?? []
  return kind === undefined || id === undefined ? undefined : { kind: kind as Use['kind'], appId, id }
}

function keep<Item>(waiting: Map<string, Item>, name: string, item: Item, merge?: (before: Item, item: Item) => Item) {
  const before = waiting.get(name)
  if (before !== undefined && merge) waiting.set(name, merge(before, item))
  else if (before === undefined && waiting.size < mostWaiting) waiting.set(name, item)
}

const add = (before: Addition, { count }: Addition): Addition => ({ ...before, count: before.count + count })

/** Adds to the rows of a day. The join leaves out an app that was deleted since. */
const additionOf = (rows: number): Statement => ({
  name: `add-usage-${rows}`,
  sql: `INSERT INTO "AppUsage" ("appId", "day", "what", "count")
    SELECT app.id, CAST(v.column2 AS TIMESTAMP(3)), v.column3, CAST(v.column4 AS INTEGER)
    FROM (VALUES ${Array.from({ length: rows }, (_, row) => `($${row * 4 + 1}, $${row * 4 + 2}, $${row * 4 + 3}, $${row * 4 + 4})`).join(', ')}) AS v, "App" app
    WHERE app.id = v.column1 ORDER BY 1, 3, 2
    ON CONFLICT ("appId", "day", "what") DO UPDATE SET "count" = "AppUsage"."count" + excluded."count"`,
})

const lastUse: Record<Use['kind'], Statement> = {
  secret: {
    name: 'secret-used',
    sql: `UPDATE "AppSecret" SET "lastUsedAt" = $3 WHERE id = $2 AND "appId" = $1
      AND ("lastUsedAt" IS NULL OR "lastUsedAt" < $3)`,
  },
  key: {
    name: 'key-used',
    sql: `UPDATE "AppKey" SET "lastUsedAt" = $3 WHERE "appId" = $1 AND kid = $2
      AND ("lastUsedAt" IS NULL OR "lastUsedAt" < $3)`,
  },
}
