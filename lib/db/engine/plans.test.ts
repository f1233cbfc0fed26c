import { expect, it } from 'vitest'
import { deletionStore } from '#lib/db/account/deletion-store'
import { deliveryStore } from '#lib/db/logout/delivery-store'
import { look } from '#lib/db/sign-in/sign-up-store'
import { runMailStatements, runRequestStatements } from '#lib/testing/databases/hot-statements'
import { openNotedPostgres } from '#lib/testing/databases/noted-postgres'
import { openNotedSqlite } from '#lib/testing/databases/noted-sqlite'
import type { Database } from './client.ts'
import { type Statement, statementsOf } from './statements.ts'

/** Returns the statements of an app's requests without sending them. */
async function recordRequests(): Promise<Statement[]> {
  const noted: Statement[] = []
  const note = async (statement: Statement) => void noted.push(statement) as never
  const writeWhile = async (statement: Statement) => (await note(statement)) ?? []
  const statements = { kind: 'sqlite', find: note, change: note, write: note, writeWhile } as const
  await Promise.all(runRequestStatements(statements, 'id', new Date()))
  return noted
}

it('finds look-alike names by the index of their skeleton', async () => {
  const { database, explain } = await openNotedSqlite()
  const [step] = explain(`SELECT username FROM "Person" WHERE ${look} = ?`)
  await database.close()
  expect(step).toContain('USING INDEX Person_look_idx')
})

it('reads no whole table in any statement of an app’s request, and in those of a sign-in that need no row', async () => {
  const { database, explain } = await openNotedSqlite()
  const statements = await recordRequests()
  const plans = statements.map(({ name, sql }) => {
    // The form in which the statement runs (statements.ts).
    const steps = explain(sql.replaceAll(/\$\d+/g, '+?'))
    return { name, scans: steps.filter((step) => /^SCAN (?!CONSTANT)/.test(step)) }
  })
  await database.close()
  expect(plans.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['grant-and-rowids', 'live-session', 'secret-used', 'key-used']),
  )
  // The table of restores has at most one row, and `v` is the list of values that the statement itself has.
  const scanning = plans.filter(({ scans }) => scans.length > 0).map(({ name, scans }) => [name, ...scans])
  expect(scanning).toEqual([
    ['refresh-find', 'SCAN r'],
    ['use-assertion', 'SCAN Restore'],
    ['use-proof', 'SCAN Restore'],
    ['add-usage-1', 'SCAN v'],
  ])
})

it('looks for the person of an introspected token only among those who are disabled or being deleted', async () => {
  const { database, explain } = await openNotedSqlite()
  const { sql = '' } = (await recordRequests()).find(({ name }) => name === 'token-state') ?? {}
  const steps = explain(sql.replaceAll(/\$\d+/g, '+?')).filter((step) => step.includes(' p '))
  await database.close()
  expect(steps).toEqual(['SEARCH p USING INDEX Person_inactive_idx (id=?)'])
})

it('reads no whole table in any statement of a mail to an alias', async () => {
  const { database, asked, explain } = await openNotedSqlite()
  await runMailStatements(database, statementsOf(database), 'ada', new Date())
  const statements = asked.filter((sql) => /^(SELECT|INSERT|UPDATE)/.test(sql))
  const plans = statements.map(explain)
  await database.close()
  for (const name of ['ReverseAddress', 'ThreadMark', 'SentMessage', 'ReturnedMail', 'FormerEmail'])
    expect(statements.join()).toContain(name)
  expect(plans.flat().filter((step) => /^SCAN (?!sub)/.test(step))).toEqual([])
})

it('erases a person without reading a whole table', async () => {
  const { database, asked, explain } = await openNotedSqlite()
  const { prisma } = database
  const now = new Date()
  const texts = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: '' }
  const times = { profileUpdatedAt: now, createdAt: now, deleteAfter: now }
  await prisma.person.create({ data: { id: 'ada', username: 'ada', ...texts, ...times } })
  const session = { id: 's', personId: 'ada', publicId: 'p', amr: '' }
  const seen = { createdAt: now, authenticatedAt: now, lastSeenAt: now, expiresAt: now }
  await prisma.session.create({ data: { ...session, ...seen } })
  await prisma.alias.create({ data: { address: 'a', personId: 'ada', createdAt: now } })
  const reverse = { aliasName: 'a', target: 'news@shop.example', createdAt: now, lastUsedAt: now }
  await prisma.reverseAddress.create({ data: { token: 't', ...reverse } })
  await prisma.threadMark.create({ data: { id: 'm', aliasName: 'a', expiresAt: now } })
  await prisma.team.create({ data: { id: 'own', name: 'Own', createdAt: now, updatedAt: now } })
  await prisma.member.create({ data: { teamId: 'own', personId: 'ada', role: 'owner', createdAt: now } })
  asked.length = 0
  const deletions = deletionStore(prisma)
  for (const personId of await deletions.findDue(now, 20)) while (!(await deletions.erase(personId, now, 10)));
  expect([await prisma.person.count(), await prisma.team.count()]).toEqual([0, 0])
  // This scan is COUNT over the result of the inner statement, not over a table.
  const scans = [...new Set(asked)]
    .filter((sql) => /^(SELECT|UPDATE|DELETE)/.test(sql) && !sql.includes('AS `sub`'))
    .flatMap((sql) => explain(sql).map((step) => `${step}: ${sql}`))
    .filter((step) => /^SCAN /.test(step))
  await database.close()
  expect(scans).toEqual([])
})

/** Stores 20,000 due logout deliveries of ten apps. */
async function storeLogouts(database: Database) {
  const now = new Date()
  const times = { createdAt: now, updatedAt: now }
  await database.prisma.team.create({ data: { id: 'acme', name: 'Acme', ...times } })
  const texts = { name: '', kind: '', profile: '', redirectUris: '', scopes: '', requiredScopes: '', email: '' }
  const app = { teamId: 'acme', ...texts, homepage: '', policyUri: '', tosUri: '', ...times }
  const ids = Array.from({ length: 10 }, (_, index) => `app-${index}`)
  await database.prisma.app.createMany({ data: ids.map((id) => ({ ...app, id })) })
  const until = new Date(now.getTime() - 1)
  await database.prisma.$executeRaw`
    INSERT INTO "LogoutDelivery" ("appId", "sessionId", sub, version, attempts, "nextAt", until, "createdAt")
    WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < 20000)
    SELECT 'app-' || (n % 10), 'session-' || n, '', 0, 0, ${now}, ${until}, ${now} FROM counter`
  if (database.kind === 'postgresql') await database.pool.query('ANALYZE')
}

/** Runs the statements of the logout queue. */
async function askOfLogouts(database: Database) {
  const now = new Date()
  const store = deliveryStore(database.prisma)
  expect(await store.findDueTargets(now)).toHaveLength(10)
  expect(await store.findDue('app-1', now, 4)).toHaveLength(4)
  expect((await store.giveUp(now, 7)).reduce((sum, { count }) => sum + count, 0)).toBe(7)
}

const isOfLogouts = (sql: string) => sql.includes('"LogoutDelivery"') || sql.includes('`LogoutDelivery`')

it('finds due logout tokens by index on SQLite, and sorts none', async () => {
  const { database, asked, explain } = await openNotedSqlite()
  await storeLogouts(database)
  asked.length = 0
  await askOfLogouts(database)
  const plans = asked.filter(isOfLogouts).map(explain)
  await database.close()
  expect(plans).toHaveLength(3)
  // A row of the recursion is one app.
  const whole = plans.flat().filter((step) => /^SCAN (?!queued)|TEMP B-TREE/.test(step))
  expect(whole).toEqual([])
  const [apps, due, overdue] = plans.map((steps) => steps.filter((step) => step.includes('LogoutDelivery')).join('\n'))
  expect(apps).toMatch(/_appId_nextAt_idx \(appId>\?\)[\s\S]*_appId_nextAt_idx \(appId=\?\)/)
  expect(due).toContain('_appId_nextAt_idx (appId=? AND nextAt<?)')
  expect(overdue).toContain('_until_idx (until<?)')
})

it('finds due logout tokens by index on PostgreSQL, and sorts none', async () => {
  const { database, asked, explain } = await openNotedPostgres()
  await storeLogouts(database)
  asked.length = 0
  await askOfLogouts(database)
  const ofLogouts = asked.filter(({ sql }) => isOfLogouts(sql))
  const plans = await explain(ofLogouts, 'EXPLAIN (ANALYZE, TIMING OFF)')
  await database.close()
  expect(plans).toHaveLength(3)
  const [apps, due, overdue] = plans
  expect(apps).toContain('_appId_nextAt_idx')
  expect(due).toContain('_appId_nextAt_idx')
  expect(overdue).toContain('_until_idx')
  for (const plan of plans) {
    expect(plan).not.toMatch(/Seq Scan on "LogoutDelivery"/)
    // No step reads more rows than there are apps, or than the statement may return.
    const counts = [...plan.matchAll(/actual rows=(\d+)/g)].map((found) => Number(found[1]))
    expect(Math.max(...counts)).toBeLessThanOrEqual(11)
  }
  expect(due).not.toContain('Sort')
})
