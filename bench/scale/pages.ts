import { readFileSync, statSync } from 'node:fs'
import type BetterSqlite from 'better-sqlite3'
import { sha256 } from '#lib/crypto/hash'
import type { Database } from '#lib/db/engine/client'
import { type Statement, type Statements, statementsOf } from '#lib/db/engine/statements'
import { authorizationStore } from '#lib/db/oauth/authorization-store'
import { tokenStore } from '#lib/db/oauth/token-store'
import { truncateLog } from '../truncate-log.ts'
import { orderedIdOf, secretOf, type Wanted } from './values.ts'

/** The reads and writes of one request, by their statements, and the authorization that it needs. */
const requests: { name: string; wanted: Wanted; run(database: Statements, number: number): Promise<unknown> }[] = [
  { name: 'userinfo', wanted: 'refreshTokens', run: findGrant },
  { name: 'introspection', wanted: 'refreshTokens', run: findTokenState },
  { name: 'refresh', wanted: 'refreshTokens', run: refresh },
  { name: 'exchange of a new code', wanted: 'newCodes', run: exchange },
  { name: 'exchange of an old code', wanted: 'codes', run: exchange },
]

function findGrant(database: Statements, number: number) {
  return tokenStore(database).findGrant(orderedIdOf('id', number), 'jti')
}

function findTokenState(database: Statements, number: number) {
  return tokenStore(database).findTokenState(orderedIdOf('id', number), 'jti')
}

async function refresh(database: Statements, number: number) {
  const store = authorizationStore(database)
  const [id, hash, now] = [orderedIdOf('id', number), sha256(secretOf('refresh', number)), new Date()]
  await store.findForRefresh({ id, hash, now, retrySeconds: 30 })
  await store.rotateRefresh({ id, current: hash, from: hash, to: sha256(hash), now, refreshIdleUntil: now })
}

async function exchange(database: Statements, number: number) {
  const store = authorizationStore(database)
  const [requestId, now] = [orderedIdOf('request', number), new Date()]
  await store.findByRequest(requestId)
  const ends = { refreshIdleUntil: now, refreshUntil: now, keepUntil: undefined }
  await store.spendCode({ requestId, now, refreshHash: sha256(secretOf('refresh', number)), ...ends })
}

export type Counts = { request: string; read: string; written: string }

/**
 * Counts the pages that the statements of each request read when no page is cached, and what they write: pages on SQLite,
 * and on PostgreSQL KiB of its log, which receives the whole page at its first change after a checkpoint.
 */
export async function countPages(database: Database, take: (wanted: Wanted) => Promise<number[]>): Promise<Counts[]> {
  const counts: Counts[] = []
  for (const { name, wanted, run } of requests) {
    const numbers = await take(wanted)
    const each =
      database.kind === 'sqlite'
        ? await onSqlite(database, (at) => run(statementsOf(database), at), numbers)
        : await onPostgres(database, (record, at) => run(record, at), numbers)
    counts.push({ request: name, ...each })
  }
  return counts
}

type Sqlite = Database & { kind: 'sqlite' }

async function onSqlite({ sqlite }: Sqlite, run: (number: number) => Promise<unknown>, numbers: number[]) {
  const { driver } = sqlite
  driver.pragma('busy_timeout = 10000')
  driver.pragma('mmap_size = 0')
  driver.pragma('wal_autocheckpoint = 0')
  let [read, written] = [0, 0]
  const wal = () => statSync(`${driver.name}-wal`).size
  for (const number of numbers) {
    await truncateLog(sqlite)
    driver.pragma('shrink_memory')
    const before = readsOfThread()
    await run(number)
    read += readsOfThread() - before - readsOfReading
    written += Math.round(wal() / (pageSize(driver) + 24))
  }
  return { read: (read / numbers.length).toFixed(1), written: `${(written / numbers.length).toFixed(1)} pages` }
}

const pageSize = (driver: BetterSqlite.Database) => Number(driver.pragma('page_size', { simple: true }))

/** Returns the number of read system calls of this thread; SQLite reads each page by one. Linux only. */
function readsOfThread(): number {
  return Number(/^syscr: (\d+)$/m.exec(readFileSync('/proc/thread-self/io', 'latin1'))?.[1])
}

readsOfThread()
const readsOfReading = -readsOfThread() + readsOfThread()

type Postgres = Database & { kind: 'postgresql' }
type Plan = Record<string, unknown>

/** Explains each statement while it runs, and counts the buffers and the bytes of the log. */
async function onPostgres(
  { pool }: Postgres,
  run: (record: Statements, number: number) => Promise<unknown>,
  numbers: number[],
) {
  let [read, bytes] = [0, 0]
  const explain = async ({ sql }: Statement, values: unknown[]) => {
    const sent = values.map((value) => (value instanceof Date ? value.toISOString() : value))
    const { rows } = await pool.query(`EXPLAIN (ANALYZE, BUFFERS, WAL, FORMAT JSON) ${sql}`, sent)
    const plan = rows[0]['QUERY PLAN'][0].Plan as Plan
    read += Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks'])
    bytes += Number(plan['WAL Bytes'] ?? 0)
    return undefined
  }
  const record = { kind: 'postgresql', find: explain, change: explain, write: explain } as unknown as Statements
  for (const number of numbers) await run(record, number)
  const count = numbers.length
  return { read: (read / count).toFixed(1), written: `${(bytes / count / 1024).toFixed(1)} KiB` }
}
