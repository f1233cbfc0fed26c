import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer as createHttpServer, type IncomingMessage, request } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { sha256 } from '#lib/crypto/hash'
import { freshDatabaseUrl } from '#lib/testing/databases/postgres-server'
import { freePorts } from '#lib/testing/process/free-ports'
import { expect, test } from './postern.ts'
import { buildReleased, released } from './released.ts'
import { ServerProcess } from './server-process.ts'
import { signIn } from './sign-in.ts'

const person = { username: 'ada', password: 'correct horse battery', name: 'Ada L.' }
const verifier = 'v'.repeat(43)
const secret = 'a-secret-of-the-app'
const app = { client_id: 'garden-web', name: 'Garden', kind: 'confidential', client_secret: secret }
const teamWith = (redirectUri: string) => ({
  id: 'garden',
  name: 'Garden',
  apps: [{ ...app, redirect_uris: [redirectUri], scopes: ['openid', 'name'] }],
})

let folder: string | undefined
test.beforeAll(() => {
  test.setTimeout(900_000)
  folder = buildReleased()
})
test.afterAll(() => folder && rm(folder, { recursive: true }))

const undo: (() => Promise<unknown>)[] = []
test.afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

for (const kind of ['sqlite', 'postgresql'] as const) {
  test(`runs beside version ${released.version} on one ${kind} database, which it migrates, and shares every sign-in`, async ({
    page,
    postgres,
  }) => {
    test.setTimeout(300_000)
    const front = await openFront()
    undo.push(front.close)
    const own = kind === 'sqlite' ? {} : { DATABASE_URL: await freshDatabaseUrl((await postgres()).url) }
    const settings = { ...front.settings, SECRET_KEY: sha256('a key of both versions'), ...own }
    const [one, other] = await freePorts(2)
    const before = await start({ ...settings, ...listenAt(one) }, folder)
    await before.apply({ teams: [teamWith(front.redirectUri)], people: [person] })
    // A chain of refresh tokens for each sign-in.
    const chains = [await begin(page, front, [one, one])]

    const after = await start({ ...settings, DATABASE_URL: before.databaseUrl, ...listenAt(other) })
    expect(JSON.parse(await after.cli('nodes', '--json'))).toHaveLength(1)
    // A sign-in that one version begins goes on at the other.
    chains.push(await begin(page, front, [one, other]), await begin(page, front, [other, one]))
    for (const port of [one, other, one, other]) {
      front.lead(port)
      for (const [index, last] of chains.entries()) chains[index] = await use(front, last)
    }
    expect(await before.stop()).toBe(0)
    for (const last of chains) await use(front, last)
    expect(`${before.logs()}${after.logs()}`).not.toContain('"level":"error"')
  })
}

type Front = Awaited<ReturnType<typeof openFront>>
type Answer = { status: number | undefined; body: Record<string, unknown> }

const listenAt = (port = 0) => ({ LISTEN_ISSUER: `127.0.0.1:${port}`, LISTEN_ACCOUNT: `127.0.0.1:${port}` })

async function start(settings: Record<string, string>, checkout?: string) {
  const server = await ServerProcess.start(settings, checkout)
  undo.push(() => server.remove())
  return server
}

/** Signs the person in, loading each next page from the next of the ports. Returns the answer with the tokens. */
async function begin(page: Page, front: Front, [one, other]: (number | undefined)[]): Promise<Answer> {
  front.lead(one)
  const { redirectUri } = front
  const asked = { response_type: 'code', client_id: app.client_id, redirect_uri: redirectUri, scope: 'openid name' }
  const pkce = { code_challenge: sha256(verifier), code_challenge_method: 'S256', prompt: 'login consent' }
  await page.goto(`${front.issuer}/oauth2/authorize?${new URLSearchParams({ ...asked, ...pkce, state: 'state' })}`)
  front.lead(other)
  await signIn(page, person)
  await expect(page.locator('#consent-allow')).toBeVisible()
  front.lead(one)
  await page.locator('#consent-allow').click()
  await page.waitForURL((url) => url.href.startsWith(redirectUri))
  const code = new URL(page.url()).searchParams.get('code') ?? ''
  front.lead(other)
  const answer = await front.token({
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer
}

/** Refreshes a chain and reads userinfo with the new access token. Returns the answer to the refresh. */
async function use(front: Front, { body }: Answer): Promise<Answer> {
  const answer = await front.token({ grant_type: 'refresh_token', refresh_token: String(body.refresh_token) })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  const userinfo = await front.ask('/userinfo', { authorization: `Bearer ${answer.body.access_token}` })
  expect(userinfo).toMatchObject({ status: 200, body: { name: person.name } })
  return answer
}

/** Opens both hosts as a load balancer that leads every new connection to one port, and the app's redirect URI. */
async function openFront() {
  let target = 0
  const ends = new Set<Socket>()
  const open = async () => {
    const server = createServer((near) => {
      const far = connect(target, '127.0.0.1')
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        ends.add(from)
        from.on('error', () => to.destroy()).on('close', () => ends.delete(from))
        from.pipe(to)
      }
    })
    server.listen(0, 'localhost')
    await once(server, 'listening')
    return { server, origin: `http://localhost:${(server.address() as { port: number }).port}` }
  }
  const [issuer, account] = [await open(), await open()]
  const callback = createHttpServer((_, outgoing) => outgoing.setHeader('connection', 'close').end('signed in'))
  callback.listen(0, 'localhost')
  await once(callback, 'listening')
  const ask = async (path: string, headers: Record<string, string>, form?: Record<string, string>): Promise<Answer> => {
    const sent = request(issuer.origin + path, { agent: false, headers, method: form ? 'POST' : 'GET' })
    sent.end(form && new URLSearchParams(form).toString())
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, body: JSON.parse(await text(answer)) }
  }
  return {
    issuer: issuer.origin,
    redirectUri: `http://localhost:${(callback.address() as { port: number }).port}/callback`,
    settings: { ISSUER: issuer.origin, ACCOUNT_URL: account.origin },
    ask,
    token: (form: Record<string, string>) => {
      const authorization = `Basic ${Buffer.from(`${app.client_id}:${secret}`).toString('base64')}`
      return ask('/oauth2/token', { authorization, 'content-type': 'application/x-www-form-urlencoded' }, form)
    },
    lead(port = 0) {
      target = port
      for (const end of ends) end.destroy()
    },
    async close() {
      for (const server of [issuer.server, account.server, callback]) server.close()
      for (const end of ends) end.destroy()
    },
  }
}
