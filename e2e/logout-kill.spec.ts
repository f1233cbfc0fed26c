import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { sha256 } from '#lib/crypto/hash'
import { openDatabase } from '#lib/db/engine/client'
import { expect, test } from './postern.ts'
import { ServerProcess } from './server-process.ts'
import { signIn } from './sign-in.ts'

const secret = 'a-secret-of-sixteen-characters'
const verifier = 'v'.repeat(43)
const person = { username: 'ada', password: 'correct horse battery', name: 'Ada L.' }

/** The server of an app: it receives logout tokens and security events; `onToken` and `onEvent` decide when it answers. */
const app = {
  ...{ tokens: [] as string[], events: [] as string[] },
  ...{ onToken: async () => {}, onEvent: async () => {} },
  ...{ server: undefined as Server | undefined, origin: '' },
}

test.beforeAll(async () => {
  app.server = createServer(async (incoming, outgoing) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    if (incoming.url === '/events') {
      app.events.push(body)
      await app.onEvent()
      return void outgoing.writeHead(202).end()
    }
    if (incoming.url !== '/logout') return void outgoing.end('the app')
    app.tokens.push(new URLSearchParams(body).get('logout_token') ?? '')
    await app.onToken()
    outgoing.writeHead(204).end()
  })
  await new Promise<void>((resolve) => app.server?.listen(0, '127.0.0.1', resolve))
  app.origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
test.afterAll(() => {
  app.server?.close()
  app.server?.closeAllConnections()
})

test('delivers logout tokens and security events again after kill -9 in the middle of a delivery', async ({ page }) => {
  test.slow()
  // Without background jobs, only the sign-out itself can start a delivery.
  const server = await ServerProcess.start({ ROLES: 'web' })
  try {
    await server.apply({ teams: [{ id: 'acme', name: 'Acme', apps: [registration()] }], people: [person] })

    await registerReceiver(server)

    // The app has received the token and the event, and does not answer before the server is killed.
    let idToken = await signInAt(page, server)
    const received = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const holdFor = (one: PromiseWithResolvers<void>) => () => {
      one.resolve()
      return new Promise<void>(() => undefined)
    }
    Object.assign(app, { onToken: holdFor(received[0]), onEvent: holdFor(received[1]) })
    await signOut(page, server)
    await Promise.all(received.map(({ promise }) => promise))
    await server.kill()
    const again = await restartAfterLease(server)
    expect(again).toEqual([{ appId: 'acme-web', attempts: 1 }])
    await expectDelivered(server, idToken, 2)
    await expectEvents(server, 1)
    expect(app.events).toHaveLength(2)

    // The server is killed at the moment of the answer: before, during or after the row is removed.
    app.tokens.splice(0)
    idToken = await signInAt(page, server)
    let killed: Promise<void> | undefined
    app.onToken = async () => {
      killed = server.kill()
    }
    await signOut(page, server)
    await expect.poll(() => killed !== undefined).toBe(true)
    await killed
    const left = await restartAfterLease(server)
    await expectDelivered(server, idToken, 1 + left.length)
    await expectEvents(server, 2)
  } finally {
    await server.kill()
    await server.remove()
  }
})

const registration = () => ({
  client_id: 'acme-web',
  name: 'Acme Web',
  kind: 'confidential',
  client_secret: secret,
  redirect_uris: [`${app.origin}/callback`],
  backchannel_logout_uri: `${app.origin}/logout`,
})

/** Signs in at the app, and returns the ID token. */
async function signInAt(page: Page, { issuer }: ServerProcess): Promise<string> {
  const request = {
    response_type: 'code',
    client_id: 'acme-web',
    redirect_uri: `${app.origin}/callback`,
    scope: 'openid',
    state: 'state',
    prompt: 'consent',
    code_challenge: sha256(verifier),
    code_challenge_method: 'S256',
  }
  await page.goto(`${issuer}/oauth2/authorize?${new URLSearchParams(request)}`)
  await signIn(page, person)
  await page.locator('#consent-allow').click()
  await page.waitForURL(`${app.origin}/callback?**`)
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: new URL(page.url()).searchParams.get('code') ?? '',
    redirect_uri: request.redirect_uri,
    code_verifier: verifier,
  })
  const authorization = `Basic ${Buffer.from(`acme-web:${secret}`).toString('base64')}`
  const answer = await fetch(`${issuer}/oauth2/token`, { method: 'POST', headers: { authorization }, body })
  return (await answer.json()).id_token
}

/** Signs out; the server may be killed before the browser has the page. */
async function signOut(page: Page, { accountUrl }: ServerProcess) {
  await page.goto(`${accountUrl}/logout`)
  await page.locator('#logout-confirm').click({ noWaitAfter: true })
}

/** Moves the queue half a minute into the past, as if the lease had passed, and starts a server with background jobs. */
async function restartAfterLease(server: ServerProcess) {
  const database = await openDatabase(server.databaseUrl)
  const rows = await database.prisma.logoutDelivery.findMany()
  const before = (date: Date) => new Date(date.getTime() - 30_000)
  for (const { appId, sessionId, nextAt, until, createdAt } of rows)
    await database.prisma.logoutDelivery.update({
      where: { appId_sessionId: { appId, sessionId } },
      data: { nextAt: before(nextAt), until: before(until), createdAt: before(createdAt) },
    })
  await database.prisma.securityEvent.updateMany({ where: { state: 'waiting' }, data: { nextAt: new Date(0) } })
  await database.close()
  Object.assign(app, { onToken: async () => {}, onEvent: async () => {} })
  server.env.ROLES = 'web,jobs'
  await server.restart()
  return rows.map(({ appId, attempts }) => ({ appId, attempts }))
}

async function registerReceiver({ databaseUrl }: ServerProcess) {
  const database = await openDatabase(databaseUrl)
  const times = { createdAt: new Date(), updatedAt: new Date() }
  const receiver = { appId: 'acme-web', teamId: 'acme', address: `${app.origin}/events` }
  await database.prisma.eventReceiver.create({ data: { ...receiver, ...times } })
  await database.close()
}

/** Expects this number of valid events, each sent at least once, and none that waits. */
async function expectEvents(server: ServerProcess, count: number) {
  const database = await openDatabase(server.databaseUrl)
  const queued = () => database.prisma.securityEvent.findMany()
  await expect.poll(async () => (await queued()).filter(({ state }) => state !== 'delivered')).toEqual([])
  const ids = (await queued()).map(({ id }) => id)
  await database.close()
  const keys = createRemoteJWKSet(new URL(`${server.issuer}/oauth2/jwks`))
  const expected = { issuer: server.issuer, audience: 'acme-web', typ: 'secevent+jwt' }
  const payloads = await Promise.all(app.events.map(async (one) => (await jwtVerify(one, keys, expected)).payload))
  expect(new Set(payloads.map(({ jti }) => jti))).toEqual(new Set(ids))
  expect(ids).toHaveLength(count)
}

/** Expects this number of different, valid tokens of the session, and an empty queue. */
async function expectDelivered(server: ServerProcess, idToken: string, count: number) {
  const database = await openDatabase(server.databaseUrl)
  await expect.poll(() => database.prisma.logoutDelivery.count()).toBe(0)
  await database.close()
  const keys = createRemoteJWKSet(new URL(`${server.issuer}/oauth2/jwks`))
  const verify = async (token: string) =>
    (await jwtVerify(token, keys, { issuer: server.issuer, audience: 'acme-web' })).payload
  const { sub, sid } = await verify(idToken)
  const payloads = await Promise.all(app.tokens.map(verify))
  expect(payloads.map((payload) => [payload.sub, payload.sid])).toEqual(Array(count).fill([sub, sid]))
  expect(new Set(payloads.map(({ jti }) => jti)).size).toBe(count)
}
