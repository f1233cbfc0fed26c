import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, it } from 'vitest'
import { openDatabase } from '#lib/db/engine/client'
import { setUpRestorable as setUp } from '#lib/testing/databases/restorable'
import { setUpCommandLine } from '#lib/testing/process/command-line'
import { callback, type Postern, verifier } from '#lib/testing/process/postern'

const refreshOf = (postern: Postern) => async (refresh_token: string) => {
  const answer = await postern.token({ grant_type: 'refresh_token', refresh_token })
  return { status: answer.status, ...(await answer.json()) }
}

async function tokensOf(postern: Postern) {
  const code = await postern.approve()
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
  return (await postern.token(form)).json()
}

it('keeps the apps of a restored installation signed in, and refuses a thief with an old token', async () => {
  const { postern, cli, target, stop, start } = await setUp()
  const first = [await tokensOf(postern), await tokensOf(postern)]
  const before = await Promise.all(first.map(({ refresh_token }) => refreshOf(postern)(refresh_token)))
  expect((await cli(['backup', target])).code).toBe(0)
  const newest: string[] = []
  for (let { refresh_token } of before) {
    for (let times = 0; times < 3; times++) ({ refresh_token } = await refreshOf(postern)(refresh_token))
    newest.push(refresh_token)
  }
  await stop()
  const { code, stderr } = await cli(['restore', target, '--yes'])
  expect([code, stderr]).toEqual([0, expect.stringContaining('Lost: 0 subs')])
  const again = refreshOf(await start())
  expect((await again(newest[0] as string)).status).toBe(200)
  expect((await again(first[1].refresh_token)).status).toBe(400)
  expect((await again(newest[1] as string)).status).toBe(400)
})

it('ends sessions and codes, erases the deleted again, and lists what is lost', async () => {
  const { postern, cli, target, journal, stop, settings } = await setUp()
  const { prisma } = postern.context.database
  const code = await postern.approve()
  expect(code).toBeTruthy()
  const person = await prisma.person.findFirstOrThrow()
  await prisma.subject.deleteMany()
  expect((await cli(['backup', target])).code).toBe(0)
  await tokensOf(postern)
  const { sub } = await prisma.subject.findFirstOrThrow()
  await stop()
  writeFileSync(journal, `\n{"at":"2026-11-23T00:00:00.000Z","person":"${person.id}"}\n\n{"at":"torn`)
  const restored = (await cli(['restore', target, '--yes', '--journal', journal])).answer()
  expect(restored).toMatchObject({ people_erased_again: 1, journal_lines_unreadable: 1 })
  expect(restored.lost.subs).toEqual([expect.objectContaining({ sub })])
  const database = await openDatabase(settings.DATABASE_URL as string)
  expect(await database.prisma.person.count({ where: { id: person.id } })).toBe(0)
  expect(await database.prisma.session.count({ where: { endedAt: null } })).toBe(0)
  expect(await database.prisma.authorization.count({ where: { codeSpentAt: null, revokedAt: null } })).toBe(0)
  await database.close()
})

it('writes the id of a person to the journal before they are erased, with mode 0600', async () => {
  const { postern, settings, journal, stop } = await setUp()
  const { username, id } = await postern.context.database.prisma.person.findFirstOrThrow()
  await stop()
  const { cli } = setUpCommandLine({ ...settings, DELETION_JOURNAL: journal })
  expect((await cli(['user', 'delete', username, '--now', '--yes'])).code).toBe(0)
  expect(readFileSync(journal, 'utf8').trim()).toMatch(new RegExp(`^{"at":"[^"]+","person":"${id}"}$`))
  expect(statSync(journal).mode & 0o777).toBe(0o600)
})

it('replaces the signing keys when the backup publishes a leaked one', async () => {
  const { cli: before, target, journal, stop, settings } = await setUp()
  expect((await before(['backup', target])).code).toBe(0)
  await stop()
  const { cli } = setUpCommandLine({ ...settings, DELETION_JOURNAL: journal })
  const leaked = (await cli(['keys', 'list'])).answer().map(({ kid }: { kid: string }) => kid)
  expect((await cli(['keys', 'replace', '--yes'])).code).toBe(0)
  expect((await cli(['restore', target, '--yes'])).answer()).toMatchObject({ signing_keys_replaced: true })
  const published = (await cli(['keys', 'list'])).answer().map(({ kid }: { kid: string }) => kid)
  expect(published.filter((kid: string) => leaked.includes(kid))).toEqual([])
})

it('refuses while a server uses the database, also one that is idle', async () => {
  const { cli, target, file } = await setUp()
  expect((await cli(['backup', target])).code).toBe(0)
  const before = statSync(file).ino
  const { code, stderr } = await cli(['restore', target, '--yes'])
  expect([code, stderr]).toEqual([1, expect.stringContaining('still uses')])
  expect(statSync(file).ino).toBe(before)
})

it('changes nothing with --dry-run or without --yes', async () => {
  const { cli, target, file, stop } = await setUp()
  expect((await cli(['backup', target])).code).toBe(0)
  await stop()
  const before = statSync(file).ino
  expect((await cli(['restore', target, '--dry-run'])).code).toBe(0)
  expect((await cli(['restore', target])).stderr).toContain('add --yes')
  expect(statSync(file).ino).toBe(before)
  expect(readdirSync(dirname(file)).filter((name) => name.startsWith(`${file.split('/').at(-1)}.`))).toEqual([])
})

it('refuses a truncated, foreign or newer file, and one without a time', async () => {
  const { cli, target, file, save, stop } = await setUp()
  await stop()
  const attempt = async (name: string) => (await cli(['restore', name, '--yes'])).stderr
  const change = async (name: string, sql: string) => {
    const changed = join(dirname(target), name)
    await cli(['backup', changed])
    const db = new Sqlite(changed)
    db.exec(sql)
    db.close()
    return changed
  }
  const before = statSync(file).ino
  await cli(['backup', target])
  truncateSync(target, Math.floor(statSync(target).size / 8192) * 4096)
  expect(await attempt(target)).toContain('not a backup that this version can restore')
  expect(await attempt(save('x'.repeat(9000), 'text'))).toContain('not a backup that this version can restore')
  expect(await attempt(join(dirname(target), 'none'))).toContain('There is no file')
  expect(await attempt(await change('foreign', 'DROP TABLE _prisma_migrations'))).toContain('not a database of Postern')
  const newer = `UPDATE _prisma_migrations SET migration_name = '29990101000000_contract_later' WHERE migration_name LIKE '%_restores'`
  expect(await attempt(await change('newer', newer))).toContain('newer Postern')
  expect(await attempt(await change('timeless', 'DROP TABLE _backup'))).toContain('--taken-at')
  expect(await attempt(file)).toContain('is the database itself')
  expect(statSync(file).ino).toBe(before)
})

it('leaves a whole database after kill -9, the present or the restored one, and can be repeated', async () => {
  const { cli, target, file, stop, settings } = await setUp()
  await cli(['backup', target])
  await stop()
  for (const wait of [150, 300, 450, 600, 900]) {
    const child = spawn(process.execPath, ['lib/cli/main.ts', 'restore', target, '--yes'], {
      stdio: 'ignore',
      env: settings as unknown as NodeJS.ProcessEnv,
    })
    await sleep(wait)
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
    expect(existsSync(file)).toBe(true)
    const db = new Sqlite(file)
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    db.close()
  }
  expect((await cli(['restore', target, '--yes'])).code).toBe(0)
})

it('replaces a damaged database', async () => {
  const { cli, target, file, stop, start } = await setUp()
  await cli(['backup', target])
  await stop()
  writeFileSync(file, 'x'.repeat(9000))
  const { code, answer } = await cli(['restore', target, '--yes'])
  expect([code, answer().lost]).toEqual([0, null])
  expect(await (await start()).context.database.prisma.person.count()).toBeGreaterThan(0)
})
