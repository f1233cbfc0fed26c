import { expect, it } from 'vitest'
import { activityStore } from '#lib/db/account/activity-store'
import { aliasStore } from '#lib/db/account/alias-store'
import { sessionsStore } from '#lib/db/account/sessions-store'
import type { Database } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'
import { findClient } from '#lib/db/oauth/client-store'
import { consentStore } from '#lib/db/oauth/consent-store'
import { openNotedPostgres } from '#lib/testing/databases/noted-postgres'
import { openNotedSqlite } from '#lib/testing/databases/noted-sqlite'
import { ada, apply, fileOf, web } from '#lib/testing/databases/provision'
import { factorStore } from './factor-store.ts'
import { signInStore } from './sign-in-store.ts'

const [now, later] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T00:10:00Z')]

/** Stores a person and an app, and returns the id of the person. */
async function storePeople(database: Database): Promise<string> {
  await apply(database, fileOf([web], [ada]))
  return (await database.prisma.person.findUniqueOrThrow({ where: { username: ada.username } })).id
}

/** Runs the statements of a sign-in to an app for the first time and of its pages, and those that end its session. */
async function signInOnce(database: Database, personId: string) {
  const signIns = signInStore(database, 14)
  const consents = consentStore(database.prisma)
  const aliases = aliasStore(statementsOf(database), { makeName: () => 'name', addressOf: (name) => name })
  const seen = { address: '', device: '' }
  const times = { authenticatedAt: now, expiresAt: new Date('2026-02-01T00:00:00Z') }
  await signIns.findRemembered([{ personId, knownVersion: 0 }], now)
  await factorStore(database).hasTotp(personId)
  await signIns.createSession({
    id: 's',
    publicId: 'p',
    firstId: undefined,
    personId,
    amr: ['pwd'],
    ...times,
    ...seen,
  })
  await activityStore(database).record(personId, { at: now, kind: 'signed_in', detail: {}, ...seen })
  expect(await signIns.findSession('s', later)).toBeDefined()
  expect(await findClient(database.prisma, web.client_id)).toBeDefined()
  await consents.findConsent(personId, web.client_id)
  await consents.ensureSubject(personId, 'acme', 'sub', now)
  await aliases.ensureAddress(personId, web.client_id, now)
  const sessions = sessionsStore(database.prisma, 14)
  expect(await sessions.isOf(personId, 'p')).toBe(true)
  expect(await sessions.end(personId, ['p'], later)).toBe(1)
}

/** What a sign-in asks; the rest, such as the row of its team, is looked up by a key of these. */
const asksOf = [
  ['SELECT', 'Totp'],
  ['SELECT', 'Person'],
  ['INSERT', 'Session'],
  ['UPDATE', 'Session'],
  ['SELECT', 'Session'],
  ['INSERT', 'Activity'],
  ['SELECT', 'App'],
  ['SELECT', 'Consent'],
  ['INSERT', 'Subject'],
  ['INSERT', 'Alias'],
] as const

const isOf = (sql: string) => /^(SELECT|INSERT|UPDATE|DELETE)/.test(sql)

function expectAll(statements: string[]) {
  for (const [verb, table] of asksOf) {
    const isAsked = (sql: string) => sql.startsWith(verb) && new RegExp(`["\`]${table}["\`]`).test(sql)
    expect([verb, table, statements.some(isAsked)]).toEqual([verb, table, true])
  }
}

it('reads no whole table in a sign-in and at the end of its session on SQLite', async () => {
  const { database, asked, explain } = await openNotedSqlite()
  const personId = await storePeople(database)
  asked.length = 0
  await signInOnce(database, personId)
  const statements = asked.filter(isOf)
  expectAll(statements)
  const steps = statements.flatMap((sql) => explain(sql).map((step) => `${step}: ${sql}`))
  await database.close()
  // `sub` is the result of the inner statement of a COUNT, and a constant is the only row of an INSERT.
  expect(steps.filter((step) => /^SCAN (?!CONSTANT|sub\b)/.test(step))).toEqual([])
})

it('reads no whole table in a sign-in and at the end of its session on PostgreSQL', async () => {
  const { database, asked, explain } = await openNotedPostgres()
  const personId = await storePeople(database)
  asked.length = 0
  await signInOnce(database, personId)
  const statements = asked.filter(({ sql }) => isOf(sql))
  expectAll(statements.map(({ sql }) => sql))
  // In a table of one row, PostgreSQL reads the whole table unless it is told not to. What then has no index still does.
  const plans = await explain(statements, 'EXPLAIN', 'SET enable_seqscan = off')
  await database.close()
  expect(plans.filter((plan) => plan.includes('Seq Scan'))).toEqual([])
})
