import { expect, it } from 'vitest'
import { withRequest } from '#lib/queue/current-request'
import { freshUrl } from '#lib/testing/databases/databases'
import { type Database, openDatabase } from './client.ts'
import { cacheFor } from './sqlite-settings.ts'

const now = new Date('2026-01-01T00:00:00Z')
const lease = (name: string) => ({ name, holder: 'one', expiresAt: now })

async function setUp() {
  const database = await openDatabase(await freshUrl('sqlite'))
  if (database.kind !== 'sqlite') throw new Error('not SQLite')
  const insert = database.sqlite.driver.prepare('INSERT INTO "Lease" (name, holder, "expiresAt") VALUES (?, ?, ?)')
  const names = async () => (await database.prisma.lease.findMany()).map((row) => row.name).sort()
  return { database, ...database, insert, names }
}

it('keeps every acknowledged write of concurrent transactions, rollbacks, plain writes and shared commits', async () => {
  const { prisma, sqlite, insert, names, database } = await setUp()
  const acknowledged: string[] = []
  const note = (name: string) => () => void acknowledged.push(name)
  const work: Promise<void>[] = []
  for (let i = 0; i < 100; i++) {
    work.push(prisma.lease.create({ data: lease(`plain-${i}`) }).then(note(`plain-${i}`)))
    work.push(sqlite.write(() => insert.run(`shared-${i}`, 'one', now.getTime())).then(note(`shared-${i}`)))
    const rollsBack = i % 3 === 0
    work.push(
      inTransaction(database, `transaction-${i}`, rollsBack).then(note(`transaction-${i}`), (fault: Error) => {
        if (fault.message !== 'changed my mind') throw fault
      }),
    )
  }
  await Promise.all(work)
  expect(acknowledged).toHaveLength(100 + 100 + 66)
  expect(await names()).toEqual(acknowledged.sort())
  await database.close()
})

async function inTransaction({ prisma }: Database, name: string, rollsBack: boolean) {
  await prisma.$transaction(
    async (tx) => {
      await tx.lease.create({ data: lease(name) })
      await tx.lease.update({ where: { name }, data: { holder: 'two' } })
      if (rollsBack) throw new Error('changed my mind')
    },
    { maxWait: 30_000, timeout: 30_000 },
  )
}

it('rejects only the caller whose statement breaks a constraint in a shared commit', async () => {
  const { sqlite, insert, names, database } = await setUp()
  const results = await Promise.allSettled(
    ['a', 'a', 'b'].map((name) => sqlite.write(() => insert.run(name, 'one', now.getTime()))),
  )
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await names()).toEqual(['a', 'b'])
  await database.close()
})

it('rejects only the statement of a request whose time is over in a shared commit', async () => {
  const { sqlite, insert, names, database } = await setUp()
  const write = (name: string) => sqlite.write(() => insert.run(name, 'one', now.getTime()))
  const request = { id: 'r', address: '', abandoned: () => new AbortController().signal, isOver: true }
  const over = withRequest(request, () => write('over'))
  const others = [write('of no request'), withRequest({ ...request, isOver: false }, () => write('in time'))]
  await expect(over).rejects.toThrow('refused before this statement')
  await Promise.all(others)
  expect(await names()).toEqual(['in time', 'of no request'])
  await database.close()
})

it('commits shared writes after an open transaction, whose rollback does not affect them', async () => {
  const { prisma, sqlite, insert, names, database } = await setUp()
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const rolledBack = prisma.$transaction(async (tx) => {
    await tx.lease.create({ data: lease('inside') })
    open()
    await released
    throw new Error('changed my mind')
  })
  await opened
  const write = sqlite.write(() => insert.run('outside', 'one', now.getTime()))
  release()
  await expect(rolledBack).rejects.toThrow('changed my mind')
  await write
  expect(await names()).toEqual(['outside'])
  await database.close()
})

it('uses WAL with synchronous FULL, and foreign keys', async () => {
  const { sqlite, database } = await setUp()
  const pragma = (name: string) => sqlite.driver.pragma(name, { simple: true })
  expect([pragma('journal_mode'), Number(pragma('synchronous')), Number(pragma('foreign_keys'))]).toEqual(['wal', 2, 1])
  await database.close()
})

it('maps the file, and keeps a large cache only for a file that is not mapped as a whole', async () => {
  const { sqlite, database } = await setUp()
  const pragma = (name: string) => Number(sqlite.driver.pragma(name, { simple: true }))
  const mapped = pragma('mmap_size')
  expect([mapped, pragma('cache_size')]).toEqual([2 ** 31 - 65_536, -4096])
  expect([cacheFor(mapped - 1), cacheFor(mapped)]).toEqual([4096, 65_536])
  await database.close()
})
