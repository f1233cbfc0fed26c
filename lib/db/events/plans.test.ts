import { describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#lib/db/engine/client'
import { freshUrl } from '#lib/testing/databases/databases'
import { eventDeliveryStore } from './event-delivery-store.ts'
import { queueEvent, queueForSharing, queueSessionEvents } from './queue-events.ts'
import { eventReceiverStore } from './receiver-store.ts'

const now = new Date('2026-11-23T12:00:00Z')
const act = {
  ...{ id: 'act', at: now, actor: 'ada', kind: 'events_replayed' as const, target: '', before: {}, after: {} },
}

/** Fills a database with ten receivers that have 2,000 waiting events each, and 5,000 people of their team. */
async function fill(kind: 'sqlite' | 'postgresql'): Promise<Database> {
  const database = await openDatabase(await freshUrl(kind))
  const { prisma } = database
  const times = { createdAt: now, updatedAt: now }
  await prisma.team.create({ data: { id: 'acme', name: 'Acme', ...times } })
  const texts = { name: '', kind: '', profile: '', redirectUris: '', scopes: '', requiredScopes: '', email: '' }
  const app = { teamId: 'acme', ...texts, homepage: '', policyUri: '', tosUri: '', ...times }
  const ids = Array.from({ length: 10 }, (_, index) => `app-${index}`)
  await prisma.app.createMany({ data: ids.map((id) => ({ ...app, id })) })
  await prisma.eventReceiver.createMany({
    data: ids.map((appId) => ({ appId, teamId: 'acme', address: 'x', ...times })),
  })
  const until = new Date(now.getTime() - 1)
  await prisma.$executeRaw`INSERT INTO "SecurityEvent"
    (id, "appId", type, sub, claims, state, version, attempts, "nextAt", until, "createdAt")
    WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < 20000)
    SELECT 'event-' || n, 'app-' || (n % 10), 'access-withdrawn', 'sub-' || n, '{}', 'waiting', 0, 0, ${now}, ${until}, ${now}
    FROM counter`
  if (database.kind === 'postgresql') await database.pool.query('ANALYZE')
  return database
}

async function askAll({ prisma }: Database) {
  const store = eventDeliveryStore(prisma)
  expect(await store.findDueTargets(now)).toHaveLength(10)
  expect(await store.findDue('app-1', now, 4)).toHaveLength(4)
  expect((await store.giveUp(now, 7)).reduce((sum, { count }) => sum + count, 0)).toBe(7)
  const receivers = eventReceiverStore(prisma)
  expect(await receivers.listEvents('app-1', undefined, 50)).toHaveLength(50)
  expect(await receivers.replay('app-1', now, act)).toBeLessThanOrEqual(7)
  const event = { type: 'access-withdrawn', claims: {} } as const
  await prisma.$transaction(async (tx) => {
    await queueEvent(tx, { personId: 'ada' }, event, now)
    await queueForSharing(tx, { personId: 'ada' }, event, now)
    await queueSessionEvents(tx, ['session'], now)
  })
}

const tables = /SecurityEvent|EventReceiver|receiver|subject|consent|one|later/

describe('the statements of security events', () => {
  it('read no whole table and sort nothing on SQLite', async () => {
    const database = await fill('sqlite')
    if (database.kind !== 'sqlite') throw new Error('This test is about SQLite.')
    const { driver } = database.sqlite
    const asked = new Set<string>()
    const prepare = driver.prepare.bind(driver)
    driver.prepare = (sql: string) => {
      if (/SELECT|UPDATE/.test(sql) && /SecurityEvent|EventReceiver/.test(sql)) asked.add(sql)
      return prepare(sql)
    }
    await askAll(database)
    const steps = [...asked].flatMap((sql) => {
      const marks = sql.match(/\?\d*/g)?.length ?? 0
      const rows = prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...Array(marks).fill(null)) as { detail: string }[]
      return rows.map(({ detail }) => detail)
    })
    await database.close()
    expect(asked.size).toBeGreaterThanOrEqual(7)
    expect(
      steps.filter((step) => /^SCAN (?!queued|CONSTANT)|TEMP B-TREE FOR ORDER/.test(step) && tables.test(step)),
    ).toEqual([])
  })

  it('read as many rows as they return on PostgreSQL', async () => {
    const database = await fill('postgresql')
    if (database.kind !== 'postgresql') throw new Error('This test is about PostgreSQL.')
    const asked: { sql: string; values: unknown[] }[] = []
    const ask = database.pool.query.bind(database.pool) as (...args: unknown[]) => Promise<unknown>
    database.pool.query = ((...args: unknown[]) => {
      const { text, values } = args[0] as { text: string; values?: unknown[] }
      if (text.includes('SecurityEvent')) asked.push({ sql: text, values: values ?? (args[1] as unknown[]) })
      return ask(...args)
    }) as typeof database.pool.query
    const store = eventDeliveryStore(database.prisma)
    await store.findDueTargets(now)
    await store.findDue('app-1', now, 4)
    await store.giveUp(now, 7)
    const plans: string[] = []
    for (const { sql, values } of asked) {
      const explained = { text: `EXPLAIN (ANALYZE, TIMING OFF) ${sql}`, values }
      const { rows } = (await ask(explained)) as { rows: Record<string, string>[] }
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    }
    await database.close()
    expect(plans.length).toBeGreaterThanOrEqual(3)
    for (const plan of plans) {
      expect(plan).not.toMatch(/Seq Scan on "SecurityEvent"/)
      const counts = [...plan.matchAll(/actual rows=(\d+)/g)].map((found) => Number(found[1]))
      expect(Math.max(...counts)).toBeLessThanOrEqual(11)
    }
  })
})
