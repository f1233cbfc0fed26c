import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { goesThroughPooler, serverUrls } from '#lib/text/server-urls'
import { followPrimary } from './postgres-hosts.ts'
import type { Timeouts } from './timeouts.ts'
import { RequestOver, refuseWhenOver, type Trouble } from './trouble.ts'
import { refusesWrites } from './unavailable.ts'

/** Milliseconds after which PostgreSQL ends an idle transaction, and with it the locks of a process that vanished. */
const idleInTransaction = 15_000

/**
 * Opens a pool that recovers without a restart: every wait has a timeout, and a connection that stops answering is
 * removed. If `url` names several servers, connections go to the one that accepts writes, also after a failover.
 */
export function openPool(url: string, limits: Timeouts, trouble: Trouble): pg.Pool {
  const urls = serverUrls(url)
  const since = new Map<pg.ClientBase, number>()
  const primary = urls.length > 1 ? followPrimary(urls, limits.connect, since) : undefined
  const isPooled = goesThroughPooler(url)
  const pool = new pg.Pool({
    connectionString: urls[0],
    ...(primary && { Client: primary.Client }),
    max: limits.connections,
    connectionTimeoutMillis: limits.connect,
    ...(!isPooled && sessionSettings(limits)),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser: utcTimes },
  })
  // Without a listener, a dropped idle connection would end the process; the next query opens a new one.
  pool.on('error', () => undefined)
  const idle = trackUse(pool, since)
  const onFault = (fault: unknown) => {
    trouble.note(fault)
    const isElsewhere = primary && !isOurs(fault) && (!isFromServer(fault) || refusesWrites(fault) || isShutdown(fault))
    if (isElsewhere) primary.forget()
    if (isElsewhere || isSilence(fault)) dropIdle([...idle])
  }
  pool.on('connect', (client) => {
    limitAnswers(client, limits.answer)
    watchTransactions(client, onFault)
  })
  watchPool(pool, onFault, isPooled)
  if (primary) {
    leaveOldPrimary(pool, since, async () => {
      const isElsewhere = await primary.searchAgain()
      dropIdle([...idle].filter(isElsewhere))
      for (const client of [...since.keys()].filter(isElsewhere)) cutOff(client)
    })
  }
  return pool
}

/**
 * Settings of a session. A pooler in transaction mode refuses or loses them, because the next statement may run in
 * another session: then the pooler sets them on each of its connections (docs/high-availability.md).
 */
const sessionSettings = ({ statement }: Timeouts) => ({
  statement_timeout: statement,
  idle_in_transaction_session_timeout: idleInTransaction,
  options: '-c timezone=UTC',
})

/** Records in `since` when each connection was taken, and returns the set of connections that wait in the pool. */
function trackUse(pool: pg.Pool, since: Map<pg.ClientBase, number>): Set<pg.PoolClient> {
  const idle = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => {
    idle.delete(client)
    since.set(client, performance.now())
  })
  pool.on('release', (fault, client) => {
    since.delete(client)
    if (!fault) idle.add(client)
  })
  pool.on('remove', (client) => idle.delete(client as pg.PoolClient))
  return idle
}

/** Milliseconds after which a connection that is still in use is a reason to ask which server is the primary. */
const suspicion = 500

/**
 * Leaves a primary that is silent as soon as another server has taken its place. Without this, each connection would
 * first wait for its timeout.
 */
function leaveOldPrimary(pool: pg.Pool, since: Map<pg.ClientBase, number>, leave: () => Promise<void>) {
  let isAsking = false
  const timer = setInterval(async () => {
    if (pool.ending) return clearInterval(timer)
    const isLate = Math.min(...since.values()) < performance.now() - suspicion
    if (isAsking || !isLate) return
    isAsking = true
    await leave()
    isAsking = false
  }, suspicion)
  timer.unref()
}

/** Ends a connection without waiting for an answer. Its statement fails as if the server had closed the connection. */
const cutOff = (client: pg.ClientBase) =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()

type OnFault = (fault: unknown) => void
type Ask = (...args: unknown[]) => Promise<pg.QueryResult>

/** A statement outside a transaction is repeated this often after a conflict with other transactions. */
const repeats = 2

/**
 * Reports failed statements outside transactions to `onFault`. Does not end the connection, because the pool itself
 * removes a connection whose statement failed. PostgreSQL has undone a statement that it ended because of a conflict,
 * so the same statement runs again, unless `mayRepeat` is false because its caller repeats it. A transaction is not repeated
 * here: its caller has acted on what it read.
 *
 * A statement that a migration outdated has not run. It runs again on another connection, each of which may be outdated.
 */
function watchPool(pool: pg.Pool, onFault: OnFault, isPooled: boolean) {
  const ask = pool.query.bind(pool) as Ask
  pool.query = (async (...args: unknown[]) => {
    const sent = isPooled ? withoutName(args) : args
    const { mayRepeat = true } = args[0] as { mayRepeat?: boolean }
    for (let tries = 1; ; tries++) {
      refuseWhenOver()
      try {
        return await ask(...sent)
      } catch (fault) {
        if (isOutdated(fault) && tries <= pool.options.max) continue
        if (isConflict(fault) && !mayRepeat) throw fault
        if (tries > repeats || !isConflict(fault)) {
          onFault(fault)
          throw fault
        }
        // The other transactions of the conflict go first.
        await pause(10 + Math.random() * 40)
      }
    }
  }) as typeof pool.query
}

/** Returns the query without its name: a named statement exists in one session of PostgreSQL only. */
function withoutName([query, ...others]: unknown[]): unknown[] {
  return typeof query === 'object' ? [{ ...query, name: undefined }, ...others] : [query, ...others]
}

type Answer = (fault: Error | undefined, result?: pg.QueryResult) => void

/**
 * Fails each statement that PostgreSQL does not answer in time; the pool or `watchTransactions` then ends its connection. A
 * connection gets one statement at a time: pg would still send one that waits in its queue and has failed. The `query_timeout`
 * of pg and its promises keep each result in memory until a large garbage collection (decision 0081).
 */
function limitAnswers(client: pg.PoolClient, milliseconds: number) {
  const ask = client.query.bind(client) as (query: unknown, values: unknown, answer: Answer) => void
  client.query = ((...args: unknown[]) => {
    const answer = args.at(-1)
    const [query, values] = typeof answer === 'function' ? args.slice(0, -1) : args
    if (typeof answer === 'function') return ask(query, values, inTime(milliseconds, answer as Answer))
    return new Promise((resolve, reject) => {
      const settle: Answer = (fault, result) => (fault ? reject(fault) : resolve(result))
      ask(query, values, inTime(milliseconds, settle))
    })
  }) as typeof client.query
}

/** Returns a callback whose first call goes on to `answer`. Without a call in time, `answer` gets an error. */
function inTime(milliseconds: number, answer: Answer): Answer {
  let isAnswered = false
  const answerOnce: Answer = (fault, result) => {
    if (isAnswered) return
    isAnswered = true
    clearTimeout(timer)
    answer(fault, result)
  }
  const timer = setTimeout(() => answerOnce(new Error(silence)), milliseconds)
  return answerOnce
}

/** The words of pg for the same fault, by which `unavailable.ts` knows it. */
const silence = 'Query read timeout'

/**
 * Observes statements inside transactions. A connection error or a refused write ends the connection, and with it the
 * transaction; Prisma would return the connection to the pool. The pool's own statements pass a callback and are not
 * observed.
 */
function watchTransactions(client: pg.PoolClient, onFault: OnFault) {
  const ask = client.query.bind(client) as Ask
  const end = () => void client.end().catch(() => undefined)
  const watched = async (...args: unknown[]) => {
    try {
      if (!isRollback(args[0])) refuseWhenOver()
      return await ask(...args)
    } catch (fault) {
      onFault(fault)
      // After a failover, a connection to the old primary stays read-only.
      if (!isFromServer(fault) || refusesWrites(fault)) end()
      throw fault
    }
  }
  // Prisma starts several queries of a transaction at once, and pg 9 will refuse a query before the one before has ended.
  let before: Promise<unknown> = Promise.resolve()
  const inTurn = (args: unknown[]) => {
    const asked = before.then(() => watched(...args))
    before = asked.catch(() => undefined)
    return asked
  }
  client.query = ((...args: unknown[]) =>
    typeof args.at(-1) === 'function' ? ask(...args) : inTurn(args)) as typeof client.query
}

const isRollback = (query: unknown) => /^ROLLBACK\b/i.test((query as { text?: string }).text ?? String(query))
/** serialization_failure and deadlock_detected (PostgreSQL, appendix A). */
export const isConflict = (fault: unknown) => isFromServer(fault) && /^40(001|P01)$/.test(String(fault.code))
/** Returns whether PostgreSQL refused a prepared statement because its result type changed; the message has many languages. */
const isOutdated = (fault: unknown) => isFromServer(fault) && fault.routine === 'RevalidateCachedQuery'
const isSilence = (fault: unknown) => fault instanceof Error && fault.message === silence
const isFromServer = (fault: unknown): fault is pg.DatabaseError => fault instanceof pg.DatabaseError
const isShutdown = (fault: unknown) => /^57P0/.test(String((fault as { code?: unknown }).code))

/** Returns whether this process raised a fault that says nothing about the server: a full pool, or a request that is over. */
const isOurs = (fault: unknown) =>
  fault instanceof RequestOver ||
  (fault instanceof Error && fault.message === 'timeout exceeded when trying to connect')

/**
 * Drops idle connections after one stopped answering or led to a server that refuses writes: emits an error on
 * each of them, upon which the pool removes it.
 */
function dropIdle(idle: pg.PoolClient[]) {
  for (const client of idle) client.emit('error', new Error('Another connection to PostgreSQL was lost.'))
}

/** Reads timestamps without a time zone as UTC, whatever the time zone of the process. */
const utcTimes = ((oid: number, format: 'text') =>
  oid === pg.types.builtins.TIMESTAMP
    ? (text: string) => new Date(`${text.replace(' ', 'T')}Z`)
    : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser
