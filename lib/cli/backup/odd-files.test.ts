import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, it } from 'vitest'
import { setUpRestorable as setUp } from '#lib/testing/databases/restorable'
import { buildShim } from '#lib/testing/shim/shim'

/** Backs a database up, stops its server, and returns the command line in a process with or without faults. */
async function setUpBackup() {
  const scene = await setUp()
  expect((await scene.cli(['backup', scene.target])).code).toBe(0)
  await scene.stop()
  const run = (args: string[], faults: Record<string, string> = {}) => {
    const env = { ...scene.settings, ...faults, PATH: process.env.PATH } as unknown as NodeJS.ProcessEnv
    const { status, stderr } = spawnSync(process.execPath, ['lib/cli/main.ts', ...args], { env, encoding: 'utf8' })
    return { code: status, stderr }
  }
  return { ...scene, run, folder: dirname(scene.target) }
}

const beside = (file: string) => readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.`))

function expectWhole(file: string) {
  const db = new Sqlite(file, { readonly: true })
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(db.prepare('SELECT count(*) AS n FROM "Person"').get()).toEqual({ n: expect.any(Number) })
  db.close()
}

it('never replaces a device, a pipe or a folder by a backup, and reads none', async () => {
  const { cli, folder } = await setUpBackup()
  const [pipe, inner] = [join(folder, 'pipe'), join(folder, 'inner')]
  spawnSync('mkfifo', [pipe])
  mkdirSync(inner)
  for (const name of [pipe, inner]) {
    const { code, stderr } = await cli(['backup', name, '--overwrite'])
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${name} is not a file. Name a file.`)])
    const read = await cli(['restore', name, '--yes', '--taken-at', '2026-11-23T04:00:00Z'])
    expect([read.code, read.stderr]).toEqual([1, expect.stringContaining(`${name} is not a file. Name a file.`)])
  }
  expect([lstatSync(pipe).isFIFO(), readdirSync(inner)]).toEqual([true, []])
  symlinkSync('loop', join(folder, 'loop'))
  expect((await cli(['restore', join(folder, 'loop'), '--dry-run'])).stderr).toContain('loop cannot be read (ELOOP)')
  expect((await cli(['restore', join(folder, 'none'), '--dry-run'])).stderr).toContain('There is no file')
})

it('makes a backup in a folder without hard links, and replaces no file there', async () => {
  const { run, folder } = await setUpBackup()
  const faults = (await buildShim())({ folder, noLinks: true })
  const target = join(folder, 'second.db')
  expect(run(['backup', target], faults)).toMatchObject({ code: 0 })
  expectWhole(target)
  expect(statSync(target).mode & 0o777).toBe(0o600)
  expect(run(['backup', target], faults).stderr).toContain('second.db exists')
})

it('says what to do when the folder of the database has no hard links', async () => {
  const { run, file, target } = await setUpBackup()
  const faults = (await buildShim())({ folder: dirname(file), noLinks: true })
  const before = statSync(file).ino
  const refused = run(['restore', target, '--yes'], faults)
  expect(refused).toEqual({ code: 1, stderr: expect.stringMatching(/has no hard links\. Move .* away/) })
  expect([statSync(file).ino, beside(file)]).toEqual([before, []])
  renameSync(file, `${file}-old`)
  expect(run(['restore', target, '--yes'], faults)).toMatchObject({ code: 0 })
  expectWhole(file)
})

it('restores as the user of the service in a folder of another user', async () => {
  const { target, folder } = await setUpBackup()
  const file = join(folder, 'shared', 'postern.db')
  mkdirSync(dirname(file))
  for (const name of [dirname(file), folder]) chmodSync(name, 0o777)
  chmodSync(target, 0o644)
  // The module is loaded first: another user may not read this folder.
  const program = `const [, module, backup, file] = process.argv
    const { copyBackup } = await import(module)
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534) }
    await copyBackup(backup, file)`
  const module = resolve('lib/db/restore/replace-sqlite.ts')
  const args = ['--input-type=module', '-e', program, module, target, file]
  const { stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  expect(statSync(`${file}.restoring`).mode & 0o777).toBe(0o600)
})

it('lets one of two restores at once go first, also without a present database', async () => {
  const { spawnCli, cli, file, target } = await setUpBackup()
  for (const isAbsent of [true, false]) {
    if (isAbsent) rmSync(file)
    const both = await Promise.all([1, 2].map(() => spawnCli(['restore', target, '--yes'])))
    for (const { code, stderr } of both.filter((one) => one.code !== 0))
      expect([code, stderr]).toEqual([1, expect.stringMatching(/still uses|already runs/)])
    expect(both.some(({ code }) => code === 0)).toBe(true)
    expectWhole(file)
    expect(existsSync(`${file}.restoring`)).toBe(false)
  }
  expect((await cli(['restore', target, '--yes'])).code).toBe(0)
})

it('refuses while another restore prepares the first database', async () => {
  const { cli, file, target } = await setUpBackup()
  rmSync(file)
  const other = new Sqlite(`${file}.restore-lock`)
  other.exec('BEGIN EXCLUSIVE')
  const { code, stderr } = await cli(['restore', target, '--yes'])
  other.close()
  expect([code, stderr]).toEqual([1, expect.stringContaining('already runs')])
  expect(existsSync(file)).toBe(false)
  expect((await cli(['restore', target, '--yes'])).code).toBe(0)
  expect(beside(file)).toEqual([])
})

it('says in a dry run that no journal would be read', async () => {
  const { cli, target } = await setUpBackup()
  const { stderr, answer } = await cli(['restore', target, '--dry-run'])
  expect(stderr).toContain('No deletion journal was read')
  expect(answer()).toMatchObject({ journal_files: [] })
})

it('does not apply the WAL of a database that was moved away', async () => {
  const { cli, postern, file, target, stop } = await setUp()
  expect((await cli(['backup', target])).code).toBe(0)
  await postern.context.database.prisma.person.updateMany({ data: { name: 'from-the-wal' } })
  copyFileSync(`${file}-wal`, `${target}-wal-kept`)
  await stop()
  rmSync(file)
  copyFileSync(`${target}-wal-kept`, `${file}-wal`)
  expect((await cli(['restore', target, '--yes'])).code).toBe(0)
  const db = new Sqlite(file)
  expect(db.prepare(`SELECT count(*) AS n FROM "Person" WHERE name = 'from-the-wal'`).get()).toEqual({ n: 0 })
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  db.close()
  expect(beside(file)).toEqual([expect.stringMatching(/\.before-.*-wal$/)])
})
