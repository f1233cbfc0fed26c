import { expect, it } from 'vitest'
import { actStore } from '#lib/db/console/act-store'
import type { Database } from '#lib/db/engine/client'
import { scopeQueue } from '#lib/db/scopes/scope-queue'
import { knownScopes } from '#lib/oauth/scope'
import { openNotedPostgres } from '#lib/testing/databases/noted-postgres'
import { openNotedSqlite } from '#lib/testing/databases/noted-sqlite'
import { idsByBeginning } from './by-beginning.ts'
import { operatorRecord } from './operator-record.ts'

const range = { beginning: 'ad', after: 'ada', most: 21 }

/** What the pages of operators read, and the index that each statement must use on SQLite and on PostgreSQL. */
const reads: [string, (database: Database) => Promise<unknown>, sqlite: string, postgresql: string][] = [
  [
    'people by the beginning of the username',
    (database) => idsByBeginning(database, { table: 'Person', column: 'username' }, range),
    'Person_username_key',
    'Person_username_bytes_idx',
  ],
  [
    'teams by the beginning of the name',
    (database) => idsByBeginning(database, { table: 'Team', column: 'skeleton' }, range),
    'Team_skeleton_key',
    'Team_skeleton_bytes_idx',
  ],
  [
    'apps by the beginning of the client_id',
    (database) => idsByBeginning(database, { table: 'App', column: 'id' }, range),
    'sqlite_autoindex_App_1',
    'App_id_bytes_idx',
  ],
  [
    'waiting scopes',
    ({ prisma }) => scopeQueue(prisma, knownScopes).list(25),
    'App_waitingSince_idx',
    'App_waitingSince_idx',
  ],
  [
    'the refusal of scopes of an app',
    ({ prisma }) => actStore(prisma).lastRefusal('acme', 'app', new Date(0)),
    'TeamAct_teamId_at_idx',
    'TeamAct_teamId_at_idx',
  ],
  [
    'the record of a person',
    ({ prisma }) => operatorRecord(prisma).list({ personId: 'ada' }, undefined, 10),
    'OperatorAct_personId_at_idx',
    'OperatorAct_personId_at_idx',
  ],
]

it.each(reads)('reads %s by index on SQLite', async (_, read, index) => {
  const { database, asked, explain } = await openNotedSqlite()
  await read(database)
  const steps = asked.filter((sql) => /^\s*SELECT/.test(sql)).flatMap(explain)
  await database.close()
  expect(steps.join('\n')).toContain(index)
  expect(steps.filter((step) => /^SCAN/.test(step))).toEqual([])
})

it.each(reads)('reads %s by index on PostgreSQL', async (_, read, __, index) => {
  const { database, asked, explain } = await openNotedPostgres()
  await read(database)
  // PostgreSQL scans a small table even if an index fits.
  const plans = await explain(asked, 'EXPLAIN', 'SET enable_seqscan = off')
  await database.close()
  expect(plans.join('\n')).toContain(index)
  expect(plans.join('\n')).not.toContain('Seq Scan')
})
