import { existsSync, renameSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { freshDatabaseUrl, type PostgresServer, startPostgres } from '#lib/testing/databases/postgres-server'
import { applyMigrations } from '#prisma/apply'
import { type Database, openDatabase } from './client.ts'
import { statementsOf } from './statements.ts'
import { isUnavailable } from './unavailable.ts'

const limits = { connections: 4, connect: 1000, statement: 500, answer: 600, lock: 0 }

let server: PostgresServer
let url: string
let file: string
beforeAll(async () => {
  server = await startPostgres({ socket: true })
  url = await freshDatabaseUrl(server.url)
  await applyMigrations(url)
  file = join(server.folder, `.s.PGSQL.${new URL(url).port}`)
})
afterAll(() => server.stop())

let database: Database
beforeEach(async () => {
  database = await openDatabase(url, undefined, limits)
})
afterEach(() => database.close())

const hot = () => statementsOf(database).find({ name: 'socket', sql: 'SELECT inet_server_addr() AS address' }, [])
const plain = () => database.prisma.lease.count()
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('It succeeded.'),
    (fault: unknown) => fault,
  )
const transaction = () => database.prisma.$transaction((tx) => tx.lease.count())
const healed = (work: () => Promise<unknown>) => expect.poll(() => work().then(() => 'works', String)).toBe('works')
const paths = [
  ['the hot path', hot],
  ['Prisma', plain],
  ['a transaction', transaction],
] as const

it('reaches PostgreSQL through its Unix socket', async () => {
  // A connection through a socket has no address.
  expect([await hot(), await plain()]).toEqual([{ address: null }, 0])
})

it.each(paths)(
  'is unavailable on %s while the socket does not exist, as when PostgreSQL is stopped',
  async (_, work) => {
    renameSync(file, `${file}.away`)
    onTestFinished(() => {
      if (!existsSync(file)) renameSync(`${file}.away`, file)
    })
    const faults = await Promise.all(Array.from({ length: 200 }, () => faultOf(work())))
    renameSync(`${file}.away`, file)
    expect(faults.map(isUnavailable)).toEqual(faults.map(() => true))
    await healed(work)
  },
)

it.each(paths)(
  'is unavailable on %s while PostgreSQL stands still, also when its queue of connections is full',
  async (_, work) => {
    server.pause(true)
    onTestFinished(() => server.pause(false))
    const silent = await faultOf(work())
    const waiting = await fillQueue()
    const full = await faultOf(work())
    for (const connection of waiting) connection.destroy()
    server.pause(false)
    expect([silent, full].map(isUnavailable)).toEqual([true, true])
    await healed(work)
  },
)

/** Connects until the system refuses to queue another connection. */
async function fillQueue() {
  const waiting = []
  for (;;) {
    const connection = createConnection(file)
    const isQueued = await new Promise((resolve) =>
      connection.on('connect', () => resolve(true)).on('error', () => resolve(false)),
    )
    if (!isQueued) return waiting
    waiting.push(connection)
  }
}
