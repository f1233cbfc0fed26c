import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommandLine } from '#lib/cli/run'
import { openResolver } from '#lib/relay/dns/resolver'
import { freePorts } from '#lib/testing/process/free-ports'
import { findNode } from '../bin/find-node.mjs'

const root = resolve(import.meta.dirname, '..')

/** A server as an operator runs it: a process with its own data folder and free ports. */
export class ServerProcess {
  readonly issuer: string
  readonly accountUrl: string
  readonly metricsUrl: string
  readonly demoUrl: string
  readonly relayPort: number
  readonly dataDir: string
  readonly env: NodeJS.ProcessEnv
  /** Other nodes of the same installation. */
  readonly peers: ServerProcess[] = []
  /** The checkout that the server runs from. */
  readonly #checkout: string
  #child: ChildProcess | undefined
  #output = ''
  readonly #removals: (() => Promise<void>)[] = []

  private constructor(dataDir: string, ports: number[], settings: Record<string, string>, checkout: string) {
    this.#checkout = checkout
    const [issuer = 0, account = 0, metrics = 0, relay = 0, demo = 0] = ports
    this.dataDir = dataDir
    this.issuer = `http://localhost:${issuer}`
    this.accountUrl = `http://localhost:${account}`
    this.metricsUrl = `http://127.0.0.1:${metrics}/metrics`
    this.demoUrl = `http://localhost:${demo}`
    this.relayPort = relay
    this.env = {
      ...inherited(),
      NODE_ENV: 'production',
      ISSUER: this.issuer,
      ACCOUNT_URL: this.accountUrl,
      METRICS_LISTEN: `127.0.0.1:${metrics}`,
      RELAY_LISTEN: `127.0.0.1:${relay}`,
      DEMO_LISTEN: `localhost:${demo}`,
      DATA_DIR: dataDir,
      DEMO: '0',
      // Also the tests with a public issuer stop without a wait.
      DRAIN_SECONDS: '0',
      ...settings,
    }
  }

  /** The database, in the format of DATABASE_URL. */
  get databaseUrl(): string {
    return this.env.DATABASE_URL ?? `file:${this.dataDir}/postern.db`
  }

  /** The number of the running process, or of the parent of its workers. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Starts a server and waits until it is ready. `settings` adds environment variables. */
  static async start(settings: Record<string, string> = {}, checkout = root): Promise<ServerProcess> {
    const dataDir = await mkdtemp(join(tmpdir(), 'postern-e2e-'))
    const server = new ServerProcess(dataDir, await freePorts(5), settings, checkout)
    await server.restart()
    return server
  }

  /** Returns everything the server and its peers have printed, over all restarts. */
  logs(): string {
    return [this.#output, ...this.peers.map((peer) => peer.logs())].join('')
  }

  /** Sends a signal and does not wait. Returns whether the server still runs. */
  signal(name: NodeJS.Signals): boolean {
    return this.#child?.kill(name) ?? false
  }

  /** Stops the server like an orchestrator (SIGTERM). Returns the exit code. */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM')
  }

  /** Crashes the server: SIGKILL gives it no chance to clean up. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Stops the server if it runs, and starts it with the same data and ports. */
  async restart(): Promise<void> {
    await this.stop()
    await this.#waitUntilReady(this.#spawn())
  }

  /** Does the same, and waits for the end of the start only: the server may never say that it is ready. */
  async restartUnready(): Promise<void> {
    await this.stop()
    const before = this.#output.length
    const child = this.#spawn()
    while (!/\bready: /.test(this.#output.slice(before))) {
      if (child.exitCode !== null) throw new Error(`The server does not start:\n${this.#output}`)
      await sleep(50)
    }
  }

  #spawn(): ChildProcess {
    const child = spawn(findNode(root), ['server.ts'], {
      cwd: this.#checkout,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    const keep = (chunk: Buffer) => {
      this.#output += chunk
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    process.once('exit', () => child.kill('SIGKILL'))
    return child
  }

  /** Runs `cli apply` with this content on the same database. Returns its answer. */
  async apply(provision: object): Promise<Record<string, unknown>> {
    return JSON.parse(await this.#run(['apply', '-', '--json'], JSON.stringify(provision)))
  }

  /** Runs an operator command on the same database. Returns its stdout; throws when the command fails. */
  cli(...args: string[]): Promise<string> {
    return this.#run(args)
  }

  /** Runs the command in this process: the start of a program takes longer than most commands. */
  async #run(args: string[], stdin = ''): Promise<string> {
    const said = { stdout: '', stderr: '' }
    const code = await runCommandLine(args, {
      env: this.env,
      now: new Date(),
      random: randomBytes,
      resolver: openResolver(),
      readStdin: async () => Buffer.from(stdin),
      stdout: (text) => (said.stdout += text),
      stderr: (text) => (said.stderr += text),
      isTerminal: false,
    })
    if (code !== 0) throw new Error(`cli ${args.join(' ')} ended with ${code}:\n${said.stdout}${said.stderr}`)
    return said.stdout
  }

  /** Runs `work` when the server is removed. */
  onRemove(work: () => Promise<void>): void {
    this.#removals.push(work)
  }

  /** Stops the server and its peers, and removes their data. */
  async remove(): Promise<void> {
    await Promise.all([
      this.stop(),
      ...this.peers.map((peer) => peer.remove()),
      ...this.#removals.map((work) => work()),
    ])
    await rm(this.dataDir, { recursive: true, force: true })
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const child = this.#child
    if (!child) return null
    this.#child = undefined
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const gone = once(child, 'exit')
    child.kill(signal)
    const limit = setTimeout(() => child.kill('SIGKILL'), 30_000)
    const [code] = await gone
    clearTimeout(limit)
    return code
  }

  async #waitUntilReady(child: ChildProcess): Promise<void> {
    // The metrics listener opens last, and it is the only one of a process without pages.
    const readyUrl = new URL('/readyz', this.metricsUrl)
    const deadline = Date.now() + 60_000
    while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
      const answer = await fetch(readyUrl, { signal: AbortSignal.timeout(5000) }).catch(() => null)
      if (answer?.ok) return
      await sleep(50)
    }
    await this.kill()
    throw new Error(`The server did not become ready:\n${this.#output}`)
  }
}

/** Returns the machine's own variables, without the tester's settings. */
function inherited(): Record<string, string> {
  const names = [
    'PATH',
    'HOME',
    'TMPDIR',
    'SystemRoot',
    'NODE_COMPILE_CACHE',
    'NODE_EXTRA_CA_CERTS',
    'NODE_V8_COVERAGE',
  ]
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}
