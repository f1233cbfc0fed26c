import { type CurrentRequest, currentRequest, outsideRequests, withRequest } from '#lib/queue/current-request'
import { endOfTurn } from '#lib/queue/end-of-turn'
import { isConflict } from './postgres.ts'
import { refuseWhenOver } from './trouble.ts'

type Row = Record<string, unknown>

/** A statement whose concurrent uses run as one, with the PostgreSQL type of each of its values. */
export type Batchable = { name: string; sql: string; types: readonly string[] }

/** Runs a statement; the caller repeats it after a conflict unless `mayRepeat`. */
type Ask = (statement: { name: string; sql: string; mayRepeat?: boolean }, values: unknown[]) => Promise<Row[]>

type Job = {
  values: unknown[]
  request: CurrentRequest | undefined
  answer(row: Row | undefined): void
  refuse(fault: unknown): void
}

/**
 * The most uses of one statement in a batch; the most batches of one statement at the same time, and the most changes that
 * run alone beside them.
 */
const most = { jobs: 100, batches: 4, alone: 4 }

/**
 * Makes a function that runs the uses of a statement that wait for the end of the turn as one statement over arrays:
 * one network write, and one commit, for all of them. While `most.batches` are on their way, further uses gather for the next
 * one. Returns the row of each use, or for a change a row if it changed one.
 *
 * A batch never waits for a row. A change that meets a locked row runs again alone, and only its own request waits.
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
  const { runTogether, runAlone } = makeRuns(ask, statement, isChange)
  /** The rows that a use on its way changes: a later change of the same row depends on it. */
  const changing = new Set<unknown>()
  let waiting: Job[] = []
  let running = 0
  let isScheduled = false

  const alone = makeAlone(runAlone, ({ values }) => {
    changing.delete(values[0])
    flush()
  })

  const flush = () => {
    isScheduled = false
    while (running < most.batches) {
      const batch = take()
      const [first] = batch
      if (!first) return
      if (isChange && batch.length === 1 && alone.isIdle()) {
        alone.add(first)
        continue
      }
      running += 1
      void runTogether(batch).then((left) => {
        running -= 1
        for (const job of batch) if (!left.has(job)) changing.delete(job.values[0])
        for (const job of left) alone.add(job)
        flush()
      })
    }
  }

  const take = () => {
    const batch: Job[] = []
    const later: Job[] = []
    for (const job of waiting.filter(isNotOver)) {
      const key = job.values[0]
      const isFree = !changing.has(key) && batch.length < most.jobs
      if (isFree) batch.push(job)
      else later.push(job)
      if (isFree && isChange) changing.add(key)
    }
    waiting = later
    return batch
  }

  return (values: unknown[]) =>
    new Promise<Row | undefined>((answer, refuse) => {
      waiting.push({ values, answer, refuse, request: currentRequest() })
      if (isScheduled || running >= most.batches) return
      isScheduled = true
      // Runs outside any request, because a batch serves several.
      outsideRequests(() => void endOfTurn().then(flush))
    })
}

/** Runs changes beside the batches, at most `most.alone` at a time: each of them may wait for a locked row. */
function makeAlone(run: (job: Job) => Promise<void>, done: (job: Job) => void) {
  const waiting: Job[] = []
  let running = 0
  const start = () => {
    while (running < most.alone) {
      const job = waiting.shift()
      if (!job) return
      running += 1
      void run(job).then(() => {
        running -= 1
        done(job)
        start()
      })
    }
  }
  return {
    isIdle: () => running === 0,
    add(job: Job) {
      waiting.push(job)
      start()
    },
  }
}

/** Returns the two ways to run uses of a statement. Both answer or refuse every job that they do not return. */
function makeRuns(ask: Ask, statement: Batchable, isChange: boolean) {
  const { name, sql, types } = statement
  const single = { name, sql: isChange ? `${sql} RETURNING 1 AS "position"` : sql }
  const batched = {
    name: `${name}-batch`,
    sql: isChange ? batchedChange(statement) : batchedRead(statement),
    mayRepeat: !isChange,
  }
  /** Runs the plain statement as a part of the request, which may end while the statement waits to be repeated. */
  const runAlone = async ({ values, request, answer, refuse }: Job): Promise<void> => {
    const run = () => ask(single, values)
    try {
      const [row] = await (request ? withRequest(request, run) : run())
      answer(row)
    } catch (fault) {
      refuse(fault)
    }
  }
  /** Returns the changes that have to run alone. */
  const runTogether = async (batch: Job[]): Promise<Set<Job>> => {
    const [first] = batch
    if (!isChange && batch.length === 1 && first) {
      await runAlone(first)
      return new Set()
    }
    try {
      const columns = types.map((_, at) => batch.map(({ values }) => values[at]))
      const found = new Map((await ask(batched, columns)).map((row) => [Number(row.position), row]))
      const isAnswered = (_: Job, at: number) => !isChange || found.has(at + 1)
      for (const [at, job] of batch.entries()) if (isAnswered(job, at)) job.answer(found.get(at + 1))
      return new Set(batch.filter((job, at) => !isAnswered(job, at)))
    } catch (fault) {
      // PostgreSQL has undone the whole batch.
      if (isChange && isConflict(fault)) return new Set(batch)
      for (const { refuse } of batch) refuse(fault)
      return new Set()
    }
  }
  return { runAlone, runTogether }
}

/** Returns whether the request of a job still waits; refuses the job otherwise. */
function isNotOver({ request, refuse }: Job): boolean {
  try {
    refuseWhenOver(request)
    return true
  } catch (fault) {
    refuse(fault)
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

/**
 * Changes the rows that no other transaction holds, and returns the position of each use that changed its row. Each row is
 * locked before it is changed, so that UPDATE waits for none. The look-up finds the newest version of the row; `ctid`, the
 * place of a version, joins it to the one that UPDATE sees. So a row that changed since the statement began is not changed
 * here.
 *
 * `% 1 = 0` is always true. PostgreSQL expects one use in 200 to pass it, and plans for a single use: a look-up by an
 * index for each use, also while its statistics are old.
 */
function batchedChange(statement: Batchable): string {
  const [, table, key] = /^UPDATE (\S+) SET (?:(?! WHERE ).)+ WHERE ("?\w+"?) = \$1(?!\d)/s.exec(statement.sql) ?? []
  if (!table) throw new Error(`The statement ${statement.name} is not an UPDATE of the row that its first value names.`)
  const free = `SELECT ctid FROM ${table} WHERE ${key} = uses.v1 FOR NO KEY UPDATE SKIP LOCKED`
  const chosen = `${table}.ctid = free.ctid AND uses.position % 1 = 0`
  return `${perUse(statement.sql).replace(
    ' WHERE ',
    ` FROM ${uses(statement)} CROSS JOIN LATERAL (${free}) free WHERE ${chosen} AND `,
  )} RETURNING uses.position`
}
