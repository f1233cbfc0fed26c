import { expect, it } from 'vitest'
import { openDatabase } from '#lib/db/engine/client'
import { freshUrl } from '#lib/testing/databases/databases'
import { backlogStatement, expiries, sweepStatement } from './sweep-store.ts'

const named = (count: number) => [
  Object.fromEntries(Array.from({ length: count }, (_, one) => [String(one + 1), null])),
]

it.each(expiries)('sweeps $table by the index of $column on SQLite', async (expiry) => {
  const database = await openDatabase(await freshUrl('sqlite'))
  if (database.kind !== 'sqlite') throw new Error('This test is about SQLite.')
  const rows = database.sqlite.driver.prepare(`EXPLAIN QUERY PLAN ${sweepStatement(expiry)}`).all(...named(3))
  await database.close()
  const steps = (rows as { detail: string }[]).map(({ detail }) => detail)
  // A table with dependent rows has a further step, which finds those.
  const own = new RegExp(`^SEARCH ${expiry.table} USING (PRIMARY KEY|(COVERING )?INDEX)`)
  expect(steps.filter((step) => own.test(step))).toHaveLength(2)
  // No step scans a whole table or sorts.
  expect(steps.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([])
})

it.each(expiries)('counts the backlog of $table by the index of $column on SQLite', async (expiry) => {
  const database = await openDatabase(await freshUrl('sqlite'))
  if (database.kind !== 'sqlite') throw new Error('This test is about SQLite.')
  const rows = database.sqlite.driver.prepare(`EXPLAIN QUERY PLAN ${backlogStatement(expiry)}`).all(...named(2))
  await database.close()
  const steps = (rows as { detail: string }[]).map(({ detail }) => detail)
  expect(steps.filter((step) => step.startsWith(`SEARCH ${expiry.table} USING`))).toHaveLength(1)
  expect(steps.filter((step) => new RegExp(`^SCAN ${expiry.table}|TEMP B-TREE`).test(step))).toEqual([])
})

it.each(expiries)('sweeps $table by the index of $column on PostgreSQL', async (expiry) => {
  const database = await openDatabase(await freshUrl('postgresql'))
  if (database.kind !== 'postgresql') throw new Error('This test is about PostgreSQL.')
  const connection = await database.pool.connect()
  // PostgreSQL scans a small table even if an index fits. With sequential scans disabled, the plan shows whether an
  // index can serve.
  await connection.query('SET enable_seqscan = off; SET enable_sort = off')
  const { rows } = await connection.query(`EXPLAIN ${sweepStatement(expiry)}`, [
    new Date().toISOString(),
    10,
    new Date(0).toISOString(),
  ])
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
  const { rows } = await connection.query(`EXPLAIN ${sweepStatement(expiry)}`, [
    new Date().toISOString(),
    10,
    new Date(0).toISOString(),
  ])
  connection.release()
  await database.close()
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('_expiresAt_idx')
  expect(plan).not.toMatch(/Seq Scan|Sort/)
})
