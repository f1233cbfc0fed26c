import { expect, it } from 'vitest'
import { aliasStore } from '#lib/db/account/alias-store'
import { deletionStore } from '#lib/db/account/deletion-store'
import { attemptStore } from '#lib/db/limits/attempts'
import { deliveryStore } from '#lib/db/logout/delivery-store'
import { authorizationStore } from '#lib/db/oauth/authorization-store'
import { pushedRequestStore } from '#lib/db/oauth/pushed-request-store'
import { tokenStore } from '#lib/db/oauth/token-store'
import { relayStore } from '#lib/db/relay/relay-store'
import { look } from '#lib/db/sign-in/sign-up-store'
import { freshUrl } from '#lib/testing/databases/databases'
import { openNotedSqlite } from '#lib/testing/databases/noted-sqlite'
import { type Database, openDatabase } from './client.ts'
import { type Statement, statementsOf as statementsOfDatabase } from './statements.ts'

/** Records the statements of a store without sending them. */
async function statementsOf(
  use: (record: { kind: 'sqlite'; find: Note; change: Note; write: Note }) => Promise<unknown>[],
) {
  const noted: Statement[] = []
  const note = async (statement: Statement) => void noted.push(statement)
  await Promise.all(use({ kind: 'sqlite', find: note as Note, change: note as Note, write: note as Note }))
  return noted
}
type Note = (statement: Statement) => Promise<never>

it('finds look-alike names by the index of their skeleton', async () => {
  const { database, explain } = await openNotedSqlite()
  const [step] = explain(`SELECT username FROM "Person" WHERE ${look} = ?`)
  await database.close()
  expect(step).toContain('USING INDEX Person_look_idx')
})

it('reads no whole table in any statement of an app’s request', async () => {
  const { database, explain } = await openNotedSqlite()
  const statements = await statementsOf((record) => {
    const names = { makeName: () => 'name', addressOf: (name: string) => name }
    const [tokens, aliases, authorizations] = [
      tokenStore(record),
      aliasStore(record, names),
      authorizationStore(record),
    ]
    const pushed = pushedRequestStore(record)
    const now = new Date()
    const spent = { refreshHash: 'h', refreshIdleUntil: now, refreshUntil: now, keepUntil: undefined, now }
    const row = { scopes: [], resources: [], amr: [], idTokenClaims: [], createdAt: new Date() } as never
    return [
      tokens.findGrant('id', 'jti'),
      tokens.revokeAccessToken('jti', now),
      tokens.rememberAssertion('id', now, now),
      tokens.rememberProof('id', now, now),
      aliases.findAddress('person', 'app'),
      authorizations.findByCode('hash'),
      authorizations.findByRequest('request'),
      authorizations.findAuthorization('id'),
      authorizations.spendCode({ id: 'id', ...spent }),
      authorizations.spendCode({ id: 'id', ...spent, keepUntil: now }),
      authorizations.findForRefresh({ id: 'id', hash: 'hash', now, retrySeconds: 30 }),
      authorizations.rotateRefresh({ id: 'id', current: 'c', from: 'f', to: 't', now, refreshIdleUntil: now }),
      authorizations.extendRefresh({ id: 'id', hash: 'hash', refreshIdleUntil: now }),
      authorizations.revokeReplayed({ id: 'id', hash: 'hash', now, retrySeconds: 30 }),
      pushed.findPushedRequest('id', 'app', now),
      pushed.insertPushedRequest({
        id: 'id',
        clientId: 'app',
        requestId: 'r',
        parameters: {},
        expiresAt: now,
      } as never),
      pushed.removePushedRequest('request'),
      ...[attemptStore(record, () => new Date())].flatMap((attempts) => [
        attempts.take('key', { free: 1, longest: 1, window: 1 }),
        attempts.giveBack({ key: 'key', points: 1, expire: new Date(), heldUntil: 0 }, 1),
        attempts.remove('key'),
        attempts.waitFor('key'),
        attempts.count('key', { points: 1, seconds: 1 }),
        attempts.takeBack('key'),
      ]),
      authorizations.revokeAuthorization('id', now),
      authorizations.insertAuthorization(row, { granted: [], emailChoice: 'none', liveSessionId: 'session' }),
    ]
  })
  const plans = statements.map(({ name, sql }) => {
    // The form in which the statement runs (statements.ts).
    const steps = explain(sql.replaceAll(/\$\d+/g, '+?'))
    return { name, scans: steps.filter((step) => /^SCAN (?!CONSTANT)/.test(step)) }
  })
  await database.close()
  expect(plans.map(({ name }) => name)).toContain('grant')
  // These read the table of restores, which has at most one row.
  const scanning = plans.filter(({ scans }) => scans.length > 0).map(({ name, scans }) => [name, ...scans])
  expect(scanning).toEqual([
    ['use-assertion', 'SCAN Restore'],
    ['use-proof', 'SCAN Restore'],
    ['refresh-find', 'SCAN r'],
  ])
})

it('reads no whole table in any statement of a mail to an alias', async () => {
  const { database, asked, explain } = await openNotedSqlite()
  const now = new Date()
  const attempts = attemptStore(statementsOfDatabase(database), () => now)
  const relay = relayStore(database, attempts)
  await relay.findRoute('alias')
  await relay.wasTaken('id', now)
  await relay.keepTaken('id', now)
  for (const what of ['forwarded', 'blocked', 'replied'] as const) await relay.count('alias', what, now)
  const plans = asked.filter((sql) => /"/.test(sql)).map(explain)
  await database.close()
  expect(plans).toHaveLength(6)
  expect(plans.flat().filter((step) => /^SCAN /.test(step))).toEqual([])
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
  const database = await openDatabase(await freshUrl('postgresql'))
  if (database.kind !== 'postgresql') throw new Error('This test is about PostgreSQL.')
  await storeLogouts(database)
  const asked: { sql: string; values: unknown[] | undefined }[] = []
  const ask = database.pool.query.bind(database.pool) as (...args: unknown[]) => Promise<unknown>
  database.pool.query = ((...args: unknown[]) => {
    const { text, values } = args[0] as { text: string; values?: unknown[] }
    asked.push({ sql: text, values: values ?? (args[1] as unknown[]) })
    return ask(...args)
  }) as typeof database.pool.query
  await askOfLogouts(database)
  const plans: string[] = []
  const connection = await database.pool.connect()
  for (const { sql, values } of asked.filter(({ sql }) => isOfLogouts(sql))) {
    const { rows } = await connection.query(`EXPLAIN (ANALYZE, TIMING OFF) ${sql}`, values)
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
  }
  connection.release()
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
