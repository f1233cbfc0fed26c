import type pg from 'pg'
import { expect, it } from 'vitest'
import { aliasStore } from '#lib/db/account/alias-store'
import { attemptStore } from '#lib/db/limits/attempts'
import { authorizationStore } from '#lib/db/oauth/authorization-store'
import { pushedRequestStore } from '#lib/db/oauth/pushed-request-store'
import { tokenStore } from '#lib/db/oauth/token-store'
import { relayStore } from '#lib/db/relay/relay-store'
import type { ApprovalBasis, NewAuthorization } from '#lib/oauth/store'
import { freshUrl } from '#lib/testing/databases/databases'
import { openDatabase } from './client.ts'
import { statementsOf } from './statements.ts'
import { timeoutsOfCommands } from './timeouts.ts'

const firstStep =
  /-> {2}Function Scan on (?:unnest )?uses[\s\S]*?-> {2}Limit[\s\S]*Index Cond: \((id|"requestId") = uses\.v1\)/
/** A change locks its row by the primary key, and changes the version that it has locked. */
const bothSteps = /Index Cond: \(id = uses\.v1\)[\s\S]*-> {2}Tid Scan on "Authorization"/

type Query = { name?: string; text: string }

/** Returns an approval with as few values as its row needs. */
const approval = (id: string, now: Date) => {
  const lists = { scopes: [], resources: [], amr: [], idTokenClaims: [] }
  const times = { authTime: now, codeExpiresAt: now, createdAt: now, keepUntil: now }
  return { id, requestId: id, clientId: 'app', personId: id, ...lists, ...times } as unknown as NewAuthorization
}

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
  const [authorizations, tokens] = [authorizationStore(statements), tokenStore(statements)]
  const attempts = attemptStore(statements, () => new Date())
  const [pushed, relay] = [pushedRequestStore(statements), relayStore(database, attempts)]
  const aliases = aliasStore(statements, { makeName: () => 'name', addressOf: (name) => name })
  // No consent is stored, so nothing is inserted.
  const basis: ApprovalBasis = { granted: [], emailChoice: 'none', liveSessionId: 'session' }
  const [now, refreshIdleUntil] = [new Date(), new Date()]
  const spent = { refreshHash: 'h', refreshIdleUntil, refreshUntil: now, keepUntil: undefined, now }
  const use = (id: string) => [
    authorizations.findByCode(id),
    authorizations.findByRequest(id),
    authorizations.findAuthorization(id),
    authorizations.findForRefresh({ id, hash: 'h', now, retrySeconds: 30 }),
    authorizations.rotateRefresh({ id, current: 'c', from: 'f', to: 't', now, refreshIdleUntil }),
    authorizations.extendRefresh({ id, hash: 'h', refreshIdleUntil }),
    authorizations.revokeReplayed({ id, hash: 'h', now, retrySeconds: 30 }),
    authorizations.spendCode({ id, ...spent }),
    authorizations.spendCode({ id, ...spent, keepUntil: now }),
    authorizations.revokeAuthorization(id, now),
    tokens.findGrant(id, 'jti'),
    tokens.revokeAccessToken(id, now),
    tokens.rememberAssertion(id, now, now),
    tokens.rememberProof(id, now, now),
    attempts.take(id, { free: 1, longest: 1, window: 1 }),
    attempts.giveBack({ key: id, points: 1, expire: now, heldUntil: 0 }, 1),
    attempts.waitFor(id),
    attempts.count(id, { points: 1, seconds: 1 }),
    attempts.takeBack(id),
    attempts.remove(id),
    authorizations.insertAuthorization(approval(id, now), basis),
    pushed.findPushedRequest(id, 'app', now),
    pushed.removePushedRequest(id),
    aliases.findAddress(id, 'app'),
    relay.findRoute(id),
    relay.wasTaken(id, now),
    relay.keepTaken(id, now),
    ...(['forwarded', 'blocked', 'replied'] as const).map((what) => relay.count(id, what, now)),
  ]
  // Alone first: a single use is the plain statement.
  for (const ids of [['one'], ['one', 'two']]) await Promise.all(ids.flatMap(use))
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
    ])
    // Each use looks up its own row first, whatever the statistics say.
    for (const [name, plan] of plans)
      if (/(grant|find|by-request)-batch/.test(name))
        expect([name, plan]).toEqual([name, expect.stringMatching(firstStep)])
    // A restore leaves one row, if any.
    const whole = [...plans].filter(([, plan]) => /Seq Scan on "(?!Restore)/.test(plan))
    expect(whole).toEqual([])
    await connection.query('SET enable_seqscan = on')
    const changes = [...sent].filter(([name, sql]) => name.endsWith('-batch') && sql.startsWith('UPDATE'))
    expect(changes).toHaveLength(3)
    for (const plan of (await explain(connection, changes)).values()) {
      expect(plan).toMatch(bothSteps)
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
