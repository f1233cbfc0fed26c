import { once } from 'node:events'
import { copyFileSync, existsSync, renameSync, statSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { freshUrl } from '#lib/testing/databases/databases'
import { startedThreads } from '#lib/testing/process/started-threads'
import { openCheckpointThread } from './checkpoint-thread.ts'
import { openDatabase } from './client.ts'
import { statementsOf } from './statements.ts'

const patience = { timeout: 20_000, interval: 10 }
const insert = { name: 'insert', sql: 'INSERT INTO "Lease" (name, holder, "expiresAt") VALUES ($1, $2, $3)' }
const pageBytes = 4096

/** A database, the threads that it starts, and the errors that ended them. */
async function setUp() {
  const threads = startedThreads()
  const url = await freshUrl('sqlite')
  const faults: unknown[] = []
  const database = await openDatabase(url, undefined, undefined, (fault) => faults.push(fault))
  if (database.kind !== 'sqlite') throw new Error('This test is about SQLite.')
  onTestFinished(() => database.close())
  const file = url.slice('file:'.length)
  const { driver, countWrites } = database.sqlite
  const statements = statementsOf(database)
  let rows = 0
  /** Adds rows in one commit, each of which fills a page. */
  const addRows = async (count: number) => {
    const names = Array.from({ length: count }, () => `row ${rows++}`)
    await Promise.all(names.map((name) => statements.change(insert, [name, name.padEnd(3500, '.'), new Date(0)])))
  }
  const size = () => statSync(file).size
  const autocheckpoint = () => Number(driver.pragma('wal_autocheckpoint', { simple: true }))
  const startThread = async () => {
    const started = once(process, 'worker')
    countWrites(200)
    const [worker] = (await started) as [Worker]
    await once(worker, 'online')
  }
  return { database, ...database, threads, faults, file, driver, addRows, size, autocheckpoint, startThread }
}

it('copies the log into the file after 200 writes, while the main thread makes no checkpoint', async () => {
  const { driver, threads, addRows, size } = await setUp()
  driver.pragma('wal_autocheckpoint = 0')
  const before = size()
  // Migrations have left free pages in the file.
  const free = Number(driver.pragma('freelist_count', { simple: true }))
  await addRows(199)
  expect(threads).toHaveLength(0)
  await addRows(1)
  await expect.poll(size, patience).toBeGreaterThanOrEqual(before + (200 - free) * pageBytes)
  expect(threads).toHaveLength(1)
})

it('starts one thread for 200 requests at once', async () => {
  const { sqlite, threads, faults, addRows } = await setUp()
  for (let request = 0; request < 200; request++) sqlite.countWrites(200)
  await addRows(200)
  expect(threads).toHaveLength(1)
  expect(faults).toEqual([])
})

it('counts the writes of Prisma, alone and in a transaction, and no reads', async () => {
  const { prisma, threads } = await setUp()
  const lease = (name: string) => ({ data: { name, holder: 'one', expiresAt: new Date(0) } })
  const writeTwice = async (number: number) => {
    await prisma.lease.create(lease(`alone ${number}`))
    await prisma.$transaction((tx) => tx.lease.create(lease(`in a transaction ${number}`)))
    await prisma.lease.count()
    await prisma.$queryRaw`
      WITH leases AS (SELECT name FROM "Lease") SELECT count(*) AS count FROM leases`
  }
  for (let number = 0; number < 99; number++) await writeTwice(number)
  await nextTurn()
  expect(threads).toHaveLength(0)
  await writeTwice(99)
  await nextTurn()
  expect(threads).toHaveLength(1)
})

it('restarts the log while writes go on', { timeout: 60_000 }, async () => {
  const { file, addRows, startThread } = await setUp()
  await startThread()
  for (let commits = 0; commits < 400; commits++) await addRows(50)
  // 20,000 pages were written.
  expect(statSync(`${file}-wal`).size).toBeLessThan(12_000 * pageBytes)
})

it('leaves checkpoints to commits when the thread has ended, and reports the error', async () => {
  const { addRows, startThread, autocheckpoint, threads, faults, size } = await setUp()
  await startThread()
  await threads[0]?.terminate()
  expect(faults).toEqual([expect.objectContaining({ message: 'The thread ended without an error.' })])
  expect(autocheckpoint()).toBe(1000)
  const before = size()
  await addRows(1100)
  expect(size()).toBeGreaterThan(before + 1000 * pageBytes)
  expect(threads).toHaveLength(1)
})

it('starts no thread for a file that is not there or was replaced', async () => {
  const { sqlite, file, faults, threads, addRows } = await setUp()
  renameSync(file, `${file}.moved`)
  sqlite.countWrites(200)
  expect(faults).toEqual([expect.objectContaining({ code: 'ENOENT' })])
  const other = await setUp()
  copyFileSync(`${file}.moved`, `${other.file}.copy`)
  renameSync(`${other.file}.copy`, other.file)
  other.sqlite.countWrites(200)
  expect(other.faults).toEqual([expect.objectContaining({ message: expect.stringContaining('was opened') })])
  renameSync(`${file}.moved`, file)
  // A request during the delay is not another attempt.
  await addRows(400)
  expect([faults.length, threads, other.threads]).toEqual([1, [], []])
})

it('starts another thread after the delay', async () => {
  const file = (await freshUrl('sqlite')).slice('file:'.length)
  const faults: unknown[] = []
  const thread = openCheckpointThread(new Sqlite(file), { onEnd: (fault) => faults.push(fault), restartDelay: 0 })
  onTestFinished(() => thread.close())
  const threads: Worker[] = []
  const end = (worker: Worker) => {
    threads.push(worker)
    void worker.terminate()
  }
  process.on('worker', end)
  onTestFinished(() => void process.off('worker', end))
  const failAgain = () => {
    thread.requestCheckpoint()
    return faults.length
  }
  await expect.poll(failAgain, patience).toBe(3)
  expect(threads.length).toBeGreaterThanOrEqual(3)
})

it('ends a thread without work, without a fault, and starts another one for a later request', async () => {
  const file = (await freshUrl('sqlite')).slice('file:'.length)
  const driver = new Sqlite(file)
  driver.pragma('journal_mode = WAL')
  driver.exec('CREATE TABLE work (number INTEGER)')
  const faults: unknown[] = []
  const { requestCheckpoint, close } = openCheckpointThread(driver, {
    onEnd: (fault) => faults.push(fault),
    restDelay: 20,
  })
  onTestFinished(close)
  const threads = startedThreads()
  const areAllEnded = () => threads.every(({ threadId }) => threadId === -1)
  for (let rest = 1; rest <= 3; rest++) {
    // Some requests arrive while the thread ends. None of them may cause a fault, or start a thread beside it.
    for (let request = 0; request < 10; request++) {
      driver.exec('INSERT INTO work VALUES (1)')
      requestCheckpoint()
      expect(threads.filter(({ threadId }) => threadId !== -1).length).toBeLessThanOrEqual(1)
      await sleep(15 + request)
    }
    await expect.poll(areAllEnded, patience).toBe(true)
    expect(threads.length).toBeGreaterThanOrEqual(rest)
  }
  await close()
  expect(faults).toEqual([])
  const after = new Sqlite(file)
  expect(after.prepare('SELECT count(*) FROM work').pluck().get()).toBe(30)
  after.close()
})

it('closes once if it is closed three times, and starts no thread afterwards', async () => {
  const { database, sqlite, threads, startThread } = await setUp()
  await startThread()
  await Promise.all([database.close(), database.close()])
  await database.close()
  sqlite.countWrites(200)
  await nextTurn()
  expect(threads).toHaveLength(1)
})

it('keeps everything when the database is closed during checkpoints, and leaves no log', async () => {
  for (let round = 0; round < 10; round++) {
    const { database, file, addRows, startThread, faults } = await setUp()
    if (round % 2 === 0) await startThread()
    for (let commits = 0; commits <= round; commits++) await addRows(200)
    await database.close()
    expect(existsSync(`${file}-wal`)).toBe(false)
    const again = await openDatabase(`file:${file}`)
    expect(await again.prisma.lease.count()).toBe(200 * (round + 1))
    await again.close()
    expect(faults).toEqual([])
  }
})

it('has a version of SQLite in which two connections can make checkpoints (https://sqlite.org/wal.html#walresetbug)', () => {
  const version = new Sqlite(':memory:').prepare('SELECT sqlite_version()').pluck().get() as string
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  expect(major * 1_000_000 + minor * 1000 + patch).toBeGreaterThanOrEqual(3_051_003)
})
