import { expect, it, onTestFinished } from 'vitest'
import { sweeps } from '#lib/db/jobs/sweep-store'
import { nodeStore } from '#lib/db/nodes/node-store'
import { makeLog } from '#lib/server/observe/log'
import { kinds } from '#lib/testing/databases/databases'
import { openPostern } from '#lib/testing/process/postern'
import { openNode } from './node.ts'

/** Opens nodes on one database, each with a clock that is `ahead` seconds ahead. */
async function setUp(kind: (typeof kinds)[number]) {
  const { context, close } = await openPostern({ kind })
  onTestFinished(close)
  const { database } = context
  const open = async (ahead = 0) => {
    const clock = { ahead }
    const lines: string[] = []
    const log = makeLog('info', { write: (line: string) => void lines.push(JSON.parse(line).msg) })
    const now = () => new Date(Date.now() + clock.ahead * 1000)
    const node = await openNode({ ...context, log, now })
    onTestFinished(() => node.leave())
    return { ...node, clock, lines }
  }
  return { open, database, list: () => nodeStore(database).list() }
}

const farAhead = /^the clock of this node is (599|600|601) seconds ahead of the database's, and differs from/
const farBehind = /^the clock of this node is (599|600|601) seconds behind the database's, and differs from/

for (const kind of kinds) {
  it(`keeps a row for each node of one host on ${kind}, and removes it when the node leaves`, async () => {
    const { open, list } = await setUp(kind)
    const [one, other] = [await open(), await open()]
    const rows = await list()
    expect(rows.map(({ pid, isAlive, isDraining }) => [pid, isAlive, isDraining])).toEqual([
      [process.pid, true, false],
      [process.pid, true, false],
    ])
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2)
    expect(rows[0]?.version).toMatch(/^\d+\.\d+\.\d+/)
    expect(rows[0]?.roles).toEqual(['web', 'relay', 'jobs'])
    for (const { startedAt, clockAhead } of rows) {
      expect(Math.abs(Date.now() - process.uptime() * 1000 - startedAt.getTime())).toBeLessThan(10_000)
      expect(Math.abs(clockAhead)).toBeLessThan(5)
    }
    await one.drain()
    expect((await list()).map(({ isDraining }) => isDraining).sort()).toEqual([false, true])
    await one.leave()
    await other.leave()
    expect(await list()).toEqual([])
  })

  it(`is unfit on ${kind} while its clock differs from the database’s and the other nodes’`, async () => {
    const { open } = await setUp(kind)
    const right = await open()
    const jumpy = await open(600)
    expect(jumpy.unfit()).toMatch(farAhead)
    jumpy.clock.ahead = 0
    await jumpy.beat()
    expect(jumpy.unfit()).toBeUndefined()
    jumpy.clock.ahead = -600
    await jumpy.beat()
    await jumpy.beat()
    expect(jumpy.unfit()).toMatch(farBehind)
    const wrong = 'the clock of this node differs from those of the database and of the other nodes'
    expect(jumpy.lines).toEqual([wrong, 'the clocks agree again', wrong])
    await right.beat()
    expect([right.unfit(), right.lines]).toEqual([undefined, []])
  })

  it(`only reports on ${kind} a clock of the database that differs from all nodes, or from the only one`, async () => {
    const { open, database } = await setUp(kind)
    const first = await open(600)
    expect([first.unfit(), first.lines]).toEqual([undefined, ['the clocks of this node and of the database differ']])
    await database.prisma.node.updateMany({ data: { hostName: 'another-machine' } })
    const second = await open(601)
    const message = 'the clock of the database differs from those of this node and of the other nodes'
    expect([second.unfit(), second.lines]).toEqual([undefined, [message]])
  })

  it(`is unfit on ${kind} when a contract migration changes the table of the heartbeats`, async () => {
    const { open, database } = await setUp(kind)
    const node = await open()
    await database.prisma.$executeRawUnsafe(`ALTER TABLE "Node" DROP COLUMN roles`)
    await database.prisma.$executeRawUnsafe(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, applied_steps_count)
         VALUES ('x', '', '99990102000000_contract_drop_roles', 1)`,
    )
    await node.beat()
    expect(node.unfit()).toBe('migration 99990102000000_contract_drop_roles needs a newer version than this one')
  })

  it(`does not ask a dead node on ${kind}`, async () => {
    const { open, database, list } = await setUp(kind)
    await open()
    const minuteAgo = new Date(Date.now() - 60_000)
    await database.prisma.node.updateMany({ data: { beatAt: minuteAgo } })
    expect((await list()).map(({ isAlive }) => isAlive)).toEqual([false])
    expect((await open(600)).unfit()).toBeUndefined()
  })

  it(`sweeps a dead row on ${kind}, and a node that was only silent writes it again`, async () => {
    const { open, database, list } = await setUp(kind)
    const node = await open()
    const [before] = await list()
    await database.prisma.node.updateMany({ data: { beatAt: new Date(Date.now() - 3_660_000) } })
    const sweep = sweeps(database).find(({ table }) => table === 'Node')
    expect(await sweep?.run(new Date(), 10)).toMatchObject({ count: 1 })
    await node.beat()
    const [after] = await list()
    expect(after?.id).toBe(before?.id)
    expect(Math.abs(Number(after?.startedAt) - Number(before?.startedAt))).toBeLessThan(5000)
  })

  it(`is unfit on ${kind} while the database has the contract step of a newer version`, async () => {
    const { open, database } = await setUp(kind)
    const node = await open()
    const insert = (name: string) =>
      database.prisma.$executeRawUnsafe(`INSERT INTO _prisma_migrations (id, checksum, migration_name, applied_steps_count)
        VALUES ('${name}', '', '${name}', 1)`)
    await insert('99990101000000_expand_contracts')
    await node.beat()
    expect(node.unfit()).toBeUndefined()
    await insert('99990102000000_contract_drop_old')
    await node.beat()
    expect(node.unfit()).toBe('migration 99990102000000_contract_drop_old needs a newer version than this one')
    await database.prisma.$executeRawUnsafe(`UPDATE _prisma_migrations SET rolled_back_at = current_timestamp
      WHERE migration_name LIKE '%_contract_drop_old'`)
    await node.beat()
    expect(node.unfit()).toBeUndefined()
  })
}

it('survives a database that refuses heartbeats, reports it once, and goes on afterwards', async () => {
  const { open, database, list } = await setUp('sqlite')
  if (database.kind !== 'sqlite') throw new Error('This test is about SQLite.')
  const node = await open()
  await database.prisma.node.deleteMany({})
  database.sqlite.driver.pragma('query_only = ON')
  await node.beat()
  await node.beat()
  expect(node.lines).toEqual(['the heartbeat could not be written'])
  database.sqlite.driver.pragma('query_only = OFF')
  await node.beat()
  expect((await list()).length).toBe(1)
})

it('gives up a heartbeat that has no answer within two seconds, and goes on afterwards', {
  timeout: 20_000,
}, async () => {
  const { open, database, list } = await setUp('postgresql')
  if (database.kind !== 'postgresql') throw new Error('This test is about PostgreSQL.')
  const node = await open()
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('LOCK TABLE "Node" IN ACCESS EXCLUSIVE MODE')
  await node.beat()
  expect(node.lines).toEqual(['the heartbeat could not be written'])
  await holder.query('ROLLBACK')
  holder.release()
  await node.beat()
  expect((await list()).map(({ isAlive }) => isAlive)).toEqual([true])
})
