import type Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { type Statement, statementsOf } from '#lib/db/engine/statements'
import { openNotedSqlite } from '#lib/testing/databases/noted-sqlite'
import { ada, apply, fileOf, web } from '#lib/testing/databases/provision'
import { knownPlaces } from './known-places.ts'
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
  expect(await look('ada')).toEqual({ username: 'ada', statements: ['grant-and-places'] })
  expect(await look('ada')).toEqual({ username: 'ada', statements: ['grant-by-place'] })
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
])('finds no grant at a known place once %s', async (_, change) => {
  const { database, driver, look } = await openWithGrants()
  expect((await look('ada')).username).toBe('ada')
  driver.exec(change)
  expect((await look('ada')).username).toBeUndefined()
  await database.close()
})

it('forgets a place where nothing is found, so that a revoked token is looked for once', async () => {
  const { database, driver, look } = await openWithGrants()
  await look('ada')
  driver.exec(`UPDATE "Authorization" SET "revokedAt" = 1 WHERE id = 'ada'`)
  expect((await look('ada')).statements).toEqual(['grant-by-place', 'grant-and-places'])
  expect((await look('ada')).statements).toEqual(['grant-and-places'])
  await database.close()
})

/** Exchanges the rowids of the two rows of a table. */
function exchangePlaces(driver: Database.Database, table: string) {
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

it('never takes the grant of another authorization that lies at a known place', async () => {
  const { database, driver, look, findGrant } = await openWithGrants()
  // The authorizations differ only in what they grant.
  driver.exec(`UPDATE "Authorization" SET "personId" = 'ben'`)
  for (const id of ['ada', 'ben']) await look(id)
  exchangePlaces(driver, 'Authorization')
  for (const id of ['ada', 'ben']) expect((await findGrant(id, 'jti'))?.subject).toBe(id)
  expect((await look('ada')).statements).toEqual(['grant-by-place'])
  await database.close()
})

it('never takes the profile of another person who lies at a known place', async () => {
  const { database, driver, look } = await openWithGrants()
  for (const id of ['ada', 'ben']) await look(id)
  exchangePlaces(driver, 'Person')
  for (const id of ['ada', 'ben'])
    expect(await look(id)).toEqual({ username: id, statements: ['grant-by-place', 'grant-and-places'] })
  for (const id of ['ada', 'ben']) expect(await look(id)).toEqual({ username: id, statements: ['grant-by-place'] })
  await database.close()
})

it('remembers the places of at least 10,000 and at most 20,000 authorizations', () => {
  const places = knownPlaces()
  const countKnown = () => Array.from({ length: 30_000 }, (_, id) => places.get(String(id))).filter(Boolean).length
  for (let id = 0; id < 29_999; id++) places.set(String(id), [id, id])
  expect([countKnown(), places.get('9999'), places.get('10000')]).toEqual([19_999, undefined, [10_000, 10_000]])
  places.set('29999', [29_999, 29_999])
  expect([countKnown(), places.get('19999'), places.get('29999')]).toEqual([10_000, undefined, [29_999, 29_999]])
})
