import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { freshPostgresUrl } from '#lib/testing/databases/fresh-database'
import { freshDatabaseUrl, makeFolder, type Owner, unprivilegedUser } from '#lib/testing/databases/postgres-server'
import { setUpCommandLine } from '#lib/testing/process/command-line'
import { freePorts } from '#lib/testing/process/free-ports'
import { acme, callback, openPostern, type Postern, testKey, verifier } from '#lib/testing/process/postern'
import { ensurePostgres } from '../../../bin/find-postgres.mjs'

const docs = readFileSync('docs/backup.md', 'utf8')

/** Returns the block of the docs that contains a text, with the paths of a test. */
function printed(text: string, folder: string): string {
  const block = [...docs.matchAll(/```(?:sh|ini)\n([^`]+)```/g)].map(([, inside = '']) => inside)
  const found = block.find((inside) => inside.includes(text)) ?? ''
  expect(found).toContain(text)
  return found.replaceAll('/var/backups/wal', join(folder, 'wal')).replaceAll('/var/backups/postern', folder)
}

/** Runs a block of the docs as a shell does. */
function run(script: string, url: string, owner: Owner) {
  const env = { PATH: process.env.PATH, DATABASE_URL: url } as unknown as NodeJS.ProcessEnv
  const done = spawnSync('sh', ['-ec', script], { ...owner, cwd: '/', env, encoding: 'utf8' })
  expect(done.stderr).not.toMatch(/error/i)
  expect(done.status).toBe(0)
}

const settingsOf = (url: string) => ({
  DATABASE_URL: url,
  SECRET_KEY: testKey,
  LOG_LEVEL: 'silent',
  DEMO: '0',
  REFRESH_RETRY_SECONDS: '0',
})

async function whileOpen<T>(url: string, use: (postern: Postern) => Promise<T>): Promise<T> {
  const postern = await openPostern({ env: settingsOf(url), provision: { teams: [] } })
  try {
    return await use(postern)
  } finally {
    await postern.close()
  }
}

async function refresh({ token }: Postern, refresh_token: string) {
  const answer = await token({ grant_type: 'refresh_token', refresh_token })
  return { status: answer.status, token: (await answer.json()).refresh_token as string }
}

/** Signs two families in, calls `backUp`, and refreshes three times more. Returns an old and a newest token of both. */
async function useApps(url: string, backUp: () => Promise<void>) {
  const { cli } = setUpCommandLine(settingsOf(url))
  expect((await cli(['apply', '-'], JSON.stringify(acme))).code).toBe(0)
  return whileOpen(url, async (postern) => {
    const families: { old: string; newest: string }[] = []
    for (let at = 0; at < 2; at++) {
      const code = await postern.approve()
      const form = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
      const old = (await (await postern.token(form)).json()).refresh_token
      families.push({ old, newest: (await refresh(postern, old)).token })
    }
    await backUp()
    for (const family of families)
      for (let times = 0; times < 3; times++) family.newest = (await refresh(postern, family.newest)).token
    return families
  })
}

/** Begins the epoch, and expects that apps go on and that a thief's old token ends its family. */
async function expectToGoOn(url: string, since: Date, families: { old: string; newest: string }[]) {
  const { cli } = setUpCommandLine(settingsOf(url))
  const { code, stderr } = await cli(['epoch', 'begin', '--since', since.toISOString(), '--yes'])
  expect([code, stderr]).toEqual([0, expect.stringContaining('Ended: ')])
  const [first, second] = families
  await whileOpen(url, async (postern) => {
    expect((await refresh(postern, first?.newest ?? '')).status).toBe(200)
    expect((await refresh(postern, second?.old ?? '')).status).toBe(400)
    expect((await refresh(postern, second?.newest ?? '')).status).toBe(400)
  })
}

function makeOwnFolder() {
  const owner = unprivilegedUser()
  const folder = makeFolder(owner)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return { owner, folder }
}

it('restores what pg_dump wrote while servers run, and apps go on', async () => {
  const { owner, folder } = makeOwnFolder()
  const url = await freshPostgresUrl()
  const since = new Date()
  const families = await useApps(url, async () => run(printed('pg_dump', folder), url, owner))
  const empty = await freshPostgresUrl()
  run(printed('pg_restore', folder), empty, owner)
  await expectToGoOn(empty, since, families)
})

it('replays the WAL to a moment after a base backup, and apps go on', async () => {
  const { owner, folder } = makeOwnFolder()
  const bin = await ensurePostgres()
  mkdirSync(join(folder, 'wal'))
  if (owner) chownSync(join(folder, 'wal'), owner.uid, owner.gid)
  const data = join(folder, 'data')
  const made = spawnSync(join(bin, 'initdb'), ['-D', data, '-U', 'postern', '-A', 'trust', '--no-sync'], {
    ...owner,
    cwd: '/',
  })
  expect(made.status).toBe(0)
  appendFileSync(join(data, 'postgresql.conf'), printed('archive_command', folder))
  const first = await startServer(bin, data, owner)
  const url = await freshDatabaseUrl(first.url)
  run(printed('pg_basebackup', folder), url, owner)
  let target = new Date(0)
  const families = await useApps(url, async () => {
    target = (await ask(url, 'SELECT clock_timestamp() AS answer')) as Date
  })
  await ask(url, 'SELECT pg_switch_wal()::text AS answer')
  await first.stop()
  const base = join(folder, 'base')
  // This setting does not know the time zone Z.
  const at = target.toISOString().replace('Z', '+00')
  const recovery = printed('recovery_target_time', folder).replace('2026-11-23 04:00:00+00', at)
  appendFileSync(join(base, 'postgresql.conf'), recovery)
  writeFileSync(join(base, 'recovery.signal'), '')
  if (owner) chownSync(join(base, 'recovery.signal'), owner.uid, owner.gid)
  chmodSync(base, 0o700)
  const second = await startServer(bin, base, owner)
  const restored = new URL(url)
  restored.port = new URL(second.url).port
  await expectToGoOn(restored.href, target, families)
  await second.stop()
})

it('archives a segment whose copy was cut off, and one that it has archived already, and overwrites no other', () => {
  const { owner, folder } = makeOwnFolder()
  mkdirSync(join(folder, 'wal'))
  if (owner) chownSync(join(folder, 'wal'), owner.uid, owner.gid)
  const [source, target] = [join(folder, 'segment'), join(folder, 'wal/000000010000000000000007')]
  const command = /^archive_command = '(.*)'$/m.exec(printed('archive_command', folder))?.[1] ?? ''
  const archive = () => {
    const script = command.replaceAll('%p', source).replaceAll('%f', '000000010000000000000007')
    return spawnSync('sh', ['-c', script], { ...owner, cwd: '/' }).status
  }
  const write = (file: string, text: string) => {
    writeFileSync(file, text)
    if (owner) chownSync(file, owner.uid, owner.gid)
  }
  write(source, 'a whole segment')
  write(`${target}.part`, 'a who')
  expect([archive(), readFileSync(target, 'utf8')]).toEqual([0, 'a whole segment'])
  expect(archive()).toBe(0)
  write(source, 'another cluster')
  expect([archive(), readFileSync(target, 'utf8')]).toEqual([1, 'a whole segment'])
})

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(sql)).rows[0].answer
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Starts a PostgreSQL on a data folder, and waits until it accepts writes. */
async function startServer(bin: string, data: string, owner: Owner) {
  const [port = 0] = await freePorts(1)
  const args = ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=']
  const server: ChildProcess = spawn(join(bin, 'postgres'), args, { ...owner, cwd: '/', stdio: 'ignore' })
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGINT')
    await once(server, 'exit')
  }
  onTestFinished(stop)
  const url = `postgresql://postern@127.0.0.1:${port}/postgres`
  const isUp = () => ask(url, 'SELECT NOT pg_is_in_recovery() AS answer').catch(() => false)
  for (let tries = 0; !(await isUp()); tries++) {
    expect(tries).toBeLessThan(300)
    expect(server.exitCode).toBe(null)
    await sleep(200)
  }
  return { url, stop }
}
