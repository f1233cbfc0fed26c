import { afterEach, beforeEach, expect, it } from 'vitest'
import { emptyUrl, freshUrl } from '#lib/testing/databases/databases'
import { startPgBouncer } from '#lib/testing/databases/pgbouncer'
import { openLine } from '#lib/testing/relay/line'
import { applyMigrations } from '#prisma/apply'
import { type Database, openDatabase } from './client.ts'
import { readMigrationState } from './migration-state.ts'
import { statementsOf } from './statements.ts'
import { timeoutsFor } from './timeouts.ts'
import { isUnavailable } from './unavailable.ts'

const time = new Date('2026-03-29T01:30:00.123Z')
const names = Array.from({ length: 60 }, (_, at) => `lease-${at}`)
const insert = { name: 'insert', sql: 'INSERT INTO "Lease" (name, holder, "expiresAt") VALUES ($1, $2, $3)' }
const read = { name: 'read', sql: 'SELECT "expiresAt" FROM "Lease" WHERE name = $1' }

let undo: (() => Promise<unknown>)[] = []
beforeEach(() => {
  undo = []
})
afterEach(async () => {
  for (const step of undo.reverse()) await step()
})

/** Opens a migrated database through PgBouncer, which has fewer connections than the pool. */
async function setUp(change = (url: string) => url) {
  const pooler = await startPgBouncer(await freshUrl('postgresql'), { default_pool_size: '3' })
  undo.push(pooler.stop)
  const database = await openDatabase(change(pooler.url), undefined, timeoutsFor(4000, 12))
  undo.push(database.close)
  if (database.kind !== 'postgresql') throw new Error('This test is about PostgreSQL.')
  return { database, statements: statementsOf(database) }
}

it('runs the statements of the hot path in any session of PostgreSQL', async () => {
  const { database, statements } = await setUp()
  await Promise.all(names.map((name) => statements.write(insert, [name, 'me', time])))
  const rows = await Promise.all(names.map((name) => statements.find(read, [name])))
  expect(rows).toEqual(names.map(() => ({ expiresAt: time })))
  expect(await sessions(database)).toBeGreaterThan(1)
})

it('refuses batches in time while PgBouncer is silent, and serves again by itself', async () => {
  const pooler = await startPgBouncer(await freshUrl('postgresql'))
  const line = await openLine(Number(new URL(pooler.url).port))
  const limits = { connections: 4, connect: 1500, statement: 400, answer: 500, lock: 0 }
  const database = await openDatabase(line.through(pooler.url), undefined, limits)
  undo.push(pooler.stop, line.cut, database.close)
  const { find, change } = statementsOf(database)
  await database.prisma.usedProof.createMany({ data: names.map((id) => ({ id, expiresAt: time })) })
  const each = { name: 'each', sql: 'SELECT id FROM "UsedProof" WHERE id = $1', types: ['text'] }
  const prolong = {
    name: 'prolong',
    sql: 'UPDATE "UsedProof" SET "expiresAt" = $2 WHERE id = $1',
    types: ['text', 'timestamp(3)'],
  }
  const uses = () => names.map((name, at) => (at % 2 ? find(each, [name]) : change(prolong, [name, time])))
  line.fallSilent('new ones too')
  const results = await Promise.allSettled(uses())
  expect(results.map((one) => one.status === 'rejected' && isUnavailable(one.reason))).toEqual(results.map(() => true))
  await line.mend()
  // On a busy machine, a use can exceed the short limits of this test.
  await expect.poll(() => Promise.all(uses()).then(() => 'works', String), { timeout: 30_000 }).toBe('works')
})

it('keeps a transaction in one session', async () => {
  const { database } = await setUp()
  const lease = (name: string) => ({ name, holder: 'me', expiresAt: time })
  const transactions = Array.from({ length: 12 }, (_, at) =>
    database.prisma.$transaction(async (tx) => {
      await tx.lease.create({ data: lease(`kept-${at}`) })
      if (at % 2 === 1) throw new Error('undone')
    }),
  )
  await Promise.allSettled(transactions)
  const kept = await database.prisma.lease.findMany({ orderBy: { name: 'asc' } })
  expect(kept).toHaveLength(6)
  expect(kept).toContainEqual(expect.objectContaining(lease('kept-0')))
})

it('has the limits and the time zone that the documented file sets', async () => {
  const { database } = await setUp()
  const shown = async (name: string) =>
    (await database.prisma.$queryRawUnsafe<object[]>(`SELECT current_setting('${name}') AS value`))[0]
  expect(await shown('statement_timeout')).toEqual({ value: '4s' })
  expect(await shown('idle_in_transaction_session_timeout')).toEqual({ value: '15s' })
  expect(await shown('TimeZone')).toEqual({ value: 'UTC' })
})

it('needs pgbouncer=true in its URL', async () => {
  const { statements } = await setUp((url) => url.replace('?pgbouncer=true', ''))
  await expect(statements.find(read, ['one'])).rejects.toThrow('unsupported startup parameter')
})

it('migrates an empty database through PgBouncer', async () => {
  const pooler = await startPgBouncer(await emptyUrl('postgresql'))
  undo.push(pooler.stop)
  expect((await applyMigrations(pooler.url)).length).toBeGreaterThan(0)
  expect(await readMigrationState(pooler.url)).toEqual({ empty: false, pending: [] })
})

/** Returns how many sessions of PostgreSQL PgBouncer has used. */
async function sessions(database: Database): Promise<number> {
  const [row] = await database.prisma.$queryRawUnsafe<{ count: bigint }[]>(
    'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()',
  )
  return Number(row?.count)
}
