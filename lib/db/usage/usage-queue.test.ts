import { describe, expect, it } from 'vitest'
import { type Statements, statementsOf } from '#lib/db/engine/statements'
import { kinds } from '#lib/testing/databases/databases'
import { sharePostern } from '#lib/testing/process/share-postern'
import { usageQueue } from './usage-queue.ts'
import { usageStore } from './usage-store.ts'

const day = 86_400_000

describe.each(kinds)('the usage of apps on %s', (kind) => {
  const postern = sharePostern({ kind })
  let tests = 0
  /** A process with its own counts, on a day that no other test uses. */
  const setUp = () => {
    const today = new Date(Date.UTC(2026, 0, 1) + tests++ * 10 * day)
    const clock = { now: new Date(today.getTime() + 1000) }
    const faults: unknown[] = []
    const node = (statements: Statements = statementsOf(postern.context.database)) => {
      const counts = new Map<string, number>()
      const { flush } = usageQueue(counts, { statements, now: () => clock.now, fault: (err) => faults.push(err) })
      return {
        counts,
        flush,
        add: (what: string, count: number, app = 'acme-web') => counts.set(`${app}\0${what}`, count),
      }
    }
    const read = async (app = 'acme-web', since = today) =>
      (await usageStore(postern.context.database.prisma).read(app, since))
        .filter((row) => row.day < new Date(today.getTime() + 10 * day))
        .map((row) => [row.day.toISOString().slice(8, 10), row.what, row.count])
    const dayOf = (after = 0) => new Date(today.getTime() + after * day).toISOString().slice(8, 10)
    return { clock, faults, node, read, dayOf }
  }

  it('adds the counts of three processes that write at the same time', async () => {
    const { node, read, dayOf, faults } = setUp()
    const nodes = [node(), node(), node()]
    for (let turn = 0; turn < 5; turn++) {
      for (const one of nodes) for (let n = 0; n < 100; n++) one.add(`scope s${100 + n}`, 1)
      await Promise.all(nodes.map((one) => one.flush()))
    }
    expect(faults).toEqual([])
    expect(await read()).toEqual(Array.from({ length: 100 }, (_, n) => [dayOf(), `scope s${100 + n}`, 15]))
  })

  it('keeps a row for each day', async () => {
    const { node, read, dayOf, clock } = setUp()
    const { add, flush } = node()
    add('sign_ins', 2)
    await flush()
    clock.now = new Date(clock.now.getTime() + day)
    add('sign_ins', 3)
    await flush()
    expect(await read()).toEqual([
      [dayOf(), 'sign_ins', 2],
      [dayOf(1), 'sign_ins', 3],
    ])
  })

  it('leaves out an app that does not exist, and writes the others', async () => {
    const { node, read, dayOf, faults } = setUp()
    const { add, flush } = node()
    add('sign_ins', 1, 'gone')
    add('sign_ins', 1)
    await flush()
    expect(faults).toEqual([])
    expect(await read('gone')).toEqual([])
    expect(await read()).toEqual([[dayOf(), 'sign_ins', 1]])
  })

  it('keeps counts in memory while the database is away, and books them on their day', async () => {
    const { node, read, dayOf, clock, faults } = setUp()
    const statements = statementsOf(postern.context.database)
    let isAway = true
    const change: Statements['change'] = async (...given) => {
      if (isAway) throw new Error('away')
      return statements.change(...given)
    }
    const { add, flush } = node({ ...statements, change })
    add('refreshes', 1)
    await flush()
    add('refreshes', 2)
    await flush()
    clock.now = new Date(clock.now.getTime() + day)
    add('refreshes', 4)
    await flush()
    expect(faults).toHaveLength(3)
    isAway = false
    await flush()
    await flush()
    expect(await read()).toEqual([
      [dayOf(), 'refreshes', 3],
      [dayOf(1), 'refreshes', 4],
    ])
  })

  it('writes counts made during a write before the next call resolves', async () => {
    const { node, read, dayOf, faults } = setUp()
    const { add, flush } = node()
    add('sign_ins', 1)
    const running = flush()
    add('sign_ins', 2)
    await Promise.all([flush(), flush()])
    expect(await read()).toEqual([[dayOf(), 'sign_ins', 3]])
    await running
    expect(faults).toEqual([])
  })

  it('lets the event loop turn after the use of each credential', async () => {
    const { add, flush } = setUp().node()
    for (let n = 0; n < 100; n++) add(`secret unknown-${n}`, 1)
    let turns = 0
    let isOver = false
    const next = () => {
      turns += 1
      if (!isOver) setImmediate(next)
    }
    setImmediate(next)
    await flush()
    isOver = true
    expect(turns).toBeGreaterThanOrEqual(100)
  })

  it('stores the last use of a secret to the hour, once in an hour', async () => {
    const { node, clock } = setUp()
    const { prisma } = postern.context.database
    const secret = await prisma.appSecret.findFirstOrThrow({ where: { appId: 'acme-web' } })
    const statements = statementsOf(postern.context.database)
    let changes = 0
    const { add, flush } = node({
      ...statements,
      change: async (...given) => {
        changes += 1
        return statements.change(...given)
      },
    })
    const lastUse = async () => (await prisma.appSecret.findUniqueOrThrow({ where: { id: secret.id } })).lastUsedAt
    const first = new Date(clock.now)
    clock.now = new Date(first.getTime() + 50 * 60_000)
    add(`secret ${secret.id}`, 7)
    await flush()
    expect(await lastUse()).toEqual(new Date(first.getTime() - 1000))
    add(`secret ${secret.id}`, 7)
    await flush()
    expect(changes).toBe(1)
    clock.now = new Date(first.getTime() + 70 * 60_000)
    add(`secret ${secret.id}`, 1)
    await flush()
    expect(await lastUse()).toEqual(new Date(first.getTime() - 1000 + 3_600_000))
  })

  it('never stores an earlier use over a later one, or a use under another app', async () => {
    const { node, clock } = setUp()
    const { prisma } = postern.context.database
    const secret = await prisma.appSecret.findFirstOrThrow({ where: { appId: 'acme-mail' } })
    const later = new Date(clock.now.getTime() + day)
    await prisma.appSecret.update({ where: { id: secret.id }, data: { lastUsedAt: later } })
    const { add, flush } = node()
    add(`secret ${secret.id}`, 1, 'acme-mail')
    await flush()
    clock.now = new Date(later.getTime() + day)
    add(`secret ${secret.id}`, 1, 'acme-web')
    await flush()
    expect((await prisma.appSecret.findUniqueOrThrow({ where: { id: secret.id } })).lastUsedAt).toEqual(later)
  })

  it('counts no more than 20,000 distinct things while the database is away', async () => {
    const { node, read, faults } = setUp()
    const statements = statementsOf(postern.context.database)
    let isAway = true
    const change: Statements['change'] = async (...given) => {
      if (isAway) throw new Error('away')
      return statements.change(...given)
    }
    const { add, flush } = node({ ...statements, change })
    for (let turn = 0; turn < 3; turn++) {
      for (let n = 0; n < 10_000; n++) add(`scope ${turn * 10_000 + n}`, 1)
      await flush()
    }
    expect(faults).toHaveLength(3)
    isAway = false
    await flush()
    expect(await read()).toHaveLength(20_000)
  })
})
