import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Sweep, sweeps } from '#lib/db/jobs/sweep-store'
import type { Context } from '#lib/server/compose/context'
import type { Metrics } from '#lib/server/observe/metrics'

const minute = 60_000

/**
 * Sets the metrics of expired rows each minute, in every process: otherwise the alert of a sweep that is behind would be
 * silent where no process sweeps. Returns a function that ends this.
 */
export function watchBacklogs({ database, metrics, log, now }: Context): () => void {
  const tables = sweeps(database)
  const timer = setInterval(() => {
    measureBacklogs(tables, now(), metrics).catch((err: unknown) => log.warn({ err }, 'the backlog could not be read'))
  }, minute)
  return () => clearInterval(timer)
}

/** Reads at most 10,000 entries of an index in one turn of the event loop. */
export async function measureBacklogs(
  tables: Sweep[],
  now: Date,
  { backlog, backlogAge }: Pick<Metrics, 'backlog' | 'backlogAge'>,
): Promise<void> {
  for (const { table, readBacklog } of tables) {
    const { rows, oldest } = await readBacklog(now)
    backlog.set({ table }, rows)
    backlogAge.set({ table }, oldest ? (now.getTime() - oldest.getTime()) / 1000 : 0)
    await nextTurn()
  }
}
