// Writes to an SQLite file through the product's database, and appends the name of each row to the file `acknowledged`
// as soon as the product would answer. Arguments: folder, rounds, and optionally a value of the pragma synchronous.
import { openSync, statSync, writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { openDatabase } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'

const [folder = '', rounds = '1', synchronous] = process.argv.slice(2)
const database = await openDatabase(`file:${folder}/postern.db`, undefined, undefined, (fault) => {
  throw fault
})
if (database.kind !== 'sqlite') throw new Error('This program is about SQLite.')
const { prisma, sqlite } = database
if (synchronous) sqlite.driver.pragma(`synchronous = ${synchronous}`)
const statements = statementsOf(database)
const acknowledged = openSync(`${folder}/acknowledged`, 'a')
const acknowledge = (...names: string[]) => writeSync(acknowledged, names.map((name) => `${name}\n`).join(''))

const row = (name: string) => ({ name, holder: name.padEnd(700, '.'), expiresAt: new Date(0) })
const insert = { name: 'insert', sql: 'INSERT INTO "Lease" (name, holder, "expiresAt") VALUES ($1, $2, $3)' }

async function hot(name: string) {
  const { holder, expiresAt } = row(name)
  await statements.change(insert, [name, holder, expiresAt])
  acknowledge(name)
}

async function plain(name: string) {
  await prisma.lease.create({ data: row(name) })
  acknowledge(name)
}

/** Writes two rows in one transaction. */
async function pair(name: string) {
  await prisma.$transaction(async (tx) => {
    await tx.lease.create({ data: row(`${name}-a`) })
    await tx.lease.create({ data: row(`${name}-b`) })
  })
  acknowledge(`${name}-a`, `${name}-b`)
}

// The thread and commits make checkpoints every few writes, so that the power is also cut during checkpoints.
const size = () => statSync(`${folder}/postern.db`).size
const before = size()
const deadline = Date.now() + 30_000
for (let row = 0; row < 20; row++) await hot(`first-${row}`)
sqlite.countWrites(200)
while (size() === before) {
  if (Date.now() > deadline) throw new Error('The thread made no checkpoint.')
  await setTimeout(5)
}
sqlite.driver.pragma('wal_autocheckpoint = 12')

for (let round = 0; round < Number(rounds); round++) {
  await Promise.all([hot(`hot-${round}`), hot(`warm-${round}`), plain(`plain-${round}`), pair(`pair-${round}`)])
  sqlite.countWrites(200)
}
await database.close()
