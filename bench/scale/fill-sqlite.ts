import { closeSync, fsyncSync, openSync } from 'node:fs'
import type BetterSqlite from 'better-sqlite3'
import { sha256 } from '#lib/crypto/hash'
import { columns, type Fixed, timesOf } from './rows.ts'
import { codeOf, type Filling, hasCode, idOf, orderedIdOf, personOf, secretOf } from './values.ts'

type Driver = BetterSqlite.Database

/** Runs `work` without a flush and the secondary indexes of the tables, and builds those in the end. */
export function inBulk(driver: Driver, tables: string[], work: () => void): void {
  const indexes = driver
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL
      AND tbl_name IN (${tables.map((table) => `'${table}'`)})`)
    .all() as { name: string; sql: string }[]
  driver.pragma('foreign_keys = OFF')
  driver.pragma('journal_mode = DELETE')
  driver.pragma('journal_mode = MEMORY')
  driver.pragma('synchronous = OFF')
  // The key of random ids would otherwise be read from the disk for every row.
  driver.pragma('cache_size = -3000000')
  for (const { name } of indexes) driver.exec(`DROP INDEX "${name}"`)
  work()
  for (const { sql } of indexes) driver.exec(sql)
  driver.pragma('journal_mode = WAL')
  flush(driver.name)
}

/** Flushes a file. The first commit of a server would otherwise wait until gigabytes of the filling are on the disk. */
function flush(file: string) {
  const descriptor = openSync(file, 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

export function insertPeople(driver: Driver, { people }: Filling, { client, now, scopes }: Fixed): void {
  const at = now.getTime()
  const person =
    driver.prepare(`INSERT INTO "Person" (id, username, email, name, nickname, biography, gender, birthdate,
    region, locale, "profileUpdatedAt", "createdAt") VALUES (?, ?, ?, ?, ?, '', '', '', '', 'en', ${at}, ${at})`)
  const subject = driver.prepare(`INSERT INTO "Subject" VALUES (?, ?, ?, ${at})`)
  const consent = driver.prepare(`INSERT INTO "Consent" ("personId", "appId", granted, declined, "emailChoice",
    "createdAt", "updatedAt") VALUES (?, ?, ?, '', 'regular', ${at}, ${at})`)
  inTransactions(driver, 0, people, (number) => {
    const id = idOf('person', number)
    person.run(id, `person-${number}`, `person-${number}@example.org`, `Person ${number}`, `p${number}`)
    subject.run(id, client.teamId, secretOf('sub', number))
    consent.run(id, client.id, scopes)
  })
}

export function insertAuthorizations(driver: Driver, filling: Filling, fixed: Fixed): void {
  const { people, from, authorizations } = filling
  const marks = columns.map(() => '?').join(', ')
  const insert = driver.prepare(
    `INSERT INTO "Authorization" (${columns.map((column) => `"${column}"`)}) VALUES (${marks})`,
  )
  inTransactions(driver, from, authorizations, (number) => {
    const person = personOf(number, people)
    const unspent = hasCode(number, filling)
    const { createdAt, later } = timesOf(number, filling, fixed.now)
    const request = secretOf('request', number)
    insert.run(
      ...[orderedIdOf('id', number), orderedIdOf('request', number), fixed.client.id, idOf('person', person)],
      ...[secretOf('session', number), secretOf('sub', person), fixed.scopes, 'regular', fixed.redirectUri],
      ...[request.slice(21), fixed.challenge, createdAt, 0, '1', 'pwd', request.slice(10, 32)],
      ...[sha256(codeOf(number)), unspent ? later : createdAt + 60_000, unspent ? null : createdAt],
      ...[unspent ? null : sha256(secretOf('refresh', number)), unspent ? null : 0],
      ...[unspent ? null : later, unspent ? null : later, createdAt, later],
    )
  })
}

function inTransactions(driver: Driver, from: number, count: number, insert: (number: number) => void): void {
  for (let at = 0; at < count; at += 10_000) {
    const end = Math.min(at + 10_000, count)
    driver.transaction(() => {
      for (let one = at; one < end; one++) insert(from + one)
    })()
  }
}
