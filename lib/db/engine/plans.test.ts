import { expect, it } from 'vitest'
import { aliasStore } from '#lib/db/account/alias-store'
import { deletionStore } from '#lib/db/account/deletion-store'
import { expiries, sweepStatement } from '#lib/db/jobs/sweep-store'
import { attemptStore } from '#lib/db/limits/attempts'
import { authorizationStore } from '#lib/db/oauth/authorization-store'
import { pushedRequestStore } from '#lib/db/oauth/pushed-request-store'
import { tokenStore } from '#lib/db/oauth/token-store'
import { look } from '#lib/db/sign-in/sign-up-store'
import { freshUrl } from '#lib/testing/process/databases'
import { openDatabase } from './client.ts'
import type { Statement } from './statements.ts'

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
  const database = await openDatabase(await freshUrl('sqlite'))
  if (database.kind !== 'sqlite') throw new Error('This test is about SQLite.')
  const [step] = database.sqlite.driver
    .prepare(`EXPLAIN QUERY PLAN SELECT username FROM "Person" WHERE ${look} = ?`)
    .all('x') as { detail: string }[]
  await database.close()
  expect(step?.detail).toContain('USING INDEX Person_look_idx')
})

it('reads no whole table in any statement of an app’s request', async () => {
  const database = await openDatabase(await freshUrl('sqlite'))
  if (database.kind !== 'sqlite') throw new Error('This test is about SQLite.')
  const statements = await statementsOf((record) => {
    const names = { makeName: () => 'name', addressOf: (name: string) => name }
    const [tokens, aliases, authorizations] = [
      tokenStore(record),
      aliasStore(record, names),
      authorizationStore(record),
    ]
    const row = { scopes: [], resources: [], amr: [], idTokenClaims: [], createdAt: new Date() } as never
    return [
      tokens.findGrant('id', 'jti'),
      aliases.findAddress('person', 'app'),
      authorizations.findByCode('hash'),
      authorizations.findByRequest('request'),
      authorizations.extendRefresh({ id: 'id', hash: 'hash', refreshIdleUntil: new Date() }),
      pushedRequestStore(record).findPushedRequest('id', 'app', new Date()),
      ...[attemptStore(record, () => new Date())].flatMap((attempts) => [
        attempts.take('key', { free: 1, longest: 1, window: 1 }),
        attempts.giveBack({ key: 'key', points: 1, expire: new Date(), heldUntil: 0 }, 1),
        attempts.remove('key'),
        attempts.waitFor('key'),
      ]),
      authorizations.insertAuthorization(row, { granted: [], emailChoice: 'none', liveSessionId: 'session' }),
    ]
  })
  const plans = statements.map(({ name, sql }) => {
    const marks = new Set(sql.match(/\$\d+/g)).size
    const rows = database.sqlite.driver.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...named(marks)) as {
      detail: string
    }[]
    return { name, scans: rows.map(({ detail }) => detail).filter((detail) => /^SCAN (?!CONSTANT)/.test(detail)) }
  })
  await database.close()
  expect(plans.map(({ name }) => name)).toContain('grant')
  expect(plans.filter(({ scans }) => scans.length > 0)).toEqual([])
})

const named = (count: number) => [
  Object.fromEntries(Array.from({ length: count }, (_, one) => [String(one + 1), null])),
]

it.each(expiries)('sweeps $table by the index of $column on SQLite', async (expiry) => {
  const database = await openDatabase(await freshUrl('sqlite'))
  if (database.kind !== 'sqlite') throw new Error('This test is about SQLite.')
  const rows = database.sqlite.driver.prepare(`EXPLAIN QUERY PLAN ${sweepStatement(expiry)}`).all(...named(2))
  await database.close()
  const steps = (rows as { detail: string }[]).map(({ detail }) => detail)
  expect(steps.filter((step) => /^SEARCH .* USING (COVERING )?INDEX/.test(step))).toHaveLength(2)
  // No step scans a whole table or sorts.
  expect(steps.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([])
})

it.each(expiries)('sweeps $table by the index of $column on PostgreSQL', async (expiry) => {
  const database = await openDatabase(await freshUrl('postgresql'))
  if (database.kind !== 'postgresql') throw new Error('This test is about PostgreSQL.')
  const connection = await database.pool.connect()
  // PostgreSQL scans a small table even if an index fits. With sequential scans disabled, the plan shows whether an
  // index can serve.
  await connection.query('SET enable_seqscan = off; SET enable_sort = off')
  const { rows } = await connection.query(`EXPLAIN ${sweepStatement(expiry)}`, [new Date().toISOString(), 10])
  connection.release()
  await database.close()
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain(`_${expiry.column}_idx`)
  expect(plan).not.toMatch(/Seq Scan|Sort/)
})

it('sweeps by the index on PostgreSQL when statistics say that every row has expired', async () => {
  const database = await openDatabase(await freshUrl('postgresql'))
  if (database.kind !== 'postgresql') throw new Error('This test is about PostgreSQL.')
  const expiry = expiries.find(({ table }) => table === 'RevokedToken') as (typeof expiries)[number]
  const connection = await database.pool.connect()
  await connection.query(
    `INSERT INTO "RevokedToken" SELECT 'token-' || n, now() - n * interval '1 s' FROM generate_series(1, 20000) n`,
  )
  await connection.query('ANALYZE "RevokedToken"')
  const { rows } = await connection.query(`EXPLAIN ${sweepStatement(expiry)}`, [new Date().toISOString(), 10])
  connection.release()
  await database.close()
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('_expiresAt_idx')
  expect(plan).not.toMatch(/Seq Scan|Sort/)
})

it('erases a person without reading a whole table', async () => {
  const database = await openDatabase(await freshUrl('sqlite'))
  if (database.kind !== 'sqlite') throw new Error('This test is about SQLite.')
  const { prisma, sqlite } = database
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
  const asked = new Set<string>()
  const prepare = sqlite.driver.prepare.bind(sqlite.driver)
  sqlite.driver.prepare = (sql: string) => {
    asked.add(sql)
    return prepare(sql)
  }
  const deletions = deletionStore(prisma)
  for (const personId of await deletions.findDue(now, 20)) while (!(await deletions.erase(personId, now, 10)));
  expect(await prisma.person.count()).toBe(0)
  // This scan is COUNT over the result of the inner statement, not over a table.
  const scans = [...asked]
    .filter((sql) => /^(SELECT|UPDATE|DELETE)/.test(sql) && !sql.includes('AS `sub`'))
    .flatMap((sql) => explain(prepare, sql).map((step) => `${step}: ${sql}`))
    .filter((step) => /^SCAN /.test(step))
  await database.close()
  expect(scans).toEqual([])
})

function explain(prepare: (sql: string) => { all(...values: unknown[]): unknown[] }, sql: string): string[] {
  const values = Array.from(sql.match(/\?/g) ?? [], () => null)
  return (prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[]).map(({ detail }) => detail)
}
