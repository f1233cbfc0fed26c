import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { makeFolder, type Owner, unprivilegedUser } from '#lib/testing/databases/postgres-server'
import { ensureProgram } from '../../bin/apt.mjs'
import { ensurePostgres } from '../../bin/find-postgres.mjs'

const documents = resolve(import.meta.dirname, '../../deploy/high-availability')
const password = 'a password of the test'

/** Three machines with etcd, Patroni and PostgreSQL. */
export type PatroniCluster = Awaited<ReturnType<typeof startPatroni>>

/**
 * Starts deploy/high-availability/etcd and patroni.yml three times, on addresses of loopback that no other run has.
 * Makes the role and the database of Postern.
 */
export async function startPatroni() {
  const programs = {
    etcd: await ensureProgram('etcd', 'etcd-server'),
    patroni: await ensureProgram('patroni'),
    // Patroni needs every program of this version, such as pg_basebackup and pg_rewind.
    bin: dirname(realpathSync(join(await ensurePostgres(), 'postgres'))),
  }
  const owner = unprivilegedUser()
  const folder = makeFolder(owner)
  const random = () => 1 + Math.floor(Math.random() * 250)
  const network = `127.${random()}.${random()}`
  const machines = [1, 2, 3].map(
    (at) => new Machine(at, `${network}.${at}`, join(folder, `node${at}`), owner, programs),
  )
  for (const machine of machines) machine.start()
  const killAll = () => machines.map((machine) => machine.kill())
  process.once('exit', killAll)
  const primary = () => findPrimary(machines)
  await makeDatabase(await primary())
  const hosts = machines.map(({ host }) => `${host}:5432`).join()
  return {
    url: `postgresql://postern:${encodeURIComponent(password)}@${hosts}/postern?target_session_attrs=read-write`,
    primary,
    /** Waits until every machine is a running member again. */
    settle: () => settle(machines),
    async stop() {
      process.off('exit', killAll)
      await Promise.all(machines.map((machine) => machine.kill()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Programs = { etcd: string; patroni: string; bin: string }

class Machine {
  readonly host: string
  readonly name: string
  readonly #folder: string
  readonly #owner: Owner
  readonly #programs: Programs
  #children: ChildProcess[] = []

  constructor(at: number, host: string, folder: string, owner: Owner, programs: Programs) {
    this.host = host
    this.name = `node${at}`
    this.#folder = folder
    this.#owner = owner
    this.#programs = programs
    for (const path of [folder, join(folder, 'etcd'), join(folder, 'socket'), join(folder, 'data')]) {
      mkdirSync(path, { mode: 0o700 })
      if (owner) chownSync(path, owner.uid, owner.gid)
    }
    writeFileSync(join(folder, 'patroni.yml'), this.#own('patroni.yml'), { mode: 0o644 })
  }

  start(): void {
    const variables = [...this.#own('etcd').matchAll(/^(ETCD_\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ])
    const options = { ...this.#owner, cwd: this.#folder, stdio: 'ignore' as const }
    const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' }
    this.#children = [
      spawn(this.#programs.etcd, [], { ...options, env: { ...env, ...Object.fromEntries(variables) } }),
      spawn(this.#programs.patroni, [join(this.#folder, 'patroni.yml')], { ...options, env: env as never }),
    ]
  }

  /** Ends everything at once, as a machine does that loses its power. */
  async kill(): Promise<void> {
    const server = this.#serverPid()
    const backends = server ? spawnSync('ps', ['-o', 'pid=', '--ppid', server], { encoding: 'utf8' }).stdout : ''
    const gone = this.#children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    for (const child of gone) child.kill('SIGKILL')
    spawnSync('kill', ['-KILL', ...[server, ...backends.split('\n')].map((pid) => pid.trim()).filter(Boolean)])
    await Promise.all(gone.map((child) => (child.signalCode === null ? once(child, 'exit') : undefined)))
  }

  /** Asks Patroni's REST API. Returns the status, 0 without an answer. */
  async ask(path: string, init: RequestInit = {}): Promise<number> {
    const signal = AbortSignal.timeout(5000)
    const answer = await fetch(`http://${this.host}:8008${path}`, { ...init, signal }).catch(() => undefined)
    await answer?.text().catch(() => '')
    return answer?.status ?? 0
  }

  /** Hands the role of the primary to another machine, as `patronictl switchover` does. */
  async switchOver(): Promise<void> {
    const authorization = `Basic ${Buffer.from(`patroni:${password}`).toString('base64')}`
    const body = JSON.stringify({ leader: this.name })
    const status = await this.ask('/switchover', { method: 'POST', headers: { authorization }, body })
    if (status !== 200) throw new Error(`Patroni refuses the switchover: ${status}`)
  }

  #serverPid(): string {
    try {
      return readFileSync(join(this.#folder, 'data/postmaster.pid'), 'utf8').split('\n')[0] ?? ''
    } catch {
      return ''
    }
  }

  /** Returns a documented file with the name, the addresses, the paths and the passwords of this machine. */
  #own(file: string): string {
    const network = this.host.replace(/\.\d+$/, '')
    return readFileSync(join(documents, file), 'utf8')
      .replaceAll(/^(name: |ETCD_NAME=)node1$/gm, `$1${this.name}`)
      .replaceAll(
        /^((?:.*listen|.*connect_address): |ETCD_(?:LISTEN|INITIAL_ADVERTISE|ADVERTISE)\w+=http:\/\/)10\.0\.0\.1/gm,
        `$1${this.host}`,
      )
      .replaceAll('10.0.0.0/24', '127.0.0.0/8')
      .replaceAll('10.0.0.', `${network}.`)
      .replaceAll(/PASSWORD-OF-\w+/g, password)
      .replace('/var/lib/etcd/postern', join(this.#folder, 'etcd/data'))
      .replace('/var/lib/postgresql/15/postern', join(this.#folder, 'data'))
      .replace('/var/lib/postgresql/pgpass-of-patroni', join(this.#folder, 'pgpass'))
      .replace('/usr/lib/postgresql/15/bin', this.#programs.bin)
      .replace('/var/run/postgresql', join(this.#folder, 'socket'))
  }
}

/** Waits for the machine that Patroni calls the primary. */
async function findPrimary(machines: Machine[]): Promise<Machine> {
  const until = Date.now() + 180_000
  while (Date.now() < until) {
    for (const machine of machines) if ((await machine.ask('/primary')) === 200) return machine
    await pause(50)
  }
  throw new Error('Patroni has no primary.')
}

/** Waits until one machine is the primary and the others follow it, one of them synchronously. */
async function settle(machines: Machine[]) {
  const until = Date.now() + 180_000
  while (Date.now() < until) {
    const roles = await Promise.all(
      machines.map(async (machine) => [await machine.ask('/replica'), await machine.ask('/sync')]),
    )
    if (roles.filter(([replica]) => replica === 200).length === 2 && roles.some(([, sync]) => sync === 200)) return
    await pause(200)
  }
  throw new Error('The machines do not become members again.')
}

async function makeDatabase({ host }: Machine) {
  const client = new pg.Client({ host, port: 5432, user: 'postgres', password, database: 'postgres' })
  await client.connect()
  try {
    await client.query(`CREATE ROLE postern LOGIN PASSWORD '${password}'`)
    await client.query('CREATE DATABASE postern OWNER postern')
  } finally {
    await client.end()
  }
}
