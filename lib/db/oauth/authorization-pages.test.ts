import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Database, openDatabase } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'
import { freshUrl } from '#lib/testing/databases/databases'
import { authorizationStore } from './authorization-store.ts'
import { tokenStore } from './token-store.ts'

const count = 20_000
const now = new Date()

/** Fills the database with authorizations of one app; `a-N`, `r-N` and `h-N` are the id, request and refresh hash. */
async function fillDatabase(database: Database) {
  const { prisma } = database
  const times = { createdAt: now, updatedAt: now }
  await prisma.team.create({ data: { id: 'acme', name: 'Acme', ...times } })
  const texts = { name: '', kind: '', profile: '', redirectUris: '', scopes: '', requiredScopes: '', email: '' }
  const links = { homepage: '', policyUri: '', tosUri: '' }
  await prisma.app.create({ data: { id: 'shop', teamId: 'acme', ...texts, ...links, ...times } })
  await insert(database, 'Person', count / 10, {
    ...{ id: `'p-' || n`, username: `'p-' || n`, createdAt: 'at', profileUpdatedAt: 'at' },
    ...{ name: `''`, nickname: `''`, biography: `''`, gender: `''`, birthdate: `''`, region: `''`, locale: `'en'` },
  })
  await insert(database, 'Authorization', count, {
    ...{ id: `'a-' || n`, requestId: `'r-' || n`, appId: `'shop'`, personId: `'p-' || (n * 7 % ${count / 10})` },
    ...{ sessionId: `'s-' || n`, sub: long, scopes: `'openid'`, emailChoice: `'none'`, redirectUri: long },
    ...{ authTime: 'at', authTimeWanted: 'false', acr: `'1'`, amr: `'pwd'`, salt: long, codeHash: `'c-' || n` },
    ...{ codeExpiresAt: 'at', refreshHash: `'h-' || n`, refreshIdleUntil: 'at', refreshUntil: 'at' },
    ...{ createdAt: 'at', keepUntil: 'at' },
  })
}

/** A text as long as a hash. */
const long = `'${'x'.repeat(43)}'`

async function insert(database: Database, table: string, rows: number, values: Record<string, string>) {
  const names = Object.keys(values).map((name) => `"${name}"`)
  const into = `INSERT INTO "${table}" (${names}) SELECT ${Object.values(values)} FROM`
  if (database.kind === 'postgresql') {
    await database.pool.query(
      `${into} (SELECT n, '${now.toISOString()}'::timestamp AS at FROM generate_series(0, ${rows - 1}) n) AS numbers`,
    )
  } else {
    database.sqlite.driver.exec(`WITH RECURSIVE counter(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counter
      WHERE n < ${rows - 1}) ${into} (SELECT n, ${now.getTime()} AS at FROM counter)`)
  }
}

/** Returns the number of read system calls of this thread. Without mmap, SQLite reads each page by one. */
const readCalls = () => Number(/^syscr: (\d+)$/m.exec(readFileSync('/proc/thread-self/io', 'latin1'))?.[1])

it('reads few pages of SQLite for a request, even with an empty cache', async () => {
  const database = await openDatabase(await freshUrl('sqlite'))
  if (database.kind !== 'sqlite') throw new Error('This test is about SQLite.')
  await fillDatabase(database)
  const { driver } = database.sqlite
  driver.pragma('mmap_size = 0')
  const statements = statementsOf(database)
  const [authorizations, tokens] = [authorizationStore(statements), tokenStore(statements)]
  const presented = { hash: 'h-7000', now, retrySeconds: 30 }
  const reads: Record<string, () => Promise<unknown>> = {
    grant: () => tokens.findGrant('a-7000', 'jti'),
    introspection: () => tokens.findTokenState('a-7000', 'jti'),
    refresh: () => authorizations.findForRefresh({ id: 'a-7000', ...presented }),
    exchange: () => authorizations.findByRequest('r-7000'),
  }
  const pages: Record<string, number> = {}
  for (const [name, read] of Object.entries(reads)) {
    // Prepares the statement and reads the schema.
    await read()
    driver.pragma('wal_checkpoint(TRUNCATE)')
    driver.pragma('shrink_memory')
    const [first, second] = [readCalls(), readCalls()]
    expect(await read()).toBeDefined()
    pages[name] = readCalls() - second - (second - first)
  }
  await database.close()
  // Two trees of two or three levels for the authorization, two for its person, and the small tables.
  for (const name of ['refresh', 'exchange']) {
    expect([name, pages[name]]).toEqual([name, expect.toSatisfy((count: number) => count >= 11 && count <= 16)])
  }
  // An introspection does not read the two trees of the person. A grant that was found before needs neither tree of ids.
  for (const name of ['introspection', 'grant']) {
    expect([name, pages[name]]).toEqual([name, expect.toSatisfy((count: number) => count >= 6 && count <= 10)])
  }
})

/** Runs the steps of an exchange and of a refresh that write. */
async function writeBoth(database: Database, number: string) {
  const [id, requestId, hash] = [`a-${number}`, `r-${number}`, `h-${number}`]
  const store = authorizationStore(statementsOf(database))
  const ends = { refreshIdleUntil: now, refreshUntil: now, keepUntil: undefined }
  expect(await store.spendCode({ requestId, now, refreshHash: hash, ...ends })).toBe(true)
  const rotation = { id, current: hash, from: hash, to: long, now, refreshIdleUntil: now }
  expect(await store.rotateRefresh(rotation)).toBe(true)
}

it('writes one page of SQLite for an exchange and a refresh, which is that of the row', async () => {
  const database = await openDatabase(await freshUrl('sqlite'))
  if (database.kind !== 'sqlite') throw new Error('This test is about SQLite.')
  await fillDatabase(database)
  const { driver } = database.sqlite
  driver.pragma('wal_checkpoint(TRUNCATE)')
  await writeBoth(database, '7000')
  const [{ log }] = driver.pragma('wal_checkpoint(PASSIVE)') as [{ log: number }]
  await database.close()
  expect(Number(log)).toBe(2)
})

it('exchanges a code and refreshes on PostgreSQL inside the page of the row, without new entries in the indexes', async () => {
  const database = await openDatabase(await freshUrl('postgresql'))
  if (database.kind !== 'postgresql') throw new Error('This test is about PostgreSQL.')
  const { pool } = database
  await fillDatabase(database)
  // The first row of each of twenty pages, so that all rows have room.
  const { rows: first } = await pool.query(`SELECT min(id) AS id FROM "Authorization"
    GROUP BY (ctid::text::point)[0] ORDER BY 1 LIMIT 20`)
  for (const { id } of first) await writeBoth(database, id.replace('a-', ''))
  const counts = async () => {
    const { rows } = await pool.query(`SELECT n_tup_upd AS updates, n_tup_hot_upd AS "withoutEntries"
      FROM pg_stat_user_tables WHERE relname = 'Authorization'`)
    return rows[0]
  }
  // PostgreSQL counts a moment later.
  await expect.poll(counts, { timeout: 20_000 }).toMatchObject({ updates: '40' })
  expect(await counts()).toMatchObject({ withoutEntries: '40' })
  await database.close()
})
