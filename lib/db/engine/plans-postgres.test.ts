import type pg from 'pg'
import { expect, it } from 'vitest'
import { freshUrl } from '#lib/testing/databases/databases'
import { runMailStatements, runRequestStatements } from '#lib/testing/databases/hot-statements'
import { openDatabase } from './client.ts'
import { statementsOf } from './statements.ts'
import { timeoutsOfCommands } from './timeouts.ts'

const firstStep =
  /-> {2}Function Scan on (?:unnest )?uses[\s\S]*?-> {2}Limit[\s\S]*Index Cond: \((id|"requestId") = uses\.v1\)/
/** A change locks its row by a unique key, and changes the version that it has locked. */
const bothSteps = (key: string) =>
  new RegExp(`Index Cond: \\(${key} = uses\\.v1\\)[\\s\\S]*-> {2}Tid Scan on "Authorization"`)

type Query = { name?: string; text: string }

/** Returns the prepared statements that the pool sends from now on, by name. */
function noteStatements(pool: pg.Pool) {
  const sent = new Map<string, string>()
  const ask = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
  pool.query = ((query: Query, ...more: unknown[]) => {
    if (query.name) sent.set(query.name, query.text)
    return ask(query, ...more)
  }) as typeof pool.query
  return sent
}

/** Runs every hot statement alone, and then twice in one turn, which sends its batch. Returns the sent statements by name. */
async function hotStatements() {
  // The tests beside this one may keep PostgreSQL busy for longer than a request waits.
  const database = await openDatabase(await freshUrl('postgresql'), undefined, timeoutsOfCommands)
  if (database.kind !== 'postgresql') throw new Error('This test is about PostgreSQL.')
  const sent = noteStatements(database.pool)
  const statements = statementsOf(database)
  const now = new Date()
  // Alone first: a single use is the plain statement.
  for (const ids of [['alone'], ['one', 'two']])
    await Promise.all(ids.flatMap((id) => runRequestStatements(statements, id, now)))
  await runMailStatements(database, statements, 'ada', now)
  return { database, sent }
}

/** Returns the plans of statements by name. */
async function explain(connection: pg.PoolClient, statements: Iterable<[string, string]>) {
  const plans = new Map<string, string>()
  for (const [name, sql] of statements) {
    const count = new Set(sql.match(/\$\d+/g)).size
    await connection.query(`PREPARE explained AS ${sql}`)
    const values = Array.from({ length: count }, () => 'NULL').join(', ')
    const { rows } = await connection.query(`EXPLAIN EXECUTE explained (${values})`)
    plans.set(name, rows.map((row) => row['QUERY PLAN']).join('\n'))
    await connection.query('DEALLOCATE explained')
  }
  return plans
}

it('finds the rows of every hot statement by index, alone and in batches', async () => {
  const { database, sent } = await hotStatements()
  const connection = await database.pool.connect()
  try {
    // In empty tables, PostgreSQL reads the whole table unless it is told not to. What then has no index still does.
    await connection.query('SET enable_seqscan = off')
    await connection.query('SET plan_cache_mode = force_generic_plan')
    const plans = await explain(connection, sent)
    expect([...plans.keys()].filter((name) => name.endsWith('-batch')).toSorted()).toEqual([
      'authorization-by-request-batch',
      'authorization-spend-code-batch',
      'grant-batch',
      'refresh-extend-batch',
      'refresh-find-batch',
      'refresh-rotate-batch',
      'token-state-batch',
    ])
    const ofMail = ['relay-route', 'relay-reverse', 'relay-thread', 'relay-sent', 'relay-returned']
    expect([...plans.keys()]).toEqual(expect.arrayContaining(['secret-used', 'key-used', ...ofMail]))
    // Each use looks up its own row first, whatever the statistics say.
    for (const [name, plan] of plans)
      if (/(grant|find|by-request|token-state)-batch/.test(name))
        expect([name, plan]).toEqual([name, expect.stringMatching(firstStep)])
    // A restore leaves one row, if any.
    const whole = [...plans].filter(([, plan]) => /Seq Scan on "(?!Restore)/.test(plan))
    expect(whole).toEqual([])
    await connection.query('SET enable_seqscan = on')
    const changes = [...sent].filter(([name, sql]) => name.endsWith('-batch') && sql.startsWith('UPDATE'))
    expect(changes).toHaveLength(3)
    for (const [name, plan] of await explain(connection, changes)) {
      expect(plan).toMatch(bothSteps(name === 'authorization-spend-code-batch' ? '"requestId"' : 'id'))
      expect(plan).not.toMatch('Seq Scan')
    }
  } finally {
    connection.release()
    await database.close()
  }
})

it('runs every prepared hot statement after a newer version has added a column to each table', async () => {
  const { database, sent } = await hotStatements()
  const connection = await database.pool.connect()
  try {
    const executions: string[] = []
    // A row of NULLs cannot be inserted.
    const executable = [...sent.values()].filter((sql) => !sql.startsWith('INSERT'))
    for (const [at, sql] of executable.entries()) {
      const values = Array.from({ length: new Set(sql.match(/\$\d+/g)).size }, () => 'NULL').join(', ')
      executions.push(`EXECUTE hot${at} (${values})`)
      await connection.query(`PREPARE hot${at} AS ${sql}`)
    }
    await connection.query(`DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('ALTER TABLE %I ADD COLUMN later TEXT', name);
      END LOOP; END $$`)
    for (const execution of executions) await connection.query(execution)
  } finally {
    connection.release()
    await database.close()
  }
})
