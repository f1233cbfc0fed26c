import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePorts } from '#lib/testing/process/free-ports'
import { ensureProgram } from '../../../bin/apt.mjs'
import { makeFolder, unprivilegedUser } from './postgres-server.ts'

const root = resolve(import.meta.dirname, '../../..')
const password = 'a password of the test'

/**
 * Starts PgBouncer before the database at `databaseUrl`, with deploy/high-availability/pgbouncer.ini. Returns the
 * DATABASE_URL that leads through it. `changes` replaces settings of the file.
 */
export async function startPgBouncer(databaseUrl: string, changes: Record<string, string> = {}) {
  const program = await ensureProgram('pgbouncer')
  const owner = unprivilegedUser()
  const folder = makeFolder(owner)
  const [port = 0] = await freePorts(1)
  const own = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    if (owner) chownSync(file, owner.uid, owner.gid)
    return file
  }
  const { username, hostname, port: target, pathname } = new URL(databaseUrl)
  const users = own('userlist.txt', `"${username}" "${password}"\n`)
  const documented = readFileSync(join(root, 'deploy/high-availability/pgbouncer.ini'), 'utf8')
  const text = replace(documented, {
    listen_port: String(port),
    auth_file: users,
    ...changes,
  }).replace('host=127.0.0.1 port=5432 dbname=postern', `host=${hostname} port=${target} dbname=${pathname.slice(1)}`)
  const child = spawn(program, [own('pgbouncer.ini', text)], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const url = `postgresql://${username}:${encodeURIComponent(password)}@127.0.0.1:${port}/postern?pgbouncer=true`
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer does not start:\n${output}`)
    await sleep(50)
  }
  return {
    url,
    async stop() {
      process.off('exit', kill)
      const gone = child.exitCode === null ? once(child, 'close') : undefined
      kill()
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Replaces the values of settings that the file has. */
function replace(text: string, values: Record<string, string>): string {
  return Object.entries(values).reduce((all, [name, value]) => {
    const line = new RegExp(`^${name} = .*$`, 'm')
    if (!line.test(all)) throw new Error(`pgbouncer.ini has no setting ${name}.`)
    return all.replace(line, `${name} = ${value}`)
  }, text)
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => undefined)
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}
