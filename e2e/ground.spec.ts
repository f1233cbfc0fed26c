import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#lib/db/engine/client'
import { freshDatabaseUrl } from '#lib/testing/databases/postgres-server'
import { findNode } from '../bin/find-node.mjs'
import { arrive } from './arrive.ts'
import { expect, test } from './postern.ts'
import { ServerProcess } from './server-process.ts'

const secretKey = randomBytes(32).toString('base64url')
const production = {
  ISSUER: 'https://id.example.org',
  ACCOUNT_URL: 'https://account.example.org',
  SECRET_KEY: secretKey,
  SMTP_URL: 'smtp://127.0.0.1:1',
  RELAY_DOMAIN: 'relay.example.org',
  OPERATOR_EMAIL: 'ops@example.org',
}

/** Starts the server with exactly these settings and waits until it ends. */
async function startAndFail(settings: Record<string, string>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'postern-refused-'))
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', DATA_DIR: dataDir, ...settings } as NodeJS.ProcessEnv
  const child = spawn(findNode('.'), ['server.ts'], { env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  return { code, output }
}

test.describe('rejection of unsafe or impossible settings with one sentence and exit code 1', () => {
  const cases: [string, Record<string, string>, RegExp][] = [
    ['an http issuer', { ...production, ISSUER: 'http://id.example.org' }, /ISSUER is http.*must use https/],
    ['no SECRET_KEY', { ...production, SECRET_KEY: '' }, /SECRET_KEY is missing.*Example:/],
    [
      'a database that is away',
      { ...production, DATABASE_URL: 'postgresql://u:pw-of-db@127.0.0.1:1/x' },
      /DATABASE_URL cannot be reached/,
    ],
  ]
  for (const [name, settings, sentence] of cases) {
    test(name, async () => {
      const { code, output } = await startAndFail(settings)
      expect(code).toBe(1)
      expect(output).toMatch(sentence)
      expect(output).not.toContain('    at ')
      expect(output).not.toContain('pw-of-db')
    })
  }
})

test('separates the hosts: no account page on the issuer, no endpoint on the account host, no cookie from the issuer', async ({
  postern,
  request: client,
}) => {
  const paths = ['/oauth2/authorize', '/oauth2/token', '/oauth2/jwks', '/userinfo', '/.well-known/openid-configuration']
  for (const path of paths) expect((await client.get(postern.accountUrl + path)).status(), path).toBe(404)
  expect((await client.get(`${postern.accountUrl}/issuer`)).status()).toBe(404)
  for (const path of ['/signin', '/consent', '/own.js', '/_next/static/x.js', '/dev/ui']) {
    const answer = await client.get(postern.issuer + path)
    expect(answer.status(), path).toBe(404)
    expect(answer.headers()['set-cookie']).toBeUndefined()
  }
  const root = await client.get(`${postern.issuer}/`)
  expect([root.status(), root.headers()['set-cookie']]).toEqual([200, undefined])
  expect(await root.text()).toContain(`${postern.accountUrl}/account`)
  for (const path of paths) {
    expect((await client.get(postern.issuer + path, { maxRedirects: 0 })).headers()['set-cookie']).toBeUndefined()
  }
})

test('sends the security headers and a fresh nonce with every page, and no foreign script', async ({
  postern,
  request: client,
}) => {
  const nonces = new Set<string>()
  for (const path of ['/', '/no-such-page', '/signin', '/logout', '/error']) {
    const answer = await client.get(postern.accountUrl + path)
    const headers = answer.headers()
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('same-origin')
    const policy = headers['content-security-policy'] ?? ''
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('form-action')
    nonces.add(/nonce-([\w-]+)/.exec(policy)?.[1] ?? '')
    const scripts = (await answer.text()).match(/<script[^>]*>/g) ?? []
    expect(scripts.filter((tag) => !tag.includes('data-keep'))).toEqual([])
  }
  expect(nonces.size).toBe(5)
})

test('serves metrics on their own listener only', async ({ postern, request: client }) => {
  await client.get(`${postern.issuer}/oauth2/jwks`)
  const metrics = await (await client.get(postern.metricsUrl)).text()
  expect(metrics).toContain('postern_http_requests_total{host="issuer",route="/oauth2/jwks",method="GET",status="200"}')
  expect(metrics).toContain('nodejs_eventloop_lag')
  expect((await client.get(`${postern.issuer}/metrics`)).status()).toBe(404)
  expect((await client.get(`${postern.accountUrl}/metrics`)).status()).toBe(404)
})

test('rejects POST to a page, sends no wrong length for HEAD, and adds the security headers to Next’s redirects', async ({
  postern,
}) => {
  const page = `${postern.accountUrl}/signin`
  const posted = await fetch(page, { method: 'POST' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect((await fetch(page, { method: 'HEAD' })).headers.get('content-length')).toBeNull()
  const tidied = await fetch(`${page}/`, { redirect: 'manual' })
  expect(tidied.status).toBe(308)
  expect(tidied.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(tidied.headers.get('x-frame-options')).toBe('DENY')
})

test('ignores a request to upgrade the connection', async ({ postern }) => {
  await fetch(postern.accountUrl)
  const { host, hostname, port } = new URL(postern.accountUrl)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
  )
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
  socket.destroy()
})

test('answers every request on a kept-alive connection during SIGTERM and closes it with the last answer', async () => {
  const server = await ServerProcess.start()
  const clients = Array.from({ length: 16 }, () => keepAsking(`${server.issuer}/userinfo`))
  await expect.poll(() => clients.every(({ statuses }) => statuses.length > 0)).toBe(true)
  expect(await server.stop()).toBe(0)
  for (const { ended, statuses } of clients) {
    expect(await ended).toBe('connection: close')
    expect(new Set(statuses)).toEqual(new Set([401]))
  }
  await server.remove()
})

/** Posts over one connection again and again until the server closes it. */
function keepAsking(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const statuses: (number | undefined)[] = []
  const ask = () =>
    new Promise<string | undefined>((resolve) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
        statuses.push(answer.statusCode)
        answer
          .resume()
          .on('end', () => resolve(answer.headers.connection === 'close' ? 'connection: close' : undefined))
      })
      sent.on('error', (fault: NodeJS.ErrnoException) => resolve(fault.code))
      sent.end('access_token=none')
    })
  const untilEnd = async (): Promise<string> => (await ask()) ?? untilEnd()
  return { statuses, ended: untilEnd().finally(() => agent.destroy()) }
}

test('answers every request in flight on SIGTERM and exits with code 0', async () => {
  const server = await ServerProcess.start()
  const form = 'grant_type=authorization_code&client_id=nobody'
  // After 100 Continue, the server is handling the request.
  const half = await Promise.all(
    Array.from({ length: 8 }, () => beginPost(`${server.issuer}/oauth2/token`, form.length)),
  )
  // A browser opens connections that it may never use; they must not delay the shutdown.
  const silent = connect(Number(new URL(server.accountUrl).port), 'localhost')
  await once(silent, 'connect')
  const stopped = server.stop()
  await expect.poll(() => server.logs()).toContain('finishing requests in flight')
  expect(await Promise.all(half.map((finish) => finish(form)))).toEqual(Array(8).fill(401))
  expect(await stopped).toBe(0)
  silent.destroy()
  await server.remove()
})

/** Sends the headers of a POST and waits until the server requests the body. Returns a function that sends it. */
function beginPost(url: string, length: number): Promise<(body: string) => Promise<number | undefined>> {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': length,
    expect: '100-continue',
  }
  const sent = request(url, { method: 'POST', headers, agent: false })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  return once(sent, 'continue').then(() => async (body) => {
    sent.end(body)
    const [answer] = await answered
    answer.resume()
    return answer.statusCode
  })
}

for (const role of ['jobs', 'relay']) {
  test(`serves no host in a process with the role ${role} alone, reports on its own listener, and exits with code 0`, async () => {
    const server = await ServerProcess.start({ ROLES: role })
    for (const url of [server.issuer, server.accountUrl]) await expect(fetch(url)).rejects.toThrow('fetch failed')
    expect(await (await fetch(server.metricsUrl)).text()).toContain('nodejs_eventloop_lag')
    const mail = once(connect(server.relayPort, '127.0.0.1'), 'data')
    if (role === 'relay') expect(String(await mail)).toMatch(/^220 /)
    else await expect(mail).rejects.toThrow('ECONNREFUSED')
    expect(await server.stop()).toBe(0)
    await server.remove()
  })
}

for (const kind of ['sqlite', 'postgresql'] as const) {
  test(`starts two processes on one empty ${kind} database at the same time, with equal keys and the demo`, async ({
    postgres,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), 'postern-together-'))
    const url = kind === 'sqlite' ? `file:${folder}/postern.db` : await freshDatabaseUrl((await postgres()).url)
    const settings = { DATABASE_URL: url, SECRET_KEY: secretKey, DEMO: '1' }
    const servers = await Promise.all([ServerProcess.start(settings), ServerProcess.start(settings)])
    const keys = await Promise.all(servers.map(async ({ issuer }) => (await fetch(`${issuer}/oauth2/jwks`)).text()))
    expect(keys[0]).toContain('"kid"')
    expect(keys[0]).toBe(keys[1])
    for (const server of servers) {
      expect(await server.stop()).toBe(0)
      await server.remove()
    }
    await rm(folder, { recursive: true })
  })
}

test('logs an error in a page as one line, with the request id that the page shows', async ({ page }) => {
  const server = await ServerProcess.start()
  await arrive(page, server)
  const database = await openDatabase(server.databaseUrl)
  await database.prisma.$executeRawUnsafe('ALTER TABLE "Session" RENAME COLUMN "createdAt" TO "away"')
  await database.close()
  const answer = await page.goto(`${server.accountUrl}/account/security`)
  expect(answer?.status()).toBe(500)
  const shown = await page.locator('main code').textContent()
  expect(await server.stop()).toBe(0)
  const lines = server.logs().trim().split('\n')
  const entries = lines.map((line) => JSON.parse(line)).filter(({ requestId, err }) => requestId === shown && err)
  expect(entries.length).toBeGreaterThan(0)
  expect(entries[0].err.name).toMatch(/^PrismaClient/)
  expect(server.logs()).not.toContain('invocation')
  await server.remove()
})
