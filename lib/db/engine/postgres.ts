import pg from 'pg'
import { serverUrls } from '#lib/text/server-urls'
import { followPrimary } from './postgres-hosts.ts'
import type { Timeouts } from './timeouts.ts'
import { refuseWhenOver, type Trouble } from './trouble.ts'
import { refusesWrites } from './unavailable.ts'

/** Milliseconds after which PostgreSQL ends an idle transaction, and with it the locks of a process that vanished. */
const idleInTransaction = 15_000

/**
 * Opens a pool that recovers without a restart: every wait has a timeout, and a connection that stops answering is
 * removed. If `url` names several servers, connections go to the one that accepts writes, also after a failover.
 */
export function openPool(url: string, limits: Timeouts, trouble: Trouble): pg.Pool {
  const urls = serverUrls(url)
  const primary = urls.length > 1 ? followPrimary(urls, limits.connect) : undefined
  const pool = new pg.Pool({
    connectionString: urls[0],
    ...(primary && { Client: primary.Client }),
    max: limits.connections,
    connectionTimeoutMillis: limits.connect,
    statement_timeout: limits.statement,
    query_timeout: limits.answer,
    idle_in_transaction_session_timeout: idleInTransaction,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: '-c timezone=UTC',
    types: { getTypeParser: utcTimes },
  })
  // Without a listener, a dropped idle connection would end the process; the next query opens a new one.
  pool.on('error', () => undefined)
  const idle = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('release', (fault, client) => fault || idle.add(client))
  pool.on('remove', (client) => idle.delete(client as pg.PoolClient))
  const onFault = (fault: unknown) => {
    trouble.note(fault)
    const isElsewhere = primary && (!isFromServer(fault) || refusesWrites(fault) || isShutdown(fault))
    if (isElsewhere) primary.forget()
    if (isElsewhere || isSilence(fault)) dropIdle(idle)
  }
  pool.on('connect', (client) => watchTransactions(client, onFault))
  watchPool(pool, onFault)
  return pool
}

type OnFault = (fault: unknown) => void
type Ask = (...args: unknown[]) => Promise<pg.QueryResult>

/**
 * Reports failed statements outside transactions to `onFault`. Does not end the connection, because the pool itself
 * removes a connection whose statement failed.
 */
function watchPool(pool: pg.Pool, onFault: OnFault) {
  const ask = pool.query.bind(pool) as Ask
  pool.query = (async (...args: unknown[]) => {
    refuseWhenOver()
    return ask(...args).catch((fault: unknown) => {
      onFault(fault)
      throw fault
    })
  }) as typeof pool.query
}

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
  client.query = ((...args: unknown[]) =>
    typeof args.at(-1) === 'function' ? ask(...args) : watched(...args)) as typeof client.query
}

const isRollback = (query: unknown) => /^ROLLBACK\b/i.test((query as { text?: string }).text ?? String(query))
const isSilence = (fault: unknown) => fault instanceof Error && fault.message === 'Query read timeout'
const isFromServer = (fault: unknown) => fault instanceof pg.DatabaseError
const isShutdown = (fault: unknown) => /^57P0/.test(String((fault as { code?: unknown }).code))

/**
 * Drops all idle connections after one stopped answering or led to a server that refuses writes: emits an error on
 * each of them, upon which the pool removes it.
 */
function dropIdle(idle: Set<pg.PoolClient>) {
  for (const client of [...idle]) client.emit('error', new Error('Another connection to PostgreSQL was lost.'))
}

/** Reads timestamps without a time zone as UTC, whatever the time zone of the process. */
const utcTimes = ((oid: number, format: 'text') =>
  oid === pg.types.builtins.TIMESTAMP
    ? (text: string) => new Date(`${text.replace(' ', 'T')}Z`)
    : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser
