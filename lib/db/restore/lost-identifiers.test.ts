import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, it } from 'vitest'
import { lostIdentifiers } from './lost-identifiers.ts'

it('counts everything that is lost, and lists no more than asked', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lost-'))
  const make = (name: string, subs: string[]) => {
    const db = new Sqlite(join(folder, name))
    db.exec(
      'CREATE TABLE "Subject" (sub, "teamId"); CREATE TABLE "Alias" (address, "appId"); CREATE TABLE "Person" (id, username)',
    )
    for (const sub of subs) db.prepare(`INSERT INTO "Subject" VALUES (?, 'team')`).run(sub)
    db.close()
    return join(folder, name)
  }
  const lost = lostIdentifiers(make('replaced.db', ['a', 'b', 'c', 'd']), make('restored.db', ['a']), 2)
  expect(lost).toMatchObject({ subs: [{ sub: 'b' }, { sub: 'c' }], count: { subs: 3, aliases: 0, back: 0 } })
})
