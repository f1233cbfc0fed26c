import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { type Database, openDatabase } from '#lib/db/engine/client'
import type { ProfileName } from '#lib/oauth/client/profile'
import { startPgBouncer } from '#lib/testing/databases/pgbouncer'
import { freshDatabaseUrl, startPostgres } from '#lib/testing/databases/postgres-server'
import { freePorts } from '#lib/testing/process/free-ports'
import { startHaproxy } from '../haproxy.ts'
import { isPooled, nodeCount } from '../in-full.ts'
import { ServerProcess } from '../server-process.ts'
import { type AppChanges, Client, type ClientOptions, makeApp } from './client.ts'
import { type Answer, type Discovery, openSender, type Sender, type Sent } from './send.ts'
import { type Certificate, makeCertificate, openTerminator } from './tls.ts'

export { type Answer, expect, type Sent }

/** People that can sign in. Ada has every claim, Bob has only a password. */
export const people = {
  ada: {
    username: 'ada',
    password: 'correct horse battery',
    email: 'ada@example.org',
    name: 'Ada L.',
    nickname: 'Ada',
    biography: 'Writes programs.',
    gender: 'female',
    birthdate: '1815-12-10',
    region: 'GB',
    locale: 'en',
  },
  bob: { username: 'bob', password: 'staple horse battery' },
}
export type Person = { username: string; password: string }

const [issuerHost, accountHost] = ['id.postern.example', 'account.postern.example'] as const

/**
 * Playwright's test with the worker fixture `provider`: the built server in production mode behind TLS, shared by the
 * tests of a worker. With `NODES=3` in the environment, it is three nodes on PostgreSQL behind HAProxy, with
 * `PGBOUNCER=1` through PgBouncer.
 */
export const test = base.extend<{ serverLog: undefined }, { provider: Provider }>({
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const postgres = nodeCount > 1 ? await startPostgres() : undefined
      const direct = postgres && (await freshDatabaseUrl(postgres.url))
      const pooler = direct && isPooled ? await startPgBouncer(direct) : undefined
      const settings = direct && { DATABASE_URL: pooler?.url ?? direct }
      const provider = await Provider.start({ nodes: nodeCount, ...(settings && { settings }) })
      await use(provider)
      await provider.stop()
      await pooler?.stop()
      await postgres?.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  serverLog: [
    async ({ provider }, use, info) => {
      const before = provider.logs().length
      await use(undefined)
      if (info.status !== info.expectedStatus)
        await info.attach('server.log', { body: provider.logs().slice(before), contentType: 'text/plain' })
    },
    { auto: true },
  ],
})

type Parts = {
  folder: string
  nodes: ServerProcess[]
  certificate: Certificate
  /** TLS in front of the nodes. */
  front: { port: number; close(): unknown }
  database: Database
}

/** `nodes` processes on one database, behind HAProxy if there are several. */
export type Installation = { nodes?: number; settings?: Record<string, string> }

/** A running Postern with https addresses. Its host names need no DNS: `send` connects to loopback. */
export class Provider {
  readonly issuer = `https://${issuerHost}`
  readonly accountUrl = `https://${accountHost}`
  discovery = {} as Discovery
  /** The database of the server, for example to age a row. */
  readonly database: Database
  /** The certificate, which the server trusts too: an app at `https://localhost:PORT` can use it. */
  readonly certificate: Certificate
  readonly #parts: Parts
  readonly #sender: Sender
  #clients = 0

  private constructor(parts: Parts) {
    this.#parts = parts
    this.database = parts.database
    this.certificate = parts.certificate
    this.#sender = openSender(this.issuer, parts.front.port, parts.certificate.cert)
  }

  static async start({ nodes: count = 1, settings = {} }: Installation = {}): Promise<Provider> {
    const folder = await mkdtemp(join(tmpdir(), 'postern-wire-'))
    const certificate = makeCertificate(folder, [issuerHost, accountHost, 'localhost'])
    const shared = { ...settingsOf(certificate), ...settings }
    const nodes: ServerProcess[] = []
    for (let at = 0; at < count; at++) nodes.push(await startNode(shared))
    const front = await openFront(folder, certificate, nodes)
    const database = await openDatabase((nodes[0] as ServerProcess).databaseUrl)
    const provider = new Provider({ folder, nodes, certificate, front, database })
    await provider.apply({ people: Object.values(people) })
    provider.discovery = (await provider.send('/.well-known/openid-configuration')).json()
    return provider
  }

  /** The processes of the installation. */
  get nodes(): readonly ServerProcess[] {
    return this.#parts.nodes
  }

  /** Returns everything the server has printed. */
  logs(): string {
    return this.nodes.map((node) => node.logs()).join('')
  }

  async stop(): Promise<void> {
    const { folder, nodes, front, database } = this.#parts
    this.#sender.close()
    await front.close()
    await database.close()
    await Promise.all(nodes.map((node) => node.remove()))
    await rm(folder, { recursive: true })
  }

  /** Returns an address of a client that no other client of the tests has, for X-Forwarded-For. */
  newAddress(): string {
    return this.#sender.newAddress()
  }

  /**
   * Sends a request over TLS, from a new address unless the header fields name one. Follows no redirect. Resolves a
   * path against the issuer, and sends a form by POST.
   */
  send(pathOrUrl: string | URL, sent: Sent = {}): Promise<Answer> {
    return this.#sender.send(pathOrUrl, sent)
  }

  /** Applies a declaration as `cli apply` does. */
  async apply(declaration: object): Promise<void> {
    await this.#parts.nodes[0]?.apply(declaration)
  }

  /**
   * Registers an app with a new client_id. `changes` are fields of the declaration; `team` is its team, `wire` by
   * default. The kind is `confidential`, and `assertion` for the profile `fapi2`.
   */
  async client(profile: ProfileName, changes: AppChanges = {}, options: ClientOptions = {}): Promise<Client> {
    this.#clients += 1
    const { team = 'wire', ...fields } = changes
    const made = await makeApp(`${profile}-${this.#clients}`, profile, fields, options)
    await this.apply({ teams: [{ id: team, name: `Team ${team}`, apps: [made.app] }] })
    return new Client(this, made)
  }
}

/** The settings that all nodes share. */
const settingsOf = (certificate: Certificate) => ({
  ISSUER: `https://${issuerHost}`,
  ACCOUNT_URL: `https://${accountHost}`,
  TRUST_PROXY: '127.0.0.1',
  ROLES: 'web,jobs',
  // Dynamic registration needs teams.
  TEAMS: 'open',
  SECRET_KEY: randomBytes(32).toString('base64url'),
  SMTP_URL: 'smtp://127.0.0.1:9',
  OUTBOUND_ALLOW: 'localhost,127.0.0.1',
  DRAIN_SECONDS: '0',
  NODE_EXTRA_CA_CERTS: certificate.file,
})

/** Starts a node that serves both hosts on one port. */
async function startNode(settings: Record<string, string>): Promise<ServerProcess> {
  const [port] = await freePorts(1)
  const listen = `127.0.0.1:${port}`
  return ServerProcess.start({ ...settings, LISTEN_ISSUER: listen, LISTEN_ACCOUNT: listen })
}

/** Opens a TLS terminator of our own in front of one node, and HAProxy in front of several. */
async function openFront(folder: string, certificate: Certificate, nodes: ServerProcess[]) {
  const ports = nodes.map(({ env }) => Number(env.LISTEN_ISSUER?.split(':')[1]))
  const [only = 0] = ports
  if (ports.length === 1) return openTerminator(certificate, { [issuerHost]: only, [accountHost]: only })
  const [port = 0] = await freePorts(1)
  const pem = join(folder, 'haproxy.pem')
  await writeFile(pem, Buffer.concat([certificate.cert, certificate.key]), { mode: 0o600 })
  const proxy = await startHaproxy(folder, [`127.0.0.1:${port} ssl crt ${pem} alpn h2,http/1.1`], ports, issuerHost)
  return { port, close: proxy.stop }
}
