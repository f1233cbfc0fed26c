import { expect, test } from 'vitest'
import { freshUrl } from '#lib/testing/databases'
import { aliasStore } from './alias-store.ts'
import { authorizationStore } from './authorization-store.ts'
import { openDatabase } from './client.ts'
import { look } from './sign-up-store.ts'
import type { Statement } from './statements.ts'
import { tokenStore } from './token-store.ts'

/** The statements a store sends, without sending them. */
async function statementsOf(use: (record: { kind: 'sqlite'; find: Note; change: Note }) => Promise<unknown>[]) {
  const noted: Statement[] = []
  const note = async (statement: Statement) => void noted.push(statement)
  await Promise.all(use({ kind: 'sqlite', find: note as Note, change: note as Note }))
  return noted
}
type Note = (statement: Statement) => Promise<never>

test('names that look alike are found by an index of what they look like', async () => {
  const database = await openDatabase(await freshUrl('sqlite'))
  if (database.kind !== 'sqlite') throw new Error('This test is about SQLite.')
  const [step] = database.sqlite.driver
    .prepare(`EXPLAIN QUERY PLAN SELECT username FROM "Person" WHERE ${look} = ?`)
    .all('x') as { detail: string }[]
  await database.close()
  expect(step?.detail).toContain('USING INDEX Person_look_idx')
})

test('what every request of an app asks is found by keys: no statement reads a table through', async () => {
  const database = await openDatabase(await freshUrl('sqlite'))
  if (database.kind !== 'sqlite') throw new Error('This test is about SQLite.')
  const statements = await statementsOf((record) => {
    const [tokens, aliases, authorizations] = [tokenStore(record), aliasStore(record), authorizationStore(record)]
    const row = { scopes: [], amr: [], createdAt: new Date() } as never
    return [
      tokens.findGrant('id', 'jti'),
      aliases.findAlias('person', 'app'),
      authorizations.findByCode('hash'),
      authorizations.findByRequest('request'),
      authorizations.insertAuthorization(row, { granted: [], emailChoice: 'none' }),
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
