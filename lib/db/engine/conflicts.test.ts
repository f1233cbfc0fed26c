import { afterEach, beforeEach, expect, it } from 'vitest'
import { freshUrl } from '#lib/testing/databases/databases'
import { type Database, openDatabase } from './client.ts'
import { statementsOf } from './statements.ts'
import { isUnavailable } from './unavailable.ts'

let database: Database & { kind: 'postgresql' }
beforeEach(async () => {
  const opened = await openDatabase(await freshUrl('postgresql'))
  if (opened.kind !== 'postgresql') throw new Error('This test is about PostgreSQL.')
  database = opened
})
afterEach(() => database.close())

/** Makes a function that fails this often with a conflict. A sequence is not part of any transaction. */
async function failFirst(times: number) {
  await database.pool.query('CREATE SEQUENCE calls')
  await database.pool.query(`CREATE FUNCTION work() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('calls') <= ${times} THEN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END IF;
    RETURN currval('calls'); END $$`)
}
const work = { name: 'work', sql: 'SELECT work()::int AS calls' }

it('repeats a statement after a serialization failure', async () => {
  await failFirst(2)
  expect(await statementsOf(database).find(work, [])).toEqual({ calls: 3 })
  expect(database.trouble.since(0)).toBe(false)
})

it('gives up after three serialization failures', async () => {
  await failFirst(3)
  const fault = await statementsOf(database)
    .find(work, [])
    .catch((thrown: unknown) => thrown)
  expect(isUnavailable(fault)).toBe(true)
  expect(await statementsOf(database).find(work, [])).toEqual({ calls: 4 })
})

it('does not repeat a statement of a transaction', async () => {
  await failFirst(1)
  await expect(database.prisma.$transaction((tx) => tx.$queryRawUnsafe('SELECT work()'))).rejects.toThrow()
  expect(await statementsOf(database).find(work, [])).toEqual({ calls: 2 })
})

it('repeats a statement that PostgreSQL ended because of a deadlock', async () => {
  const expiresAt = new Date(0)
  await database.prisma.lease.createMany({ data: ['a', 'b'].map((name) => ({ name, holder: 'none', expiresAt })) })
  const other = await database.pool.connect()
  // The first of two waiting sessions finds the deadlock, and PostgreSQL ends its statement.
  await other.query("SET deadlock_timeout = '1h'; BEGIN; SELECT 1 FROM \"Lease\" WHERE name = 'b' FOR UPDATE")
  const both = 'UPDATE "Lease" SET holder = $1 WHERE name IN (SELECT name FROM "Lease" ORDER BY name FOR UPDATE)'
  const changed = statementsOf(database).change({ name: 'both', sql: both }, ['me'])
  await expect.poll(waiting).toBe(1)
  await other.query("UPDATE \"Lease\" SET holder = 'other' WHERE name = 'a'; COMMIT")
  other.release()
  expect(await changed).toBe(2)
})

it('prepares a statement again after a migration has changed its result', async () => {
  const all = { name: 'all', sql: 'SELECT * FROM "Lease"' }
  const readTogether = () => Promise.all(Array.from({ length: 6 }, () => statementsOf(database).find(all, [])))
  await readTogether()
  expect(database.pool.idleCount).toBeGreaterThan(3)
  await database.pool.query('ALTER TABLE "Lease" ADD COLUMN later TEXT')
  await statementsOf(database).find(all, [])
  expect(await readTogether()).toHaveLength(6)
  expect(database.trouble.since(0)).toBe(false)
})

async function waiting(): Promise<number> {
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  )
  return rows[0].n
}
