import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { jobStore } from '#lib/db/jobs/job-store'
import { freshUrl } from '#lib/testing/databases/databases'
import { type Line, openLine } from '#lib/testing/relay/line'
import { type Database, openDatabase } from './client.ts'
import { statementsOf } from './statements.ts'
import { isUnavailable } from './unavailable.ts'

const later = new Date('2026-01-02T00:00:00Z')
const limits = { connections: 4, connect: 1000, statement: 200, answer: 300, lock: 0 }

let line: Line
let database: Database & { kind: 'postgresql' }
beforeEach(async () => {
  const url = await freshUrl('postgresql')
  line = await openLine(Number(new URL(url).port))
  const opened = await openDatabase(line.through(url), undefined, limits)
  if (opened.kind !== 'postgresql') throw new Error('This test is about PostgreSQL.')
  database = opened
})
afterEach(async () => {
  await database.close()
  await line.cut()
})

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('It succeeded.'),
    (fault: unknown) => fault,
  )
const hot = () => statementsOf(database).find({ name: 'ready', sql: 'SELECT 1 AS one' }, [])
const plain = () => database.prisma.lease.count()
const transaction = () =>
  database.prisma.$transaction(async (tx) => {
    await tx.lease.create({ data: { name: 'one', holder: 'me', expiresAt: later } })
    await tx.lease.deleteMany({})
  })
const paths = [
  ['the hot path', hot],
  ['Prisma', plain],
  ['a transaction', transaction],
] as const

/** Retries until the work succeeds: on a busy machine it can exceed the short timeouts of this test. */
const healed = (work: () => Promise<unknown>) => expect.poll(() => work().then(() => 'works', String)).toBe('works')

/** Uses every connection of the pool. */
async function warmUp() {
  const all = await Promise.all(Array.from({ length: limits.connections }, () => database.pool.connect()))
  for (const connection of all) connection.release()
}

const nameOf = ({ pool }: typeof database) => new URL(pool.options.connectionString ?? '').pathname.slice(1)

describe('when PostgreSQL falls silent', () => {
  it('each of 200 statements at once fails in time, and later ones succeed', async () => {
    await warmUp()
    line.fallSilent('new ones too')
    const faults = await Promise.all(Array.from({ length: 200 }, () => faultOf(database.pool.query('SELECT 1'))))
    expect(faults.map(isUnavailable)).toEqual(faults.map(() => true))
    expect(new Set(faults.map((fault) => (fault as Error).message))).toContain('Query read timeout')
    await line.mend()
    await healed(hot)
  })

  it.each(paths)('%s fails in time, and works again as soon as the network does', async (_, work) => {
    await warmUp()
    expect(database.pool.totalCount).toBe(limits.connections)
    line.fallSilent()
    expect(isUnavailable(await faultOf(work()))).toBe(true)
    // The pool has dropped every silent connection, so the next statements do not fail on one.
    expect(database.pool.totalCount).toBe(0)
    await healed(work)
  })

  it.each(paths)('%s gives its slot back when new connections are silent too', async (_, work) => {
    await warmUp()
    line.fallSilent('new ones too')
    const faults = await Promise.all(Array.from({ length: 12 }, () => faultOf(work())))
    expect(faults.map(isUnavailable)).toEqual(faults.map(() => true))
    await line.mend()
    await healed(work)
    expect(database.pool.waitingCount).toBe(0)
  })

  it('drops the connection of an open transaction, and with it the transaction', async () => {
    // The first statement of a connection takes longest, and the limits of this database are short.
    await warmUp()
    let isHalf = false
    const fault = await faultOf(
      database.prisma.$transaction(async (tx) => {
        await tx.lease.create({ data: { name: 'half', holder: 'me', expiresAt: later } })
        isHalf = true
        line.fallSilent()
        await tx.lease.create({ data: { name: 'other half', holder: 'me', expiresAt: later } })
      }),
    )
    expect([isHalf, isUnavailable(fault)]).toEqual([true, true])
    expect(await database.prisma.lease.count()).toBe(0)
    expect(database.pool.totalCount).toBe(database.pool.idleCount)
  })
})

it('a callback gets one answer, although PostgreSQL answers after the limit', async () => {
  await warmUp()
  const client = await database.pool.connect()
  await client.query('SET statement_timeout = 0')
  const answers: (Error | undefined)[] = []
  // pg says so when PostgreSQL has answered every statement of the connection.
  const allAnswered = once(client, 'drain')
  client.query('SELECT pg_sleep(0.6)', (fault) => void answers.push(fault))
  await allAnswered
  client.release(true)
  expect(answers.map(String)).toEqual(['Error: Query read timeout'])
})

it('a statement may end with arguments that are undefined', async () => {
  const client = await database.pool.connect()
  const { rows } = await Reflect.apply(client.query, client, ['SELECT 1 AS one', undefined, undefined])
  client.release()
  expect(rows).toEqual([{ one: 1 }])
})

describe('PostgreSQL', () => {
  it.each(paths)('is unavailable when the connection is cut during %s', async (_, work) => {
    await warmUp()
    await line.cut()
    expect(isUnavailable(await faultOf(work()))).toBe(true)
    await line.mend()
    await healed(work)
  })

  it.each(paths)('is unavailable when the server ends the connections of %s', async (_, work) => {
    await healed(work)
    const admin = await openDatabase(await freshUrl('postgresql'))
    await admin.prisma.$queryRawUnsafe(
      `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '${nameOf(database)}'`,
    )
    await admin.close()
    const fault = await work().catch((thrown: unknown) => thrown)
    if (fault instanceof Error) expect(isUnavailable(fault)).toBe(true)
    await healed(work)
  })

  it('is unavailable when it is read-only', async () => {
    await database.pool.query(`ALTER DATABASE ${nameOf(database)} SET default_transaction_read_only = on`)
    await line.cut()
    await line.mend()
    const take = () => jobStore(database).claim('job', 'me', undefined)
    expect(isUnavailable(await faultOf(take()))).toBe(true)
    expect(isUnavailable(await faultOf(transaction()))).toBe(true)
    const write = { name: 'write', sql: 'DELETE FROM "Lease"' }
    expect(isUnavailable(await faultOf(statementsOf(database).change(write, [])))).toBe(true)
  })

  it('is unavailable after a failover until the connection to the old primary is replaced', async () => {
    await warmUp()
    const old = await database.pool.connect()
    await old.query('SET default_transaction_read_only = on')
    old.release()
    expect(isUnavailable(await faultOf(transaction()))).toBe(true)
    await transaction()
  })

  it('is unavailable when a statement takes too long or waits for a lock', async () => {
    expect(isUnavailable(await faultOf(database.prisma.$queryRaw`SELECT count(pg_sleep(1))`))).toBe(true)
    const other = await database.pool.connect()
    await other.query('BEGIN; LOCK TABLE "Lease"')
    expect(isUnavailable(await faultOf(plain()))).toBe(true)
    expect(isUnavailable(await faultOf(transaction()))).toBe(true)
    await other.query('ROLLBACK')
    other.release()
    await healed(transaction)
  })
})
