import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '#lib/testing/process/free-ports'
import { findNode } from '../bin/find-node.mjs'
import { expect, test } from './postern.ts'

const undo: (() => Promise<unknown>)[] = []
test.afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** Starts the same build behind Next's own server, as hosted Next would: one port for both hosts. */
async function startNext() {
  const [port = 0] = await freePorts(1)
  const dataDir = await mkdtemp(join(tmpdir(), 'postern-next-'))
  undo.push(() => rm(dataDir, { recursive: true, force: true }))
  const [issuer, accountUrl] = [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', DATA_DIR: dataDir, TZ: 'UTC' } as NodeJS.ProcessEnv
  Object.assign(env, { ISSUER: issuer, ACCOUNT_URL: accountUrl, DEMO: '0', NEXT_TELEMETRY_DISABLED: '1' })
  const args = ['node_modules/next/dist/bin/next', 'start', '--hostname', '127.0.0.1', '--port', String(port)]
  const child: ChildProcess = spawn(findNode('.'), args, { env, stdio: 'ignore' })
  process.once('exit', () => child.kill('SIGKILL'))
  undo.push(async () => {
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  })
  await expect.poll(() => statusOf(port, `localhost:${port}`, '/readyz')).toBe(200)
  return { port, issuer, accountUrl }
}

/** Returns the response status for a Host header that fetch cannot send. */
function statusOf(port: number, host: string, path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path, headers: { host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sent.on('error', () => resolve(undefined))
    sent.end()
  })
}

test('separates the hosts, sends the same headers and shows the pages under plain `next start`', async ({ page }) => {
  const { port, issuer, accountUrl } = await startNext()
  const status = async (url: string) => (await fetch(url, { redirect: 'manual' })).status
  for (const path of ['/signin', '/consent', '/dev/ui']) expect(await status(issuer + path), path).toBe(404)
  for (const path of ['/oauth2/token', '/oauth2/jwks', '/userinfo', '/.well-known/openid-configuration'])
    expect(await status(accountUrl + path), path).toBe(404)
  expect(await statusOf(port, 'elsewhere.example', '/')).toBe(421)
  const root = await fetch(`${issuer}/`)
  expect([root.status, root.headers.get('set-cookie')]).toEqual([200, null])
  const style = /<style nonce="([\w-]+)"/.exec(await root.text())?.[1]
  expect(root.headers.get('content-security-policy')).toContain(`style-src 'nonce-${style}'`)

  const keys = await fetch(`${issuer}/oauth2/jwks`)
  expect([keys.status, keys.headers.get('set-cookie')]).toEqual([200, null])
  const nonces = new Set<string>()
  for (const path of ['/', '/signin', '/no-such-page']) {
    const { headers } = await fetch(accountUrl + path)
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("frame-ancestors 'none'")
    nonces.add(/nonce-([\w-]+)/.exec(policy)?.[1] ?? '')
  }
  expect(nonces.size).toBe(3)

  // Password hashing runs in a thread, and the build keeps its module as a separate file.
  const tried = await fetch(`${accountUrl}/signin/submit`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ to: '/account', username: 'nobody', password: 'a password of nobody' }),
  })
  expect([tried.status, tried.headers.get('location')]).toEqual([303, '/signin?to=%2Faccount'])
  // Without the front door, the client's address is unknown.
  expect(await status(`${accountUrl}/dev/inbox`)).toBe(404)

  const refused: string[] = []
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
  await page.goto(`${accountUrl}/signin?to=/account`)
  await expect(page.locator('#signin-submit')).toBeVisible()
  expect(refused).toEqual([])
  // The account host explains errors of the issuer.
  const answer = await page.goto(`${issuer}/oauth2/authorize?client_id=nobody`)
  expect([answer?.status(), new URL(page.url()).origin]).toEqual([400, accountUrl])
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
