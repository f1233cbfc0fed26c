import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CurrentRequest, withRequest } from '#lib/queue/current-request'
import { emptyUrl } from '#lib/testing/databases/databases'
import { type Database, openDatabase } from './client.ts'
import { type Statements, statementsOf } from './statements.ts'
import { timeoutsFor } from './timeouts.ts'

const raise = {
  name: 'raise',
  sql: 'UPDATE thing SET n = n + 1 WHERE id = $1 AND n = $2',
  types: ['text', 'integer'],
}

type Postgres = Database & { kind: 'postgresql' }
let database: Postgres
let statements: Statements
let sent: string[]
/** Another client of the database, which locks rows. */
let other: pg.Client

// So long that no wait for a lock reaches it, even on a busy machine.
const limits = timeoutsFor(60_000, 20)
const open = async (url: string) => (await openDatabase(url, undefined, limits)) as Postgres
beforeEach(async () => {
  const url = await emptyUrl('postgresql')
  database = await open(url)
  await database.pool.query('CREATE TABLE thing (id text PRIMARY KEY, n integer NOT NULL)')
  await database.pool.query("INSERT INTO thing SELECT 'thing ' || i, 0 FROM generate_series(1, 200) i")
  sent = []
  const ask = database.pool.query.bind(database.pool) as (...args: unknown[]) => Promise<never>
  database.pool.query = ((query: { name?: string }, ...more: unknown[]) => {
    sent.push(query.name ?? '')
    return ask(query, ...more)
  }) as never
  statements = statementsOf(database)
  other = new pg.Client(url)
  await other.connect()
})
afterEach(async () => {
  await other.end()
  await database.close()
})

/** For a busy machine. */
const patient = { timeout: 20_000 }
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
const change = (i: number, n = 0, by = statements) => by.change(raise, [`thing ${i}`, n])
const lock = (...rows: number[]) =>
  other.query('SELECT 1 FROM thing WHERE id = ANY ($1) FOR UPDATE', [rows.map((i) => `thing ${i}`)])

/** Returns how many statements wait for a lock. */
async function waiting(): Promise<number> {
  // Within a transaction, PostgreSQL would show the first state again.
  await other.query('SELECT pg_stat_clear_snapshot()')
  const { rows } = await other.query(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  )
  return rows[0].n
}

it('serves the other uses of a batch while a row of it is locked', async () => {
  await other.query('BEGIN')
  await lock(4)
  const changes = numbers(8).map((i) => change(i))
  expect(await Promise.all(changes.filter((_, at) => at !== 3))).toEqual([1, 1, 1, 1, 1, 1, 1])
  await expect.poll(waiting, patient).toBe(1)
  expect(sent).toEqual(['raise-batch', 'raise'])
  await other.query('COMMIT')
  expect(await changes[3]).toBe(1)
})

it('judges a use on the row that the other transaction leaves', async () => {
  await other.query('BEGIN')
  await lock(1, 2, 3)
  const changes = Promise.all([change(1), change(2), change(3), change(4), change(3, 1)])
  await expect.poll(waiting, patient).toBe(3)
  await other.query("UPDATE thing SET n = 1 WHERE id = 'thing 1'; DELETE FROM thing WHERE id = 'thing 2'; COMMIT")
  expect(await changes).toEqual([0, 0, 1, 1, 1])
})

it('judges a use on the newest version of its row, if the row changed since the batch began', async () => {
  await other.query('ALTER TABLE thing ADD note text')
  await other.query("UPDATE thing SET n = 1 WHERE id = 'thing 4'")
  // The batch stops at its first row, after PostgreSQL has decided which versions of the other rows it sees.
  await other.query(`CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$`)
  await other.query(`CREATE TRIGGER stopping BEFORE UPDATE ON thing FOR EACH ROW WHEN (OLD.id = 'thing 1')
    EXECUTE FUNCTION stop()`)
  await other.query('SELECT pg_advisory_lock(1)')
  const changes = Promise.all(numbers(5).map((i) => change(i)))
  await expect.poll(waiting, patient).toBe(1)
  await other.query("UPDATE thing SET note = 'kept' WHERE id = 'thing 2'")
  await other.query("UPDATE thing SET n = 7 WHERE id = 'thing 3'")
  await other.query("UPDATE thing SET n = 0 WHERE id = 'thing 4'")
  await other.query('SELECT pg_advisory_unlock(1)')
  expect(await changes).toEqual([1, 1, 0, 1, 1])
  expect(sent).toEqual(['raise-batch', 'raise', 'raise', 'raise'])
  const { rows } = await other.query('SELECT n, note FROM thing ORDER BY length(id), id LIMIT 5')
  expect(rows.map(({ n, note }) => [n, note])).toEqual([
    [1, null],
    [1, 'kept'],
    [7, null],
    [1, null],
    [1, null],
  ])
})

it('serves a statement while more rows are locked than may be waited for', async () => {
  await other.query('BEGIN')
  await lock(...numbers(10))
  // One by one, as under a light load, and in a batch.
  const blocked: Promise<number>[] = []
  for (const i of numbers(5)) {
    blocked.push(change(i))
    await new Promise(setImmediate)
    await new Promise(setImmediate)
  }
  blocked.push(...numbers(5).map((i) => change(i + 5)))
  await expect.poll(waiting, patient).toBe(4)
  expect(await change(100)).toBe(1)
  expect(await Promise.all(numbers(150).map((i) => change(i + 10, i === 90 ? 1 : 0)))).toEqual(
    numbers(150).map(() => 1),
  )
  expect(await waiting()).toBe(4)
  await other.query('COMMIT')
  expect(await Promise.all(blocked)).toEqual(numbers(10).map(() => 1))
})

it('does not deadlock with a transaction that changes the rows in another order', async () => {
  // The first of two waiting sessions finds a deadlock, and PostgreSQL ends its statement.
  await other.query("SET deadlock_timeout = '10ms'; BEGIN")
  await lock(2)
  const changes = Promise.all([change(1), change(2)])
  await expect.poll(waiting, patient).toBe(1)
  await other.query("UPDATE thing SET n = n WHERE id = 'thing 1'; COMMIT")
  expect(await changes).toEqual([1, 1])
})

it('lets exactly one of the equal changes of two processes win, for each row', async () => {
  const second = await open(String(database.pool.options.connectionString))
  try {
    const both = [statements, statementsOf(second)]
    for (let round = 0; round < 8; round++) {
      const rows = numbers(40)
      const won = await Promise.all(
        rows.map(async (i) => {
          const counts = await Promise.all(numbers(8).map((at) => change(i, round, both[at % 2])))
          return counts.reduce((sum, count) => sum + count, 0)
        }),
      )
      expect(won).toEqual(rows.map(() => 1))
    }
    expect((await other.query('SELECT DISTINCT n FROM thing WHERE n > 0')).rows).toEqual([{ n: 8 }])
  } finally {
    await second.close()
  }
})

it('loses no change while another process locks and changes the same rows', async () => {
  const rows = numbers(20)
  let changed = 0
  let isOver = false
  const disturb = async () => {
    for (let at = 0; !isOver; at++) {
      const [i, k] = [(at % 20) + 1, ((at * 7) % 20) + 1]
      await other.query(`BEGIN; UPDATE thing SET n = n + 1000 WHERE id IN ('thing ${i}', 'thing ${k}'); COMMIT`)
    }
  }
  const disturbing = disturb()
  for (let round = 0; round < 40; round++) {
    const { rows: held } = await database.pool.query<{ id: string; n: number }>(
      'SELECT id, n FROM thing WHERE id = ANY ($1)',
      [rows.map((i) => `thing ${i}`)],
    )
    const counts = await Promise.all(held.map(({ id, n }) => statements.change(raise, [id, n])))
    changed += counts.reduce((sum, count) => sum + count, 0)
  }
  isOver = true
  await disturbing
  const { rows: sums } = await other.query('SELECT sum(n % 1000)::int AS n FROM thing')
  expect(sums).toEqual([{ n: changed }])
})

it('does not repeat the change of a request that was answered', async () => {
  // Fails once with a conflict; a sequence is not part of any transaction.
  await database.pool.query('CREATE SEQUENCE calls')
  await database.pool.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('calls') = 1 THEN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END IF; RETURN NEW; END $$`)
  await database.pool.query('CREATE TRIGGER failing BEFORE UPDATE ON thing FOR EACH ROW EXECUTE FUNCTION fail()')
  const request: CurrentRequest = {
    id: 'r',
    address: '127.0.0.1',
    abandoned: () => new AbortController().signal,
  }
  const ask = database.pool.query as unknown as (...args: unknown[]) => Promise<never>
  database.pool.query = ((...args: unknown[]) => {
    const answer = ask(...args)
    // The deadline of the request passes while its change is on its way.
    request.isOver = true
    return answer
  }) as never
  const results = await Promise.allSettled([change(1), withRequest(request, () => change(2)), change(3)])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  const { rows } = await other.query("SELECT n FROM thing WHERE id IN ('thing 1', 'thing 2', 'thing 3') ORDER BY id")
  expect(rows).toEqual([{ n: 1 }, { n: 0 }, { n: 1 }])
  expect(database.trouble.since(0)).toBe(false)
})
