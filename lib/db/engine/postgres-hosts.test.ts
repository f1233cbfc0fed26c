import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { freshUrl } from '#lib/testing/databases/databases'
import { type PostgresServer, startPostgres } from '#lib/testing/databases/postgres-server'
import { type Line, openLine } from '#lib/testing/relay/line'
import { applyMigrations } from '#prisma/apply'
import { type Database, openDatabase } from './client.ts'
import { followPrimary } from './postgres-hosts.ts'
import { isUnavailable } from './unavailable.ts'

/** Two servers with a database of the same name: the first one is the primary. */
let other: PostgresServer
beforeAll(async () => {
  other = await startPostgres()
})
afterAll(() => other.stop())

type Server = { url: string; line: Line }
let servers: [Server, Server]
let database: Database
const limits = { connections: 4, connect: 1000, statement: 500, answer: 600, lock: 0 }

beforeEach(async () => {
  const first = await freshUrl('postgresql')
  const name = new URL(first).pathname.slice(1)
  await ask(other.url, `CREATE DATABASE ${name}`)
  const second = Object.assign(new URL(other.url), { pathname: name }).href
  await applyMigrations(second)
  servers = [await behindLine(first), await behindLine(second)]
  await setReadOnly(servers[1], true)
  database = await openDatabase(urlOf(servers), undefined, limits)
})
afterEach(async () => {
  await database.close()
  for (const { line } of servers) await line.cut()
})

const behindLine = async (url: string) => ({ url, line: await openLine(Number(new URL(url).port)) })

/** Names both servers in one URL. */
function urlOf([one, two]: [Server, Server]): string {
  const url = new URL(one.url)
  const hosts = [one, two].map(({ line }) => `127.0.0.1:${line.port}`).join()
  return `postgresql://${url.username}@${hosts}${url.pathname}?target_session_attrs=read-write`
}

async function ask(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url, options: '-c default_transaction_read_only=off' })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** A standby refuses writes in the same way. Open connections keep their rights, as they never do in a real failover. */
async function setReadOnly({ url }: Server, value: boolean) {
  const name = new URL(url).pathname.slice(1)
  await ask(url, `ALTER DATABASE ${name} SET default_transaction_read_only = ${value ? 'on' : 'off'}`)
}

const write = (name: string) => database.prisma.lease.create({ data: { name, holder: 'me', expiresAt: new Date(0) } })
const namesOn = async ({ url }: Server) =>
  (await ask(url, 'SELECT name FROM "Lease" ORDER BY name')).map(({ name }) => name)
const works = (name: string) =>
  expect
    .poll(() =>
      write(name).then(
        () => 'written',
        (fault) => isUnavailable(fault),
      ),
    )
    .toBe('written')

it('writes to the server that accepts writes, wherever it is in the list', async () => {
  await write('one')
  expect(await namesOn(servers[0])).toEqual(['one'])
  await database.close()
  database = await openDatabase(urlOf(servers.toReversed() as typeof servers), undefined, limits)
  await write('two')
  expect(await namesOn(servers[0])).toEqual(['one', 'two'])
})

it('finds the new primary after the old one is gone', async () => {
  await write('before')
  await servers[0].line.cut()
  expect(isUnavailable(await write('during').catch((fault: unknown) => fault))).toBe(true)
  await setReadOnly(servers[1], false)
  await works('after')
  expect(await namesOn(servers[1])).toEqual(['after'])
})

it('finds the new primary while the old one is silent', async () => {
  await write('before')
  servers[0].line.fallSilent('new ones too')
  await setReadOnly(servers[1], false)
  await works('after')
  expect(await namesOn(servers[1])).toEqual(['after'])
})

it('leaves a silent primary before the time limit of its connections and statements', async () => {
  await database.close()
  const patient = { connections: 2, connect: 600_000, statement: 600_000, answer: 600_000, lock: 0 }
  database = await openDatabase(urlOf(servers), undefined, patient)
  await write('before')
  servers[0].line.fallSilent('new ones too')
  const silent = ['one', 'two', 'three'].map((name) => write(name).catch((fault: unknown) => fault))
  await setReadOnly(servers[1], false)
  expect((await Promise.all(silent.slice(0, 2))).map(isUnavailable)).toEqual([true, true])
  await works('after')
  expect(await namesOn(servers[1])).toContain('after')
})

it('keeps the statements of a healthy primary when its pool is exhausted', async () => {
  await database.close()
  database = await openDatabase(urlOf(servers), undefined, {
    ...limits,
    connections: 2,
    statement: 20_000,
    answer: 20_000,
  })
  const slow = [1, 2].map(() => database.prisma.$queryRaw`SELECT count(pg_sleep(3))`.then(() => 'done'))
  expect(isUnavailable(await write('third').catch((fault: unknown) => fault))).toBe(true)
  expect(await Promise.all(slow)).toEqual(['done', 'done'])
})

it('leaves the other connections to a silent primary once a new connection has found the new one', async () => {
  await database.close()
  database = await openDatabase(urlOf(servers), undefined, { ...limits, statement: 600_000, answer: 600_000 })
  const silent = [1, 2].map(() => database.prisma.$queryRaw`SELECT pg_sleep(3)`.catch((fault: unknown) => fault))
  // After the fault of this connection, the next new connection searches for the primary.
  await database.prisma.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`.catch(() => undefined)
  servers[0].line.fallSilent('new ones too')
  await setReadOnly(servers[1], false)
  await works('after')
  expect((await Promise.all(silent)).map(isUnavailable)).toEqual([true, true])
})

it('leaves a primary that became a standby', async () => {
  await write('before')
  await setReadOnly(servers[0], true)
  await setReadOnly(servers[1], false)
  // The old primary restarts as a standby.
  await ask(
    servers[0].url,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  await works('after')
  expect(await namesOn(servers[1])).toEqual(['after'])
})

it('is unavailable while every server is read-only, and works again by itself', async () => {
  await database.close()
  await setReadOnly(servers[0], true)
  database = await openDatabase(urlOf(servers), undefined, limits)
  expect(isUnavailable(await write('one').catch((fault: unknown) => fault))).toBe(true)
  await setReadOnly(servers[0], false)
  await works('two')
})

it('asks a silent server over one connection at a time, in all searches together', async () => {
  const open = new Set<unknown>()
  let most = 0
  const mute = createServer((socket) => {
    most = Math.max(most, open.add(socket).size)
    socket.on('close', () => open.delete(socket)).on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  onTestFinished(() => void mute.close())
  const { port } = mute.address() as AddressInfo
  const url = `postgresql://postern@127.0.0.1:${port}/postern`
  const primary = followPrimary([servers[0].url, url], 1000, new Map())
  const client = new primary.Client(servers[0].url)
  await Promise.all([client.connect(), primary.searchAgain(), primary.searchAgain()])
  await primary.searchAgain()
  await client.end()
  await expect.poll(() => most).toBe(1)
})
