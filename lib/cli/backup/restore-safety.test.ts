import {
  copyFileSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { chown } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, it } from 'vitest'
import { deletionStore } from '#lib/db/account/deletion-store'
import { deletionJournal } from '#lib/db/restore/deletion-journal'
import { holdAlone } from '#lib/db/restore/replace-sqlite'
import { setUpRestorable as setUp } from '#lib/testing/databases/restorable'
import { setUpCommandLine } from '#lib/testing/process/command-line'

const otherKey = Buffer.alloc(32, 'another key').toString('base64url')

const empty = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: 'en' }
const person = (username: string) => ({
  ...empty,
  id: username,
  username,
  createdAt: new Date(),
  profileUpdatedAt: new Date(),
})

/** Returns the names of files that a restore has left beside the database, without those of SQLite. */
const beside = (file: string) => readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.`))

it('refuses a backup that SECRET_KEY does not open, also in a dry run, and changes nothing', async () => {
  const { cli, target, file, stop, settings } = await setUp()
  await cli(['backup', target])
  await stop()
  const before = statSync(file).ino
  const wrong = setUpCommandLine({ ...settings, SECRET_KEY: otherKey }).cli
  for (const flag of ['--dry-run', '--yes']) {
    const { code, stderr } = await wrong(['restore', target, flag])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/SECRET_KEY does not open \d+ sealed values/)])
  }
  expect([statSync(file).ino, beside(file)]).toEqual([before, []])
  const rotating = setUpCommandLine({
    ...settings,
    SECRET_KEY: otherKey,
    SECRET_KEY_PREVIOUS: settings.SECRET_KEY ?? '',
  })
  expect((await rotating.cli(['restore', target, '--dry-run'])).code).toBe(0)
  expect((await wrong(['restore', target, '--yes', '--key-lost'])).code).toBe(0)
})

it('restores what only the WAL of a raw copy has', async () => {
  const { cli, postern, target, file, stop } = await setUp()
  const { id } = await postern.context.database.prisma.person.create({ data: person('late') })
  copyFileSync(file, target)
  copyFileSync(`${file}-wal`, `${target}-wal`)
  await stop()
  const { code } = await cli(['restore', target, '--yes', '--taken-at', new Date().toISOString()])
  const db = new Sqlite(file, { readonly: true })
  expect([code, db.prepare('SELECT id FROM "Person" WHERE id = ?').get(id)]).toEqual([0, { id }])
  db.close()
})

it('keeps the owner of the database, and gives nobody else a right', async () => {
  const { cli, target, file, stop } = await setUp()
  await cli(['backup', target])
  await stop()
  // Only root may give a file away.
  if (process.getuid?.() === 0) await chown(file, 65_534, 65_534)
  const { uid, gid } = statSync(file)
  expect((await cli(['restore', target, '--yes'])).code).toBe(0)
  expect(statSync(file)).toMatchObject({ uid, gid })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { release } = holdAlone(file)
  // A killed restore leaves it behind.
  expect(statSync(`${file}.restore-lock`)).toMatchObject({ uid, gid })
  release()
})

it('does not give away the target of a link that the owner of the folder planted', async () => {
  const { cli, target, file, stop } = await setUp()
  await cli(['backup', target])
  await stop()
  // Only root may give a file away.
  if (process.getuid?.() === 0) await chown(file, 65_534, 65_534)
  const victim = join(dirname(target), 'victim')
  writeFileSync(victim, 'of root', { mode: 0o600 })
  const before = statSync(victim)
  for (const plant of [symlinkSync, linkSync]) {
    plant(victim, `${file}.restore-lock`)
    const { code, stderr } = await cli(['restore', target, '--yes'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('.restore-lock beside the database is a link')])
    const { uid, gid, mode } = statSync(victim)
    expect({ uid, gid, mode }).toEqual({ uid: before.uid, gid: before.gid, mode: before.mode })
    rmSync(`${file}.restore-lock`)
  }
  expect((await cli(['restore', target, '--yes'])).code).toBe(0)
})

it('says who may be back when no journal was read', async () => {
  const { cli, postern, target, stop } = await setUp()
  const { username } = await postern.context.database.prisma.person.findFirstOrThrow()
  await cli(['backup', target])
  await cli(['user', 'delete', username, '--now', '--yes'])
  await stop()
  const { stderr, answer } = await cli(['restore', target, '--yes'])
  expect(stderr).toContain('No deletion journal was read')
  expect(stderr).toContain('1 people of the backup are not in the replaced database')
  expect(answer()).toMatchObject({ journal_files: [], lost: { back: [{ username }] } })
})

it('tells in a dry run how many lines of the journal cannot be read', async () => {
  const { cli, target, journal, stop } = await setUp()
  await cli(['backup', target])
  await stop()
  writeFileSync(journal, '{"at":"2026-11-23T00:00:00.000Z","person":"gone"}\n{"at":"torn\n[]\n{"other":1}\n')
  const { answer } = await cli(['restore', target, '--dry-run', '--journal', journal])
  expect(answer()).toMatchObject({ people_in_journal: 1, journal_lines_unreadable: 3 })
})

it('takes the time of the restore from the database, not from the clock of the command', async () => {
  const { cli, target, stop } = await setUp()
  await cli(['backup', target])
  await stop()
  const began = Date.now()
  const { answer } = await cli(['restore', target, '--yes'], '', new Date(began - 600_000))
  expect(Date.parse(answer().restored_at)).toBeGreaterThanOrEqual(began)
})

it('makes backups without erased rows, the master key and tokens', async () => {
  const { cli, postern, target, settings } = await setUp()
  const { prisma } = postern.context.database
  const names = Array.from({ length: 500 }, (_, at) => `quagga-${at}-${'x'.repeat(20)}`)
  await prisma.person.createMany({ data: names.map(person) })
  await prisma.person.deleteMany({ where: { username: { startsWith: 'quagga' } } })
  const code = await postern.approve()
  expect(code).toBeTruthy()
  await cli(['backup', target])
  const bytes = readFileSync(target)
  for (const secret of ['quagga', settings.SECRET_KEY as string, code as string])
    expect([secret.slice(0, 6), bytes.includes(secret)]).toEqual([secret.slice(0, 6), false])
  expect(bytes.includes(Buffer.from(settings.SECRET_KEY as string, 'base64url'))).toBe(false)
})

it('does not erase a person again whose deletion was cancelled when it was already in the journal', async () => {
  const { cli, postern, target, journal, stop } = await setUp()
  const { database } = postern.context
  const now = new Date()
  const { id } = await database.prisma.person.create({ data: { ...person('late'), deleteAfter: now } })
  const write = deletionJournal(journal)
  const cancel = () =>
    database.kind === 'sqlite' && database.sqlite.driver.exec('UPDATE "Person" SET "deleteAfter" = NULL')
  const store = deletionStore(database.prisma, undefined, (line) => {
    write(line)
    cancel()
  })
  await store.erase(id, now, 10)
  await cli(['backup', target])
  await stop()
  const { answer } = await cli(['restore', target, '--yes', '--journal', journal])
  expect(answer()).toMatchObject({ people_erased_again: 0, journal_lines_unreadable: 0 })
})
