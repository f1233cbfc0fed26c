import type { Database } from '#lib/db/engine/client'
import { type Sweep, sweeps } from '#lib/db/jobs/sweep-store'
import type { Metrics } from '#lib/server/observe/metrics'
import { inBatches, type Pace } from './in-batches.ts'
import type { Job } from './run-jobs.ts'

type Swept = (table: string, count: number) => void

/**
 * A table keeps the sweep for two seconds at most before the next table has its turn. Small batches with rests delay few
 * requests, each by a few milliseconds, and still remove some thousand rows a second.
 */
const pace: Pace = { seconds: 2, rest: 20, most: 60 }

/**
 * Deletes expired rows in batches; other requests run between batches (design §4). Returns the tables that still have
 * expired rows after their turn.
 */
export async function sweepOnce(tables: Sweep[], now: Date, swept: Swept, goOn = () => true): Promise<Sweep[]> {
  const unfinished: Sweep[] = []
  for (const sweep of tables) {
    const run = async (rows: number) => {
      const { count, heldMs } = await sweep.run(now, rows)
      swept(sweep.table, count)
      return { isLast: count < rows, heldMs }
    }
    if (!goOn() || !(await inBatches(run, { ...pace, goOn }))) unfinished.push(sweep)
  }
  return unfinished
}

/** Deletes every row that has expired by `now`. */
export async function sweep(tables: Sweep[], now: Date, swept: Swept): Promise<void> {
  while ((await sweepOnce(tables, now, swept)).length > 0);
}

/**
 * Returns the job that sweeps every table in turns, and goes on without a pause while a table has a backlog. A table with
 * an endless backlog does not keep others from their turns.
 */
export function makeSweep(database: Database, metrics: Pick<Metrics, 'swept'>): Job {
  const tables = sweeps(database)
  return async ({ now, goOn }) => {
    let total = 0
    const swept: Swept = (table, count) => {
      metrics.swept.inc({ table }, count)
      total += count
    }
    while ((await sweepOnce(tables, now(), swept, goOn)).length > 0 && goOn());
    return total
  }
}
