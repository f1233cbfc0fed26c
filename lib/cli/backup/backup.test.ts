import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, it } from 'vitest'
import { readBackup } from '#lib/db/restore/sqlite-backup'
import { setUpCommandLine as setUp } from '#lib/testing/process/command-line'

/** Creates a database with a person, and returns the folder of its backups. */
async function setUpDatabase(megabytes = 0) {
  const line = setUp()
  const made = await line.cli(['apply', '-'], JSON.stringify({ teams: [{ id: 'acme', name: 'Acme' }] }))
  expect(made.code).toBe(0)
  const file = join(line.dataDir, 'postern.db')
  const db = new Sqlite(file)
  const insert = db.prepare('INSERT INTO "Picture" VALUES (?, ?, ?, ?)')
  for (let at = 0; at < megabytes; at++) insert.run(`p${at}`, 'image/webp', Buffer.alloc(1e6, at), Date.now())
  db.close()
  const folder = dirname(line.save('', 'keep'))
  return { ...line, file, folder, target: join(folder, 'copy.db') }
}

it('makes one checked file with mode 0600 that tells when it was taken', async () => {
  const { cli, target, folder } = await setUpDatabase()
  const now = new Date()
  const { code, answer } = await cli(['backup', target], '', now)
  expect([code, answer().taken_at]).toEqual([0, now.toISOString()])
  expect(statSync(target).mode & 0o777).toBe(0o600)
  expect(readBackup(target)).toEqual({ takenAt: now, pendingMigrations: [] })
  expect(readdirSync(folder).sort()).toEqual(['copy.db', 'data', 'keep'])
})

it('is one state of a database that is written meanwhile', async () => {
  const { spawnCli, target, file } = await setUpDatabase(40)
  const db = new Sqlite(file)
  db.exec('CREATE TABLE "Pair" (a INTEGER, b INTEGER); INSERT INTO "Pair" VALUES (0, 0)')
  const running = { now: true }
  const backing = spawnCli(['backup', target]).finally(() => {
    running.now = false
  })
  let writes = 0
  const add = db.transaction(() => {
    db.exec('UPDATE "Pair" SET a = a + 1')
    db.exec('UPDATE "Pair" SET b = b + 1')
  })
  for (; running.now; writes++) {
    add()
    await sleep(1)
  }
  expect((await backing).code).toBe(0)
  const copy = new Sqlite(target, { readonly: true })
  const { a, b } = copy.prepare('SELECT a, b FROM "Pair"').get() as { a: number; b: number }
  copy.close()
  expect(a).toBe(b)
  expect(a).toBeLessThan(writes)
  db.close()
})

it('never replaces an existing file or a symbolic link without --overwrite', async () => {
  const { cli, target, folder, file, save } = await setUpDatabase()
  const kept = save('kept', 'other')
  symlinkSync(kept, target)
  const refused = await cli(['backup', target])
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('copy.db exists')])
  expect((await cli(['backup', target, '--overwrite'])).code).toBe(0)
  expect(readFileSync(kept, 'utf8')).toBe('kept')
  expect(readBackup(target).takenAt).toBeInstanceOf(Date)
  symlinkSync(file, join(folder, 'link'))
  for (const own of [file, `${file}-wal`, join(folder, 'link')])
    expect((await cli(['backup', own, '--overwrite'])).stderr).toContain('is the database itself')
})

it.each([
  ['a missing folder', '/nowhere/else/copy.db', 'There is no folder /nowhere/else'],
  ['a file as folder', '/etc/hostname/copy.db', 'There is no folder /etc/hostname'],
])('says so for %s', async (_, target, sentence) => {
  const { cli } = await setUpDatabase()
  const { code, stderr } = await cli(['backup', target])
  expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
})

it('leaves no file when the disk is full', async () => {
  const { folder, target, dataDir } = await setUpDatabase(8)
  // The limit of the size of a file has the effect of a full disk for SQLite.
  const command = `trap '' XFSZ; ulimit -f 4000; exec "$0" lib/cli/main.ts backup "$1"`
  const child = spawn('bash', ['-c', command, process.execPath, target], {
    env: { DATA_DIR: dataDir, PATH: process.env.PATH } as unknown as NodeJS.ProcessEnv,
  })
  let said = ''
  child.stderr.on('data', (part) => {
    said += part
  })
  expect(await once(child, 'close')).toEqual([1, null])
  expect(said).toContain('No backup was made.')
  expect(readdirSync(folder).sort()).toEqual(['data', 'keep'])
})

it('lets every other process go first, and leaves no file with its name after kill -9', async () => {
  const { folder, target, dataDir, cli } = await setUpDatabase(80)
  const child = spawn(process.execPath, ['lib/cli/main.ts', 'backup', target], {
    stdio: 'ignore',
    env: { DATA_DIR: dataDir } as unknown as NodeJS.ProcessEnv,
  })
  while (!readdirSync(folder).some((name) => name.endsWith('.part'))) await sleep(5)
  expect(getPriority(child.pid)).toBe(constants.priority.PRIORITY_LOW)
  child.kill('SIGKILL')
  await once(child, 'close')
  const parts = readdirSync(folder).filter((name) => name.includes('.part'))
  for (const part of parts) expect(statSync(join(folder, part)).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).not.toContain('copy.db')
  expect((await cli(['backup', target])).code).toBe(0)
})

it('never contains the master key', async () => {
  const { cli, target, dataDir } = await setUpDatabase()
  const key = Buffer.alloc(32, 0xa7)
  writeFileSync(join(dataDir, 'secret-key'), key.toString('base64url'))
  expect((await cli(['backup', target])).code).toBe(0)
  const copy = readFileSync(target)
  for (const form of [key, key.toString('base64url'), key.toString('hex')]) expect(copy.includes(form)).toBe(false)
})

it('points to pg_dump for PostgreSQL', async () => {
  const { cli } = setUp({ DATABASE_URL: 'postgresql://postern@127.0.0.1:1/postern' })
  expect((await cli(['backup', 'x'])).stderr).toContain('pg_dump --format=custom')
})
