import type Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { type Statement, statementsOf } from '#lib/db/engine/statements'
import { openNotedSqlite } from '#lib/testing/databases/noted-sqlite'
import { ada, apply, fileOf, web } from '#lib/testing/databases/provision'
import { knownRowids } from './known-rowids.ts'
import { tokenStore } from './token-store.ts'

const now = new Date('2026-01-01T00:00:00Z')
const later = new Date('2026-01-02T00:00:00Z')

/** Opens a database with an authorization of each of two people, and notes the statements that look for their grants. */
async function openWithGrants() {
  const noted = await openNotedSqlite()
  const { database } = noted
  await apply(database, fileOf([web], [ada]))
  const { person, authorization } = database.prisma
  const first = await person.findUniqueOrThrow({ where: { username: 'ada' } })
  await person.create({ data: { ...first, id: 'ben', username: 'ben', email: null } })
  const texts = {
    emailChoice: 'none',
    redirectUri: '',
    acr: '1',
    amr: 'pwd',
    salt: '',
    sessionId: 's',
    scopes: 'openid',
  }
  const times = { authTime: now, codeExpiresAt: later, createdAt: now, keepUntil: later, authTimeWanted: false }
  for (const [id, personId] of [
    ['ada', first.id],
    ['ben', 'ben'],
  ] as const) {
    const keys = { id, requestId: id, codeHash: id, sub: id, appId: web.client_id, personId }
    await authorization.create({ data: { ...keys, ...texts, ...times } })
  }
  const statements = statementsOf(database)
  const found: Statement[] = []
  const find: typeof statements.find = (statement, values) => {
    found.push(statement)
    return statements.find(statement, values)
  }
  const { findGrant } = tokenStore({ ...statements, find })
  return {
    ...noted,
    driver: database.sqlite.driver,
    findGrant,
    /** Returns the person of the grant, and the names of the statements that looked for it. */
    async look(id: string, jti = 'jti') {
      found.length = 0
      const username = (await findGrant(id, jti))?.person.username
      return { username, statements: found.map(({ name }) => name) }
    },
    found,
  }
}

it('finds a grant again by the rowids of its rows, which SQLite looks up without an index', async () => {
  const { database, look, found, explain } = await openWithGrants()
  expect(await look('ada')).toEqual({ username: 'ada', statements: ['grant-and-rowids'] })
  expect(await look('ada')).toEqual({ username: 'ada', statements: ['grant-by-rowids'] })
  const steps = explain(String(found[0]?.sql).replaceAll(/\$\d+/g, '+?'))
  await database.close()
  for (const table of ['a', 'p']) expect(steps).toContain(`SEARCH ${table} USING INTEGER PRIMARY KEY (rowid=?)`)
  expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([])
})

it.each([
  ['the authorization is revoked', `UPDATE "Authorization" SET "revokedAt" = 1 WHERE id = 'ada'`],
  ['the token is revoked', `INSERT INTO "RevokedToken" (jti, "expiresAt") VALUES ('jti', 1)`],
  ['the person is disabled', `UPDATE "Person" SET "disabledAt" = 1 WHERE username = 'ada'`],
  ['the deletion of the person is requested', `UPDATE "Person" SET "deleteAfter" = 1 WHERE username = 'ada'`],
  ['the app is disabled', `UPDATE "App" SET "disabledAt" = 1`],
  ['the person is erased', `DELETE FROM "Person" WHERE username = 'ada'`],
])('finds no grant by known rowids once %s', async (_, change) => {
  const { database, driver, look } = await openWithGrants()
  expect((await look('ada')).username).toBe('ada')
  driver.exec(change)
  expect((await look('ada')).username).toBeUndefined()
  await database.close()
})

it('forgets rowids by which nothing is found, so that a revoked token is looked for once', async () => {
  const { database, driver, look } = await openWithGrants()
  await look('ada')
  driver.exec(`UPDATE "Authorization" SET "revokedAt" = 1 WHERE id = 'ada'`)
  expect((await look('ada')).statements).toEqual(['grant-by-rowids', 'grant-and-rowids'])
  expect((await look('ada')).statements).toEqual(['grant-and-rowids'])
  await database.close()
})

it('remembers nothing about an authorization that does not exist', async () => {
  const { database, look } = await openWithGrants()
  for (const id of ['nobody', '', `ada' OR '1'='1`, 'x'.repeat(10_000)])
    for (const _ of [1, 2]) expect(await look(id)).toEqual({ username: undefined, statements: ['grant-and-rowids'] })
  await database.close()
})

it('answers 200 requests at once rightly: at the first use, with known rowids, after they were exchanged and after a revocation', async () => {
  const { database, driver, findGrant } = await openWithGrants()
  const ids = Array.from({ length: 200 }, (_, index) => (index % 2 ? 'ada' : 'ben'))
  const ask = () => Promise.all(ids.map(async (id) => (await findGrant(id, 'jti'))?.person.username))
  for (const _ of ['first use', 'known rowids']) expect(await ask()).toEqual(ids)
  exchangeRowids(driver, 'Authorization')
  exchangeRowids(driver, 'Person')
  expect(await ask()).toEqual(ids)
  driver.exec(`UPDATE "Authorization" SET "revokedAt" = 1 WHERE id = 'ada'`)
  expect(await ask()).toEqual(ids.map((id) => (id === 'ada' ? undefined : id)))
  await database.close()
})

/** Exchanges the rowids of the two rows of a table. */
function exchangeRowids(driver: Database.Database, table: string) {
  const rowids = driver.prepare(`SELECT rowid FROM "${table}"`).pluck().all() as number[]
  expect(rowids).toHaveLength(2)
  const [one = 0, other = 0] = rowids
  const move = driver.prepare(`UPDATE "${table}" SET rowid = ? WHERE rowid = ?`)
  for (const [to, from] of [
    [-1, one],
    [one, other],
    [other, -1],
  ])
    move.run(to, from)
}

it('never takes the grant of another authorization that has a known rowid by now', async () => {
  const { database, driver, look, findGrant } = await openWithGrants()
  // The authorizations differ only in what they grant.
  driver.exec(`UPDATE "Authorization" SET "personId" = 'ben'`)
  for (const id of ['ada', 'ben']) await look(id)
  exchangeRowids(driver, 'Authorization')
  for (const id of ['ada', 'ben']) expect((await findGrant(id, 'jti'))?.subject).toBe(id)
  expect((await look('ada')).statements).toEqual(['grant-by-rowids'])
  await database.close()
})

it('never takes the profile of another person who has a known rowid by now', async () => {
  const { database, driver, look } = await openWithGrants()
  for (const id of ['ada', 'ben']) await look(id)
  exchangeRowids(driver, 'Person')
  for (const id of ['ada', 'ben'])
    expect(await look(id)).toEqual({ username: id, statements: ['grant-by-rowids', 'grant-and-rowids'] })
  for (const id of ['ada', 'ben']) expect(await look(id)).toEqual({ username: id, statements: ['grant-by-rowids'] })
  await database.close()
})

it('remembers the rowids of at least 10,000 and at most 20,000 authorizations', () => {
  const known = knownRowids()
  const countKnown = () => Array.from({ length: 30_000 }, (_, id) => known.get(String(id))).filter(Boolean).length
  for (let id = 0; id < 29_999; id++) known.set(String(id), [id, id])
  expect([countKnown(), known.get('9999'), known.get('10000')]).toEqual([19_999, undefined, [10_000, 10_000]])
  known.set('29999', [29_999, 29_999])
  expect([countKnown(), known.get('19999'), known.get('29999')]).toEqual([10_000, undefined, [29_999, 29_999]])
})
