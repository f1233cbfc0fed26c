import type { Database } from '#lib/db/engine/client'
import { statementsOf, toDate } from '#lib/db/engine/statements'
import { type Backlog, backlogStatement, mostCounted, sweeps } from './sweep-store.ts'

/** The column whose time has passed in every row that waits for the job. */
const columns = {
  'give-up-deliveries': { table: 'LogoutDelivery', column: 'until' },
  'erase-people': { table: 'Person', column: 'deleteAfter' },
  'erase-apps': { table: 'App', column: 'removeAfter' },
  'reset-factors': { table: 'FactorReset', column: 'dueAt' },
}

/** Returns what waits for each job where that can be counted, up to 10,000 rows of a table. */
export async function readBacklogs(database: Database, now: Date): Promise<Map<string, Backlog>> {
  const statements = statementsOf(database)
  const others = Object.entries(columns).map(async ([job, where]): Promise<[string, Backlog]> => {
    const statement = { name: `backlog-${where.table}`, sql: backlogStatement(where) }
    const row = await statements.find(statement, [now, mostCounted])
    return [job, { rows: Number(row?.rows ?? 0), oldest: toDate(row?.oldest) }]
  })
  const expired = await Promise.all(sweeps(database).map((sweep) => sweep.readBacklog(now)))
  return new Map([['sweep', sum(expired)], ...(await Promise.all(others))])
}

function sum(backlogs: Backlog[]): Backlog {
  const times = backlogs.flatMap(({ oldest }) => (oldest ? [oldest.getTime()] : []))
  return {
    rows: backlogs.reduce((total, { rows }) => total + rows, 0),
    oldest: times.length > 0 ? new Date(Math.min(...times)) : undefined,
  }
}
