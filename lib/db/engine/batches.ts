import { currentRequest, outsideRequests } from '#lib/queue/current-request'
import { refuseWhenOver } from './trouble.ts'

type Row = Record<string, unknown>

/** A statement whose concurrent uses run as one, with the PostgreSQL type of each of its values. */
export type Batchable = { name: string; sql: string; types: readonly string[] }

/** Runs a statement; `types` are those of a batch. */
type Ask = (statement: { name: string; sql: string }, values: unknown[]) => Promise<Row[]>

type Job = { values: unknown[]; refuse(fault: unknown): void; isOver(): void; answer(row: Row | undefined): void }

/** The most uses of one statement in a batch, and the most batches of one statement at the same time. */
const most = { jobs: 100, batches: 4 }

/**
 * Makes a function that runs the uses of a statement from one turn of the event loop as one statement over arrays: one
 * network write, and one commit, for all of them. While `most.batches` are on their way, further uses gather for the next
 * one. Returns the row of each use, or for a change a row if it changed one.
 */
export function makeBatches(ask: Ask) {
  const queues = new Map<string, ReturnType<typeof makeQueue>>()
  return (statement: Batchable, values: unknown[]): Promise<Row | undefined> => {
    let queue = queues.get(statement.name)
    if (!queue) {
      queue = makeQueue(ask, statement)
      queues.set(statement.name, queue)
    }
    return queue(values)
  }
}

function makeQueue(ask: Ask, statement: Batchable) {
  const isChange = statement.sql.startsWith('UPDATE')
  const run = makeRun(ask, statement, isChange)
  /** The rows that a batch on its way changes: a later change of the same row depends on it. */
  const changing = new Set<unknown>()
  let waiting: Job[] = []
  let running = 0
  let isScheduled = false

  const flush = () => {
    isScheduled = false
    while (running < most.batches) {
      const batch = take()
      if (batch.length === 0) return
      running += 1
      void run(batch).finally(() => {
        running -= 1
        for (const { values } of batch) changing.delete(values[0])
        flush()
      })
    }
  }

  /** Takes the next jobs, in the order of their rows, so that two processes lock rows in the same order. */
  const take = () => {
    const batch: Job[] = []
    const later: Job[] = []
    for (const job of waiting.filter(isNotOver)) {
      const id = job.values[0]
      const isFree = !changing.has(id) && batch.length < most.jobs
      if (isFree) batch.push(job)
      else later.push(job)
      if (isFree && isChange) changing.add(id)
    }
    waiting = later
    return batch.sort((a, b) => (String(a.values[0]) < String(b.values[0]) ? -1 : 1))
  }

  return (values: unknown[]) =>
    new Promise<Row | undefined>((answer, refuse) => {
      const request = currentRequest()
      waiting.push({ values, answer, refuse, isOver: () => refuseWhenOver(request) })
      if (isScheduled || running >= most.batches) return
      isScheduled = true
      // Runs outside any request, because a batch serves several.
      outsideRequests(() => setImmediate(flush))
    })
}

/** Returns a function that runs a batch and answers or refuses each of its jobs; a single job runs the plain statement. */
function makeRun(ask: Ask, statement: Batchable, isChange: boolean) {
  const { name, sql, types } = statement
  const single = { name, sql: isChange ? `${sql} RETURNING 1 AS "position"` : sql }
  const batched = { name: `${name}-batch`, sql: isChange ? batchedChange(statement) : batchedRead(statement) }
  const rowsOf = async (batch: Job[]): Promise<(Row | undefined)[]> => {
    if (batch.length === 1) return ask(single, (batch[0] as Job).values)
    const columns = types.map((_, at) => batch.map(({ values }) => values[at]))
    const found = new Map((await ask(batched, columns)).map((row) => [Number(row.position), row]))
    return batch.map((_, at) => found.get(at + 1))
  }
  return async (batch: Job[]): Promise<void> => {
    try {
      const rows = await rowsOf(batch)
      for (const [at, job] of batch.entries()) job.answer(rows[at])
    } catch (fault) {
      for (const job of batch) job.refuse(fault)
    }
  }
}

/** Returns whether the request of a job still waits; refuses the job otherwise. */
function isNotOver(job: Job): boolean {
  try {
    job.isOver()
    return true
  } catch (fault) {
    job.refuse(fault)
    return false
  }
}

/** `unnest` makes a row of each use, with its position; `v1`, `v2` … are the values. */
const uses = ({ types }: Batchable) =>
  `unnest(${types.map((type, at) => `$${at + 1}::${type}[]`).join(', ')})
  WITH ORDINALITY AS uses(${types.map((_, at) => `v${at + 1}`).join(', ')}, position)`

const perUse = (sql: string) => sql.replaceAll(/\$(\d+)/g, 'uses.v$1')

/**
 * LIMIT keeps PostgreSQL from joining the tables first and then looking for the uses in them, which it does when its
 * statistics are old.
 */
const batchedRead = (statement: Batchable) =>
  `SELECT uses.position, found.* FROM ${uses(statement)} CROSS JOIN LATERAL (${perUse(statement.sql)} LIMIT 1) found`

const batchedChange = (statement: Batchable) =>
  `${perUse(statement.sql).replace(' WHERE ', ` FROM ${uses(statement)} WHERE `)} RETURNING uses.position`
