import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CurrentRequest, withRequest } from '#lib/queue/current-request'
import { emptyUrl } from '#lib/testing/databases/databases'
import { type Database, openDatabase } from './client.ts'
import { type Statements, statementsOf } from './statements.ts'

const read = { name: 'read', sql: 'SELECT id, n, at FROM thing WHERE id = $1 AND n >= $2', types: ['text', 'integer'] }
const raise = {
  name: 'raise',
  sql: 'UPDATE thing SET n = n + 1, at = $3 WHERE id = $1 AND n = $2',
  types: ['text', 'integer', 'timestamp(3)'],
}

type Postgres = Database & { kind: 'postgresql' }
let database: Postgres
let statements: Statements
let sent: { name?: string; text: string }[]

beforeEach(async () => {
  database = (await openDatabase(await emptyUrl('postgresql'))) as Postgres
  await database.pool.query('CREATE TABLE thing (id text PRIMARY KEY, n integer NOT NULL, at timestamp(3))')
  await database.pool.query("INSERT INTO thing SELECT 'thing ' || i, i, NULL FROM generate_series(1, 200) i")
  sent = []
  const ask = database.pool.query.bind(database.pool) as (...args: unknown[]) => Promise<never>
  database.pool.query = ((query: { name?: string; text: string }, ...more: unknown[]) => {
    sent.push(query)
    return ask(query, ...more)
  }) as never
  statements = statementsOf(database)
})
afterEach(() => database.close())

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

it('runs one use as the plain statement', async () => {
  expect(await statements.find(read, ['thing 7', 0])).toMatchObject({ id: 'thing 7', n: 7 })
  expect(await statements.find(read, ['thing 7', 8])).toBeUndefined()
  expect(await statements.change(raise, ['thing 7', 7, null])).toBe(1)
  expect(await statements.change(raise, ['thing 7', 7, null])).toBe(0)
  expect(sent.map(({ name }) => name)).toEqual(['read', 'read', 'raise', 'raise'])
})

it('runs 200 uses of one turn in a few statements, and returns to each its own row', async () => {
  const wanted = [...numbers(200), 500, 501]
  const rows = await Promise.all(wanted.map((i) => statements.find(read, [`thing ${i}`, i % 3 === 0 ? i + 1 : 0])))
  expect(rows.map((row) => row?.n)).toEqual(wanted.map((i) => (i > 200 || i % 3 === 0 ? undefined : i)))
  expect(sent.length).toBeLessThanOrEqual(5)
})

it.each([
  'UPDATE thing SET n = 1 WHERE n = $2 AND id = $1',
  'UPDATE thing SET n = (SELECT n FROM thing WHERE n = $2) WHERE id = $1',
  'UPDATE thing SET n = 1 WHERE (id = $1 OR n = $2)',
])('refuses a change that cannot lock its row: %s', async (sql) => {
  const wrong = { name: 'wrong', sql, types: ['text', 'integer'] }
  await expect(async () => statements.change(wrong, ['thing 7', 7])).rejects.toThrow('its first value names')
})

it('changes each row once, with its values', async () => {
  const at = (i: number) => (i % 2 ? new Date(Date.UTC(2026, 0, 1, 0, 0, i, i)) : null)
  const counts = await Promise.all(numbers(200).map((i) => statements.change(raise, [`thing ${i}`, i, at(i)])))
  expect(counts.every((count) => count === 1)).toBe(true)
  expect(sent.length).toBeLessThanOrEqual(4)
  const rows = await Promise.all(numbers(200).map((i) => statements.find(read, [`thing ${i}`, 0])))
  expect(rows.map((row) => [row?.n, row?.at])).toEqual(numbers(200).map((i) => [i + 1, at(i)]))
})

it('lets exactly one of eight equal changes in one turn win', async () => {
  const counts = await Promise.all(numbers(8).map(() => statements.change(raise, ['thing 1', 1, null])))
  expect(counts.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 1])
  expect((await statements.find(read, ['thing 1', 0]))?.n).toBe(2)
})

it('takes hostile texts as values', async () => {
  const hostile = ['{a,b}', '"', '\\', "'; DROP TABLE thing; --", 'NULL', '', 'ä,"{}\\"']
  await database.pool.query({ text: 'INSERT INTO thing SELECT unnest($1::text[]), 0', values: [hostile] } as never)
  const rows = await Promise.all(hostile.map((id) => statements.find(read, [id, 0])))
  expect(rows.map((row) => row?.id)).toEqual(hostile)
})

it('leaves out a request that was answered before the batch ran', async () => {
  const request = (isOver: boolean): CurrentRequest => ({
    id: 'r',
    address: '127.0.0.1',
    abandoned: () => new AbortController().signal,
    isOver,
  })
  const change = (i: number, isOver: boolean) =>
    withRequest(request(isOver), () => statements.change(raise, [`thing ${i}`, i, null]))
  const results = await Promise.allSettled([change(1, false), change(2, true), change(3, false)])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  const rows = await Promise.all([1, 2, 3].map((i) => statements.find(read, [`thing ${i}`, 0])))
  expect(rows.map((row) => row?.n)).toEqual([2, 2, 4])
})

it('refuses every use of a batch that fails, and serves the next one', async () => {
  await database.pool.query('ALTER TABLE thing RENAME TO gone')
  const refused = await Promise.allSettled(numbers(8).map((i) => statements.find(read, [`thing ${i}`, 0])))
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(['rejected']))
  await database.pool.query('ALTER TABLE gone RENAME TO thing')
  const rows = await Promise.all(numbers(8).map((i) => statements.find(read, [`thing ${i}`, 0])))
  expect(rows.map((row) => row?.n)).toEqual(numbers(8))
})

it('runs two changes of one row in their order', async () => {
  const counts = await Promise.all([1, 2, 3].map((n) => statements.change(raise, ['thing 1', n, null])))
  expect(counts).toEqual([1, 1, 1])
  expect((await statements.find(read, ['thing 1', 0]))?.n).toBe(4)
})

it('serves 500 changes of 150 rows in one turn, each in its order', async () => {
  const changes = numbers(500).map((one) => [(one % 150) + 1, Math.floor(one / 150)] as const)
  const counts = await Promise.all(
    changes.map(([i, round]) => statements.change(raise, [`thing ${i}`, i + round - (i === 1 ? 1 : 0), null])),
  )
  expect(counts.every((count) => count === 1)).toBe(true)
})
