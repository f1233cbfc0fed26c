import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { sha256 } from '#lib/crypto/hash'
import { freePorts } from '#lib/testing/process/free-ports'
import { aptInstall, canAptInstall, onPath } from '../bin/apt.mjs'
import { findNode } from '../bin/find-node.mjs'
import { expect, test } from './postern.ts'
import type { ServerProcess } from './server-process.ts'
import { signIn } from './sign-in.ts'

// The tests need their own server: it prints a secret only for an app that has none yet.
test.use({ settings: { SERVICE_NAME: 'Postern' } })

const root = resolve(import.meta.dirname, '..')
const guide = await readFile(join(root, 'docs/integrate.md'), 'utf8')
/** The files of the guide, by name. */
const files = new Map(
  [...guide.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => [name, text]),
)
const person = { username: 'ada', password: 'correct horse battery', name: 'Ada <L.>', email: 'ada@example.org' }

let folder = ''
let ports: number[] = []
let secret = ''
let pages: Server | undefined
const running: ChildProcess[] = []

test.beforeAll(async ({ postern }) => {
  ports = await freePorts(4)
  folder = await mkdtemp(join(tmpdir(), 'postern-guide-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  for (const [name, text] of files) await writeFile(join(folder, name), text)
  const applied = await postern.apply({ ...JSON.parse(here(files.get('apps.json'))), people: [person] })
  secret = (applied.secrets as Record<string, string>)['acme-web'] ?? ''
  await start('server-app.mjs', { ...settings(postern, 'acme-web', ports[0]), CLIENT_SECRET: secret })

  const registration = await node('make-key.mjs', settings(postern, 'acme-signer', ports[2]))
  await postern.apply(JSON.parse(registration))
  await start('assertion-app.mjs', settings(postern, 'acme-signer', ports[2]))

  // The browser app reads no environment variables; its settings are in its source.
  const html = (files.get('browser-app.html') ?? '').replace(`'http://localhost:3000'`, `'${postern.issuer}'`)
  const server = createServer((_, outgoing) => outgoing.setHeader('content-type', 'text/html').end(html))
  pages = server
  await new Promise<void>((done) => server.listen(ports[1], 'localhost', done))
})

test.afterAll(async () => {
  for (const child of running.splice(0)) child.kill()
  pages?.close()
  pages?.closeAllConnections()
  await rm(folder, { recursive: true, force: true })
})

/** Replaces the guide's addresses by the ports of this test. */
const here = (text = '') => text.replace(/localhost:808(\d)/g, (_, digit) => `localhost:${ports[Number(digit)]}`)
const settings = (postern: ServerProcess, client: string, port = 0) => ({
  ISSUER: postern.issuer,
  CLIENT_ID: client,
  PORT: String(port),
})
const environment = (env: object) => ({ PATH: process.env.PATH, NODE_ENV: 'production', ...env }) as const

async function start(name: string, env: object) {
  const child = spawn(findNode(root), [name], { cwd: folder, env: environment(env) })
  running.push(child)
  let output = ''
  await new Promise<void>((ready, fail) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
        if (output.includes('Open http')) ready()
      })
    }
    child.once('exit', () => fail(new Error(`${name} ended:\n${output}`)))
  })
}

const execute = promisify(execFile)
const run = async (program: string, name: string, env: object) =>
  (await execute(program, [name], { cwd: folder, env: environment(env) })).stdout
const node = (name: string, env: object) => run(findNode(root), name, env)

async function signInAndAllow(page: Page) {
  await signIn(page, person)
  await page.locator('[name=email_choice][value=regular]').check()
  await page.locator('#consent-allow').click()
}

test('runs every file of the guide', () => {
  expect([...files.keys()]).toEqual([
    'apps.json',
    'server-app.mjs',
    'browser-app.html',
    'make-key.mjs',
    'assertion-app.mjs',
    'verify-id-token.mjs',
    ...['discovery', 'push', 'exchange', 'refresh', 'userinfo', 'introspect', 'revoke'].map((name) => `${name}.sh`),
  ])
})

test('signs in with the server app, shows the person, refreshes, signs out, and reports a cancelled sign-in', async ({
  page,
}) => {
  const app = `http://localhost:${ports[0]}`
  await page.goto(app)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await signInAndAllow(page)
  await expect(page.getByRole('heading')).toHaveText(`Hello, ${person.name}`)
  await expect(page.getByText(`We may write to ${person.email}.`)).toBeVisible()
  const who = await page.getByText('You are').textContent()
  expect(who).toMatch(/^You are [\w-]{20,}\.$/)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('Refreshed 1 times.')).toBeVisible()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('Refreshed 2 times.')).toBeVisible()
  await expect(page.getByText(who ?? '')).toBeVisible()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading')).toHaveText('Acme')
  await page.context().clearCookies()
  await page.goto(app)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('#signin-cancel').click()
  await expect(page.getByText('You cancelled the sign-in.')).toBeVisible()
})

test('reports a wrong secret of the server app', async ({ page, postern }) => {
  const app = `http://localhost:${ports[3]}`
  await start('server-app.mjs', { ...settings(postern, 'acme-web', ports[3]), CLIENT_SECRET: 'wrong' })
  await page.goto(app)
  const asked = page.waitForRequest(`${postern.issuer}/oauth2/authorize?**`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const state = new URL((await asked).url()).searchParams.get('state') ?? ''
  await page.goto(`${app}/callback?${new URLSearchParams({ code: 'x', state, iss: postern.issuer })}`)
  await expect(page.getByText('Postern does not accept CLIENT_ID and CLIENT_SECRET.')).toBeVisible()
})

test('shows the sign-in button of the browser app only once a click works', async ({ page, postern }) => {
  const discovery = Promise.withResolvers<void>()
  await page.route('**/.well-known/openid-configuration', async (route) => {
    await discovery.promise
    await route.continue()
  })
  await page.goto(`http://localhost:${ports[1]}/browser-app.html`)
  await expect(page.getByText('One moment…')).toBeVisible()
  await expect(page.getByRole('button')).toHaveCount(0)
  discovery.resolve()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${postern.accountUrl}/signin?**`)
})

test('signs in with the browser app and requests a new code after its access token has expired', async ({
  page,
  postern,
}) => {
  await page.goto(`http://localhost:${ports[1]}/browser-app.html`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await signInAndAllow(page)
  const says = page.locator('#says')
  await expect(says).toHaveText(/^Hello, Ada <L\.> \(ada@example\.org\)\. You are [\w-]{20,}\.$/)
  expect(page.url()).toBe(`http://localhost:${ports[1]}/browser-app.html`)
  // The text stays the same, so only the response shows that the page has looked again.
  const answered = page.waitForResponse((answer) => answer.url() === `${postern.issuer}/userinfo`)
  await page.getByRole('button', { name: 'Look again' }).click()
  expect((await answered).status()).toBe(200)
  await expect(says).toHaveText(/^Hello/)

  await page.route('**/userinfo', (route) => route.fulfill({ status: 401, headers: anyOrigin }), { times: 1 })
  await page.getByRole('button', { name: 'Look again' }).click()
  await expect(says).toHaveText('Please sign in again (consent_required).')
  await page.getByRole('button', { name: 'Sign in' }).click()
  // The person is still signed in; consent is asked because the app is on loopback.
  await page.locator('#consent-allow').click()
  await expect(says).toHaveText(/^Hello/)
  const revoked = page.waitForResponse('**/oauth2/revoke')
  await page.getByRole('button', { name: 'Sign out' }).click()
  expect((await revoked).status()).toBe(200)
  await expect(says).toHaveText('You are not signed in.')
})

const anyOrigin = { 'access-control-allow-origin': '*' }

test('signs in with the assertion app, refreshes with a new assertion, and revokes', async ({ page }) => {
  const app = `http://localhost:${ports[2]}`
  await page.goto(`${app}/sign-in`)
  await signInAndAllow(page)
  await page.waitForURL(`${app}/`)
  const claims = JSON.parse((await page.locator('body').textContent()) ?? '')
  expect(claims).toMatchObject({ name: person.name, email: person.email, scope: 'openid name email', refreshed: 0 })
  const after = await page.request.post(`${app}/refresh`)
  expect(await after.json()).toEqual({ ...claims, refreshed: 1 })
  expect(await (await page.request.post(`${app}/sign-out`)).text()).toContain('Nobody is signed in')
})

test('runs the recipes by hand, verifies the ID token, and gets the guide’s defaults from userinfo', async ({
  page,
  postern,
}) => {
  if (!onPath('curl') && canAptInstall()) await aptInstall('curl')
  const secrets = { CODE_VERIFIER: 'v'.repeat(43), REDIRECT_URI: `http://localhost:${ports[0]}/callback` }
  const known = { ...settings(postern, 'acme-web'), CLIENT_SECRET: secret, ...secrets }
  const sh = (name: string, env: object = {}) => run('sh', name, { ...known, ...env })
  const authorize = JSON.parse(await sh('discovery.sh')).authorization_endpoint
  const challenge = { code_challenge: sha256(secrets.CODE_VERIFIER), code_challenge_method: 'S256' }
  const about = { response_type: 'code', client_id: 'acme-web', redirect_uri: secrets.REDIRECT_URI, state: 'state' }
  const query = { ...about, ...challenge, scope: 'openid name email', nonce: 'nonce', prompt: 'consent' }
  await page.goto(`${authorize}?${new URLSearchParams(query)}`)
  await signInAndAllow(page)
  await page.waitForURL(`${secrets.REDIRECT_URI}?**`)

  const code = new URL(page.url()).searchParams.get('code')
  const tokens = JSON.parse(await sh('exchange.sh', { CODE: code }))
  const verify = (nonce: string) =>
    node('verify-id-token.mjs', { ...known, ID_TOKEN: tokens.id_token, NONCE: nonce }).then((text) => text.trim())
  const sub = await verify('nonce')
  await expect(verify('other')).rejects.toThrow('another sign-in')

  const refreshed = JSON.parse(await sh('refresh.sh', { REFRESH_TOKEN: tokens.refresh_token }))
  const live = { ACCESS_TOKEN: refreshed.access_token, REFRESH_TOKEN: refreshed.refresh_token }
  const userinfo = JSON.parse(await sh('userinfo.sh', live))
  expect(userinfo).toMatchObject({ sub, name: person.name, email: person.email, email_verified: true })
  const granted = { sub, name: person.name, updated_at: expect.any(Number), email: person.email, email_verified: true }
  expect(userinfo).toEqual({ ...defaultsOfGuide(), ...granted })
  expect(JSON.parse(await sh('introspect.sh', live))).toMatchObject({ active: true, sub, client_id: 'acme-web' })
  expect(await sh('revoke.sh', live)).toBe('')
  expect(JSON.parse(await sh('introspect.sh', live))).toEqual({ active: false })
  expect(JSON.parse(await sh('refresh.sh', live))).toMatchObject({ error: 'invalid_grant' })
})

test('pushes a request by hand and continues to the sign-in page with its request_uri', async ({ page, postern }) => {
  const redirect = `http://localhost:${ports[0]}/callback`
  const request = { REDIRECT_URI: redirect, STATE: 'state', CODE_CHALLENGE: sha256('v'.repeat(43)) }
  const known = { ...settings(postern, 'acme-web'), CLIENT_SECRET: secret }
  const { request_uri } = JSON.parse(await run('sh', 'push.sh', { ...known, ...request }))
  await page.goto(`${postern.issuer}/oauth2/authorize?${new URLSearchParams({ client_id: 'acme-web', request_uri })}`)
  await page.waitForURL(`${postern.accountUrl}/signin?**`)
})

/** Returns the claims with a default in the table of section 7, each with this default. */
function defaultsOfGuide(): Record<string, unknown> {
  const rows = [...guide.matchAll(/^\| `(\w+)` \| [^|]+ \| [^|]+ \| `("[^`]*"|\d+)` \|$/gm)]
  return Object.fromEntries(rows.map(([, claim, value = '']) => [claim, JSON.parse(value)]))
}
