import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ensurePostgres } from '../../../bin/find-postgres.mjs'
import { freePorts } from './free-ports.ts'

/** A PostgreSQL server of the tests. `url` has an administrator's rights and names the database `postgres`. */
export interface PostgresServer {
  url: string
  stop: () => Promise<void>
}

/**
 * Starts a PostgreSQL in a temporary folder on a free port of 127.0.0.1. The server ends with `stop` or with this
 * process.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const bin = await ensurePostgres()
  const owner = unprivilegedUser()
  for (let attempt = 1; ; attempt++) {
    const folder = makeFolder(owner)
    initialize(bin, folder, owner)
    const [port = 0] = await freePorts(1)
    const running = launch(bin, folder, port, owner)
    const url = `postgresql://postern@127.0.0.1:${port}/postgres`
    if (await isUp(running, url)) return { url, stop: () => stop(running) }
    const log = readFileSync(join(folder, 'log'), 'utf8')
    await stop(running)
    // Another process may have taken the port since it was chosen.
    if (attempt === 3) throw new Error(`PostgreSQL does not start:\n${log}`)
  }
}

/**
 * Creates a database as a copy of `template` on the server at `adminUrl` and returns its URL. The database is removed
 * with the server.
 */
export async function freshDatabaseUrl(adminUrl: string, template = 'template1'): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client(adminUrl)
  await admin.connect()
  try {
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  } finally {
    await admin.end()
  }
  const url = new URL(adminUrl)
  url.pathname = name
  return url.href
}

type Running = { server: ChildProcess; heir: ChildProcess }
export type Owner = { uid: number; gid: number } | undefined

/** Returns an unprivileged user, because PostgreSQL and PgBouncer refuse to run as root. */
export function unprivilegedUser(): Owner {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const ids = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout?.trim())
    if (ids.every(Boolean)) return { uid: Number(ids[0]), gid: Number(ids[1]) }
  }
  throw new Error(
    'PostgreSQL and PgBouncer do not run as root, and there is neither a user "postgres" nor "nobody" here.',
  )
}

/** Makes a temporary folder that belongs to the unprivileged user. */
export function makeFolder(owner: Owner): string {
  const make = (parent: string) => {
    const folder = mkdtempSync(join(parent, 'postern-postgres-'))
    chmodSync(folder, 0o700)
    if (owner) chownSync(folder, owner.uid, owner.gid)
    return folder
  }
  const folder = make(tmpdir())
  // The other user cannot reach a temporary folder below a private home.
  if (!owner || spawnSync('test', ['-w', folder], { ...owner }).status === 0) return folder
  rmSync(folder, { recursive: true, force: true })
  return make('/tmp')
}

function initialize(bin: string, folder: string, owner: Owner): void {
  const args = [
    '--pgdata',
    join(folder, 'data'),
    '--username=postern',
    '--auth=trust',
    '--encoding=UTF8',
    '--no-locale',
    '--no-sync',
  ]
  const done = spawnSync(join(bin, 'initdb'), args, { ...owner, cwd: folder, encoding: 'utf8' })
  if (done.status === 0) return
  rmSync(folder, { recursive: true, force: true })
  throw new Error(`initdb failed: ${done.error?.message ?? ''}${done.stdout ?? ''}${done.stderr ?? ''}`)
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '64MB',
  // The data is temporary: durability would only cost time.
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  timezone: 'UTC',
}

function launch(bin: string, folder: string, port: number, owner: Owner): Running {
  const options = Object.entries({ ...settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openSync(join(folder, 'log'), 'a')
  // This process handles Ctrl-C on the terminal, so both children lead their own process groups.
  const common = {
    ...owner,
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } as unknown as NodeJS.ProcessEnv,
    detached: true,
  }
  const server = spawn(join(bin, 'postgres'), ['-D', join(folder, 'data'), ...options], {
    ...common,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const heir = spawn('sh', ['-c', lastWill, 'sh', String(server.pid ?? 0), folder], {
    ...common,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  return { server, heir }
}

// The stdin of this script ends when this process closes it or dies for any reason; the script then stops the server
// and removes the server's folder.
const lastWill = `
read -r forever
kill -INT "$1" 2>/dev/null
for i in $(seq 50); do kill -0 "$1" 2>/dev/null || break; sleep 0.1; done
cd / && rm -rf "$2"
`

async function isUp({ server }: Running, url: string): Promise<boolean> {
  const deadline = Date.now() + 60_000
  while (server.exitCode === null && server.signalCode === null && Date.now() < deadline) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return true
    } catch {
      await sleep(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
  return false
}

async function stop({ server, heir }: Running): Promise<void> {
  const gone = (child: ChildProcess) =>
    child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve([])
  server.kill('SIGINT')
  await gone(server)
  heir.stdin?.end()
  await gone(heir)
}
