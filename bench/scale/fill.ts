import { randomBytes } from 'node:crypto'
import { sha256 } from '#lib/crypto/hash'
import type { Database } from '#lib/db/engine/client'
import type { Installation } from '../endurance/installation.ts'
import { addApp, redirectUri, scopes } from '../postern-stock.ts'
import { truncateLog } from '../truncate-log.ts'
import * as postgres from './fill-postgres.ts'
import * as sqlite from './fill-sqlite.ts'
import type { Fixed } from './rows.ts'
import type { Filling } from './values.ts'

/** The app of all rows, and the verifier of all codes. */
export type Filled = Fixed & { verifier: string }

/** Fills a database that no server uses yet with people who have used one app. */
export async function fill(database: Database, filling: Filling): Promise<Filled> {
  const teamId = `scale-${randomBytes(6).toString('hex')}`
  const client = { ...(await addApp(database.prisma, teamId)), teamId }
  const verifier = randomBytes(32).toString('base64url')
  const texts = { redirectUri, scopes: scopes.join(' '), challenge: sha256(verifier) }
  const fixed = { client, ...texts, now: new Date() }
  const tables = ['Person', 'Subject', 'Consent', 'Authorization']
  if (database.kind === 'sqlite') {
    const { driver } = database.sqlite
    sqlite.inBulk(driver, tables, () => {
      sqlite.insertPeople(driver, filling, fixed)
      sqlite.insertAuthorizations(driver, filling, fixed)
    })
  } else
    await postgres.inBulk(database.pool, tables, async (db) => {
      await postgres.insertPeople(db, filling, fixed)
      await postgres.insertAuthorizations(db, filling, fixed)
    })
  return { ...fixed, verifier }
}

/** Replaces the authorizations of a small database, which its server goes on using. */
export async function refill(database: Database, filling: Filling, filled: Filled): Promise<void> {
  const fixed = { ...filled, now: new Date() }
  if (database.kind === 'sqlite') {
    const driver = whileServed(database)
    driver.exec('DELETE FROM "Authorization"')
    sqlite.insertAuthorizations(driver, filling, fixed)
    await truncateLog(database.sqlite)
  } else {
    const db = await postgres.connect(database.pool)
    await db.query('TRUNCATE "Authorization"')
    await postgres.insertAuthorizations(db, filling, fixed)
    await db.query('VACUUM ANALYZE "Authorization"')
    await db.end()
  }
}

/** Adds authorizations to a database that its server goes on using. */
export async function add(database: Database, filling: Filling, filled: Filled): Promise<void> {
  const fixed = { ...filled, now: new Date() }
  if (database.kind === 'sqlite') {
    const driver = whileServed(database)
    sqlite.insertAuthorizations(driver, filling, fixed)
    await truncateLog(database.sqlite)
  } else {
    const db = await postgres.connect(database.pool)
    await postgres.insertAuthorizations(db, filling, fixed)
    await db.end()
  }
}

/** Returns the driver of a database whose server writes too, for example when a job has run. */
function whileServed({ sqlite: { driver } }: Database & { kind: 'sqlite' }) {
  driver.pragma('busy_timeout = 10000')
  return driver
}

/** Opens the database of an installation for the time of the work. */
export async function withDatabase<T>(
  { open }: Installation,
  work: (database: Awaited<ReturnType<typeof open>>) => Promise<T>,
) {
  const database = await open()
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
