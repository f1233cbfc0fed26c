import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePorts } from '#lib/testing/process/free-ports'
import { ensurePostgres } from '../../../bin/find-postgres.mjs'

/** A PostgreSQL server of the tests. `url` has an administrator's rights and names the database `postgres`. */
export interface PostgresServer {
  url: string
  /** The folder of the server, with the data in `data`. */
  folder: string
  /** Ends the server as `signal` does (SIGINT: fast, SIGQUIT: without a checkpoint), and starts it on the same data. */
  restart: (signal?: 'SIGINT' | 'SIGQUIT') => Promise<void>
  /** Suspends every process of the server, or lets them go on. */
  pause: (suspended: boolean) => void
  stop: () => Promise<void>
}

/**
 * Starts a PostgreSQL in a temporary folder on a free port of 127.0.0.1. The server ends with `stop` or with this
 * process. `envOf` adds environment variables, for the folder of the server; a `durable` one loses no commit in a crash.
 * With `socket`, it also listens on a Unix socket in its folder, and `url` leads there.
 */
export async function startPostgres({
  envOf,
  durable = false,
  sharedBuffers = '64MB',
  socket = false,
}: Wishes = {}): Promise<PostgresServer> {
  const bin = await ensurePostgres()
  const owner = unprivilegedUser()
  for (let attempt = 1; ; attempt++) {
    const folder = makeFolder(owner)
    initialize(bin, folder, owner)
    const [port = 0] = await freePorts(1)
    const place = { bin, folder, port, owner, env: envOf?.(folder) ?? {}, durable, sharedBuffers, socket }
    const running = { server: launch(place), heir: launchHeir(place) }
    const url = `postgresql://postern@127.0.0.1:${port}/postgres${socket ? `?host=${encodeURIComponent(folder)}` : ''}`
    if (await isUp(running, url)) return serverAt(url, place, running)
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

function serverAt(url: string, place: Place, running: Running): PostgresServer {
  return {
    url,
    folder: place.folder,
    async restart(signal = 'SIGINT') {
      const gone = once(running.server, 'exit')
      running.server.kill(signal)
      await gone
      running.server = launch(place)
      if (!(await isUp(running, url))) throw new Error('PostgreSQL does not start again.')
    },
    pause(suspended) {
      const parent = String(running.server.pid)
      // Each process of PostgreSQL leads its own group.
      const children = spawnSync('ps', ['-o', 'pid=', '--ppid', parent], { encoding: 'utf8' }).stdout.split('\n')
      for (const pid of [parent, ...children.filter(Boolean)])
        spawnSync('kill', [suspended ? '-STOP' : '-CONT', pid.trim()])
    },
    stop: () => stop(running),
  }
}

type Running = { server: ChildProcess; heir: ChildProcess }
type Env = Record<string, string>
export type Wishes = {
  envOf?: (folder: string) => Env
  durable?: boolean
  sharedBuffers?: string | undefined
  socket?: boolean
}
type Place = {
  bin: string
  folder: string
  port: number
  owner: Owner
  env: Env
  durable: boolean
  sharedBuffers: string
  socket: boolean
}
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
  max_connections: '200',
  timezone: 'UTC',
}

/** Most data of the tests is temporary: durability would only cost time. */
const careless = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** This process handles Ctrl-C on the terminal, so both children lead their own process groups. */
const childOptions = ({ folder, owner, env }: Place) => ({
  ...owner,
  cwd: folder,
  env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...env } as unknown as NodeJS.ProcessEnv,
  detached: true,
})

function launch(place: Place): ChildProcess {
  const { bin, folder, port, durable, sharedBuffers, socket } = place
  const chosen = { port, shared_buffers: sharedBuffers, unix_socket_directories: socket ? folder : '' }
  const options = Object.entries({ ...settings, ...chosen, ...(!durable && careless) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const log = openSync(join(folder, 'log'), 'a')
  const server = spawn(join(bin, 'postgres'), ['-D', join(folder, 'data'), ...options], {
    ...childOptions(place),
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  return server
}

const launchHeir = (place: Place): ChildProcess =>
  spawn('sh', ['-c', lastWill, 'sh', place.folder], {
    ...childOptions({ ...place, env: {} }),
    stdio: ['pipe', 'ignore', 'ignore'],
  })

// The stdin of this script ends when this process closes it or dies for any reason; the script then stops the server
// and removes the server's folder.
const lastWill = `
read -r forever
server=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
if [ -n "$server" ]; then
  kill -INT "$server" 2>/dev/null
  for i in $(seq 50); do kill -0 "$server" 2>/dev/null || break; sleep 0.1; done
fi
cd / && rm -rf "$1"
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
