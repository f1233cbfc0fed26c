import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { runCommandLine } from '#lib/cli/run'
import { type Database, openDatabase } from '#lib/db/engine/client'
import type { ProfileName } from '#lib/oauth/client/profile'
import { openResolver } from '#lib/relay/dns/resolver'
import { freePorts } from '#lib/testing/process/free-ports'
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
 * tests of a worker.
 */
export const test = base.extend<{ serverLog: undefined }, { provider: Provider }>({
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const provider = await Provider.start()
      await use(provider)
      await provider.stop()
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
  server: ServerProcess
  certificate: Certificate
  terminator: Awaited<ReturnType<typeof openTerminator>>
  database: Database
}

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
    this.#sender = openSender(this.issuer, parts.terminator.port, parts.certificate.cert)
  }

  static async start(): Promise<Provider> {
    const folder = await mkdtemp(join(tmpdir(), 'postern-wire-'))
    const certificate = makeCertificate(folder, [issuerHost, accountHost, 'localhost'])
    const [issuer = 0, account = 0] = await freePorts(2)
    const server = await ServerProcess.start({
      ISSUER: `https://${issuerHost}`,
      ACCOUNT_URL: `https://${accountHost}`,
      LISTEN_ISSUER: `127.0.0.1:${issuer}`,
      LISTEN_ACCOUNT: `127.0.0.1:${account}`,
      TRUST_PROXY: '127.0.0.1',
      ROLES: 'web,jobs',
      SECRET_KEY: randomBytes(32).toString('base64url'),
      SMTP_URL: 'smtp://127.0.0.1:9',
      OUTBOUND_ALLOW: 'localhost,127.0.0.1',
      NODE_EXTRA_CA_CERTS: certificate.file,
    })
    const terminator = await openTerminator(certificate, { [issuerHost]: issuer, [accountHost]: account })
    const database = await openDatabase(server.databaseUrl)
    const provider = new Provider({ folder, server, certificate, terminator, database })
    await provider.apply({ people: Object.values(people) })
    provider.discovery = (await provider.send('/.well-known/openid-configuration')).json()
    return provider
  }

  /** Returns everything the server has printed. */
  logs(): string {
    return this.#parts.server.logs()
  }

  async stop(): Promise<void> {
    const { folder, server, terminator, database } = this.#parts
    this.#sender.close()
    terminator.close()
    await database.close()
    await server.remove()
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
    let answer = ''
    const status = await runCommandLine(['apply', '-', '--json'], {
      env: this.#parts.server.env,
      now: new Date(),
      random: randomBytes,
      resolver: openResolver(),
      readStdin: async () => Buffer.from(JSON.stringify(declaration)),
      stdout: (text) => {
        answer += text
      },
      stderr: () => undefined,
      isTerminal: false,
    })
    if (status !== 0) throw new Error(`The declaration was refused: ${answer}`)
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
