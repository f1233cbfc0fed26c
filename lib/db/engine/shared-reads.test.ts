import { setImmediate as nextTurn } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withRequest } from '#lib/queue/current-request'
import { freshUrl } from '#lib/testing/databases/databases'
import { type Database, openDatabase } from './client.ts'
import { timeoutsFor } from './timeouts.ts'

let url: string
let database: Database & { kind: 'sqlite' }
beforeEach(async () => {
  url = await freshUrl('sqlite')
  const opened = await openDatabase(url, undefined, { ...timeoutsFor(4000, 1), lock: 60 })
  if (opened.kind !== 'sqlite') throw new Error('This test is about SQLite.')
  database = opened
})
afterEach(() => database.close())

const insert = (into: Sqlite.Database, name: string) =>
  void into.prepare('INSERT INTO "Lease" (name, holder, "expiresAt") VALUES (?, ?, 0)').run(name, 'one')

function countLeases() {
  const { driver } = database.sqlite
  return Number(driver.prepare('SELECT COUNT(*) FROM "Lease"').pluck().get())
}
const read = () => database.sqlite.read(countLeases)

it('reads alone without a transaction, and those of a turn in one transaction', async () => {
  const { driver } = database.sqlite
  const inTransaction = () => database.sqlite.read(() => driver.inTransaction)
  expect(await inTransaction()).toBe(false)
  expect(await Promise.all([inTransaction(), inTransaction()])).toEqual([true, true])
  expect(driver.inTransaction).toBe(false)
})

it('reads every change that was committed before the call', async () => {
  const other = new Sqlite(url.slice('file:'.length))
  const counts: Promise<number>[] = []
  for (let before = 0; before < 20; before++) {
    counts.push(read())
    insert(other, `lease ${before}`)
  }
  other.close()
  for (const [before, count] of (await Promise.all(counts)).entries()) expect(count).toBeGreaterThanOrEqual(before)
})

it.each([1, 2])(
  'waits with %i reads for an open transaction, and never reads a change that it rolls back',
  async (reads) => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const rolledBack = database.prisma.$transaction(async (tx) => {
      await tx.lease.create({ data: { name: 'inside', holder: 'one', expiresAt: new Date() } })
      open()
      await released
      throw new Error('changed my mind')
    })
    await opened
    const counts = Array.from({ length: reads }, read)
    // Past the turn in which the reads would run if no transaction were open.
    await nextTurn()
    await nextTurn()
    release()
    await expect(rolledBack).rejects.toThrow('changed my mind')
    expect(await Promise.all(counts)).toEqual(counts.map(() => 0))
  },
)

it('refuses only a read that fails, and one whose request is over', async () => {
  const request = { id: 'r', address: '', abandoned: () => new AbortController().signal, isOver: true }
  const broken = database.sqlite.read(() => {
    throw new Error('no such table')
  })
  const results = await Promise.allSettled([read(), broken, withRequest(request, read), read()])
  expect(results).toMatchObject([
    { value: 0 },
    { reason: { message: 'no such table' } },
    { reason: { message: 'The request was refused before this statement.' } },
    { value: 0 },
  ])
  expect([await read(), database.sqlite.driver.inTransaction]).toEqual([0, false])
})

it('repeats the reads of a transaction while another process holds a lock, and gives up after a while', async () => {
  let tries = 0
  const lockedFor = (times: number) => () => {
    tries++
    if (tries <= times) throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
    return countLeases()
  }
  expect(await Promise.all([read(), database.sqlite.read(lockedFor(2)), read()])).toEqual([0, 0, 0])
  expect(tries).toBe(3)
  const began = performance.now()
  const results = await Promise.allSettled([read(), database.sqlite.read(lockedFor(1000))])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(database.trouble.since(began)).toBe(true)
  expect([await read(), database.sqlite.driver.inTransaction]).toEqual([0, false])
})

it('commits the writes of requests in the turn that ends their reads', async () => {
  const { driver, write } = database.sqlite
  let turn = 0
  const next = () => {
    turn++
  }
  const readThenWrite = async (name: string) => {
    await read()
    await write(() => insert(driver, name))
    return turn
  }
  const turns = [readThenWrite('a'), readThenWrite('b')]
  setImmediate(() => {
    next()
    setImmediate(next)
  })
  expect(await Promise.all(turns)).toEqual([0, 0])
  expect(await read()).toBe(2)
})

it('answers 200 concurrent reads, and refuses each broken one among them', async () => {
  const reads = Array.from({ length: 200 }, (_, index) =>
    database.sqlite.read(() => {
      if (index % 10 === 0) throw new Error(`broken ${index}`)
      return index
    }),
  )
  for (const [index, result] of (await Promise.allSettled(reads)).entries())
    expect(result).toMatchObject(
      index % 10 === 0 ? { reason: { message: `broken ${index}` } } : { status: 'fulfilled', value: index },
    )
  expect(database.sqlite.driver.inTransaction).toBe(false)
})

it('refuses only the failed read if its error ends the transaction', async () => {
  const { driver } = database.sqlite
  const ended = database.sqlite.read(() => {
    driver.exec('ROLLBACK')
    throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' })
  })
  const results = await Promise.allSettled([read(), ended, read()])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await Promise.all([read(), read()])).toEqual([0, 0])
})

it('reads while the file is read-only and while another process writes', async () => {
  const other = new Sqlite(url.slice('file:'.length))
  other.exec('BEGIN IMMEDIATE')
  database.sqlite.driver.pragma('query_only = ON')
  expect(await Promise.all([read(), read()])).toEqual([0, 0])
  other.close()
})
