import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request as send } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, test as base, chromium, expect, type Page } from '@playwright/test'
import { sha256 } from '#lib/crypto/hash'
import { freePorts } from '#lib/testing/process/free-ports'
import { deployed, documentedSettings, type ProxyName, startProxy } from './reverse-proxy.ts'
import { ServerProcess } from './server-process.ts'
import { signIn } from './sign-in.ts'
import { makeCertificate } from './wire/tls.ts'

// The limit includes the installation of the proxies from Debian.
base.describe.configure({ timeout: 300_000 })

const password = 'correct horse battery'
const people = ['anna', 'ben', 'cleo', 'dan', 'emil'].map((username) => ({ username, password, name: username }))
const callback = 'https://app.example.org/callback'
const registration = {
  teams: [
    {
      id: 'acme',
      name: 'Acme',
      apps: [
        { client_id: 'acme-web', name: 'Acme', kind: 'public', redirect_uris: [callback], scopes: ['openid', 'name'] },
      ],
    },
  ],
  people,
}

/** The server of docs/operate.md behind a proxy, and the app to which the browser returns. */
type Installation = {
  start(name: ProxyName, configuration: string): Promise<number>
  /** Opens Chromium, for which the hosts of the installation lead to the proxy at `port`. */
  open(port: number): Promise<Browser>
  /** The URLs to which the app's users returned. */
  returned: URL[]
}

const test = base.extend<object, { installation: Installation }>({
  installation: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use, { project }) => {
      const undo: (() => unknown)[] = []
      const folder = mkdtempSync(join(tmpdir(), 'postern-proxy-'))
      undo.push(() => rmSync(folder, { recursive: true, force: true }))
      const { key, cert } = makeCertificate(folder, ['id.example.org', 'account.example.org', 'app.example.org'])
      const [issuer = 0, account = 0, app = 0] = await freePorts(3)
      const server = await ServerProcess.start(ownSettings(issuer, account))
      undo.push(() => server.remove())
      await server.apply(registration)
      const returned: URL[] = []
      const answers = createServer({ key, cert, maxHeaderSize: 64 * 1024 }, (incoming, outgoing) => {
        if (incoming.url?.startsWith('/callback')) returned.push(new URL(incoming.url, callback))
        outgoing.end('back at the app')
      })
      await new Promise<void>((done) => answers.listen(app, '127.0.0.1', done))
      undo.push(
        () => answers.closeAllConnections(),
        () => answers.close(),
      )
      await use({
        returned,
        async start(name, configuration) {
          const [proxy = 0] = await freePorts(1)
          const running = await startProxy(name, configuration, { proxy, issuer, account }, folder)
          undo.push(() => running.remove())
          return proxy
        },
        async open(port) {
          const { launchOptions = {} } = project.use
          const rules = `MAP app.example.org:443 127.0.0.1:${app}, MAP *.example.org:443 127.0.0.1:${port}`
          const args = [...(launchOptions.args ?? []), `--host-resolver-rules=${rules}`]
          const browser = await chromium.launch({ ...launchOptions, args })
          undo.push(() => browser.close())
          return browser
        },
      })
      for (const step of undo.reverse()) await step()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

/** The settings of docs/operate.md with free ports and secrets of the test. */
function ownSettings(issuer: number, account: number): Record<string, string> {
  const { DATA_DIR: _, ...settings } = documentedSettings()
  return {
    ...settings,
    LISTEN_ISSUER: `127.0.0.1:${issuer}`,
    LISTEN_ACCOUNT: `127.0.0.1:${account}`,
    SECRET_KEY: randomBytes(32).toString('base64url'),
    SMTP_URL: 'smtp://127.0.0.1:9',
  }
}

const code = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => String.fromCodePoint(first + at)).join('')

const letters = 'state'.padEnd(4096, 'abcdefghij')
const printable = code(0x20, 95).repeat(44).slice(0, 4096)
// The JSON text of these states has 8,192 bytes.
const quotes = '"'.repeat(4096)
const threeBytes = code(0x4e00, 2730)
const fourBytes = code(0x20000, 2048)
const states = [letters, printable, quotes, threeBytes, fourBytes]

const authorize = (state: string, changed = {}) =>
  `https://id.example.org/oauth2/authorize?${new URLSearchParams({
    client_id: 'acme-web',
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid name',
    code_challenge: sha256('v'.repeat(43)),
    code_challenge_method: 'S256',
    nonce: 'n'.repeat(512),
    state,
    ...changed,
  })}`

for (const name of ['caddy', 'nginx'] as const) {
  test(`carries the longest state through ${name}`, async ({ installation }) => {
    const port = await installation.start(name, deployed(name))
    const browser = await installation.open(port)
    // Uses one browser context, which collects the cookies of five accounts.
    const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage()
    for (const [at, state] of states.entries()) {
      await page.goto(authorize(state, { prompt: 'login consent' }))
      await signIn(page, people[at] as (typeof people)[number])
      await page.locator('#consent-allow').click()
      const answer = { code: expect.any(String), state, iss: 'https://id.example.org' }
      expect(await backFrom(page, installation)).toEqual(answer)
    }
    await page.goto(authorize(fourBytes, { max_age: '-1' }))
    expect(await backFrom(page, installation)).toMatchObject({ error: 'invalid_request', state: fourBytes })
    await page.goto(authorize(fourBytes, { prompt: 'login' }))
    // The answer to a wrong password sets one more cookie.
    await signIn(page, { username: 'x'.repeat(1000), password: 'wrong' })
    await page.locator('#signin-cancel').click()
    expect(await backFrom(page, installation)).toMatchObject({ error: 'access_denied', state: fourBytes })
  })
}

/** Returns the parameters with which the page returned to the app. */
async function backFrom(page: Page, { returned }: Installation): Promise<Record<string, string>> {
  await page.waitForURL(`${callback}?**`)
  const [last] = returned.splice(0)
  return Object.fromEntries(last?.searchParams ?? [])
}

test('needs each limit that the nginx file raises', async ({ installation }) => {
  const configuration = deployed('nginx')
  const raised = await installation.start('nginx', configuration)
  const withDefault = (directive: RegExp) => installation.start('nginx', configuration.replace(directive, ''))
  const upload = 'https://account.example.org/account/picture/submit'
  for (const { directive, address, body, status } of [
    { directive: /^proxy_buffer_size.*\nproxy_buffers.*\n/m, address: authorize(letters), status: 502 },
    { directive: /^large_client_header_buffers.*\n/m, address: authorize(quotes), status: 414 },
    { directive: /^client_max_body_size.*\n/m, address: upload, body: Buffer.alloc(4 * 1024 * 1024), status: 413 },
  ]) {
    expect(await ask(raised, address, body)).toBe(303)
    expect(await ask(await withDefault(directive), address, body)).toBe(status)
  }
})

/** Returns the status of the proxy's answer. */
function ask(port: number, address: string, body?: Buffer): Promise<number | undefined> {
  const { host, pathname, search } = new URL(address)
  return new Promise((done, fail) => {
    const sent = send(
      {
        host: '127.0.0.1',
        port,
        servername: host,
        rejectUnauthorized: false,
        method: body ? 'POST' : 'GET',
        path: pathname + search,
        headers: { host, ...(body && { 'content-type': 'multipart/form-data; boundary=x' }) },
        maxHeaderSize: 64 * 1024,
      },
      (answer) => done(answer.resume().statusCode),
    )
    sent.on('error', fail).end(body)
  })
}
