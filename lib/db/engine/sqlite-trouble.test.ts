import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freshUrl } from '#lib/testing/databases/databases'
import { type Database, openDatabase } from './client.ts'
import { statementsOf } from './statements.ts'
import { timeoutsFor } from './timeouts.ts'
import { isUnavailable } from './unavailable.ts'

const later = new Date('2026-01-02T00:00:00Z')

let url: string
let database: Database & { kind: 'sqlite' }
/** Opens the file; a write waits at most this many milliseconds for the lock of another process. */
async function openWith(lock: number) {
  const opened = await openDatabase(url, undefined, { ...timeoutsFor(4000, 1), lock })
  if (opened.kind !== 'sqlite') throw new Error('This test is about SQLite.')
  database = opened
}
beforeEach(async () => {
  url = await freshUrl('sqlite')
  await openWith(30_000)
})
afterEach(() => database.close())

const row = () => ({ name: `${Math.random()}`, holder: 'x'.repeat(5000), expiresAt: later })
const hot = () => {
  const { name, holder, expiresAt } = row()
  const insert = { name: 'insert', sql: 'INSERT INTO "Lease" (name, holder, "expiresAt") VALUES ($1, $2, $3)' }
  return statementsOf(database).change(insert, [name, holder, expiresAt])
}
const plain = () => database.prisma.lease.create({ data: row() })
const transaction = () => database.prisma.$transaction((tx) => tx.lease.create({ data: row() }))
const writes = [
  ['a shared commit', hot],
  ['Prisma', plain],
  ['a transaction', transaction],
] as const

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (fault: unknown) => (isUnavailable(fault) ? 'unavailable' : fault),
  )

function holdLock() {
  const other = new Sqlite(url.slice('file:'.length))
  other.exec('BEGIN IMMEDIATE')
  return other
}

describe.each(writes)('%s on SQLite', (_, write) => {
  it('is unavailable while the disk is full, and works again once there is room', async () => {
    const pages = Number(database.sqlite.driver.pragma('page_count', { simple: true }))
    database.sqlite.driver.pragma(`max_page_count = ${pages}`)
    let met: unknown = 'done'
    // The first rows may still fit into existing pages.
    for (let tries = 0; tries < 20 && met === 'done'; tries++) met = await outcome(write())
    expect(met).toBe('unavailable')
    expect(await database.prisma.team.count()).toBe(0)
    database.sqlite.driver.pragma('max_page_count = 1000000')
    expect(await outcome(write())).toBe('done')
  })

  it('is unavailable while the file is read-only', async () => {
    database.sqlite.driver.pragma('query_only = ON')
    expect(await outcome(write())).toBe('unavailable')
    database.sqlite.driver.pragma('query_only = OFF')
    expect(await outcome(write())).toBe('done')
  })

  it('waits for the lock of another process while the event loop turns and reads are answered', async () => {
    const other = holdLock()
    const [first, second] = [outcome(write()), outcome(write())]
    expect(await database.prisma.lease.count()).toBe(0)
    // The lock holder is in this process: it can release the lock only if the event loop is not blocked.
    other.exec('ROLLBACK')
    other.close()
    expect(await Promise.all([first, second])).toEqual(['done', 'done'])
  })

  it('is unavailable when another process holds the lock for too long', async () => {
    await database.close()
    await openWith(60)
    const other = holdLock()
    const two = [outcome(write()), outcome(write())]
    expect(await Promise.all(two)).toEqual(['unavailable', 'unavailable'])
    other.close()
    await expect.poll(() => outcome(write())).toBe('done')
  })
})
