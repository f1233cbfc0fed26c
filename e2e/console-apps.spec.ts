import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import * as client from 'openid-client'
import { expect, expectAccessible, test, withAndWithoutScript } from './postern.ts'
import { signUp } from './sign-in.ts'

test.use({ settings: { DEMO: '1', TEAMS: 'open' } })

let callback: Server
let redirectUri = ''
let landed: (url: URL) => void = () => undefined

test.beforeAll(async () => {
  callback = createServer((incoming, outgoing) => {
    outgoing.end('back at the app')
    if (incoming.url?.startsWith('/callback')) landed(new URL(incoming.url, redirectUri))
  })
  await new Promise<void>((resolve) => callback.listen(0, '127.0.0.1', resolve))
  redirectUri = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`
})
test.afterAll(() => {
  callback.close()
  callback.closeAllConnections()
})

type App = { issuer: string; id: string; secret: string }

/** Returns a stock client that has exactly these values. */
const stockClient = ({ issuer, id, secret }: App) =>
  client.discovery(new URL(issuer), id, {}, client.ClientSecretBasic(secret), {
    execute: [client.allowInsecureRequests],
  })

async function authorizeUrl(config: client.Configuration, verifier: string) {
  return client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid name',
    state: 'state',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
}

/** Signs the visitor in to an app, whose server uses this secret. Returns the ID token's sub. */
async function signInTo(page: Page, app: App): Promise<string | undefined> {
  const config = await stockClient(app)
  const verifier = client.randomPKCECodeVerifier()
  const arrival = new Promise<URL>((resolve) => {
    landed = resolve
  })
  await page.goto((await authorizeUrl(config, verifier)).href)
  // A browser that has consented before returns at once.
  if (!page.url().startsWith(redirectUri)) await page.locator('#consent-allow').click({ timeout: 5000 })
  const checks = { pkceCodeVerifier: verifier, expectedState: 'state', idTokenExpected: true }
  return (await client.authorizationCodeGrant(config, await arrival, checks)).claims()?.sub
}

/** Every node reads a changed app within five seconds. */
const soon = (check: () => Promise<unknown>) => expect(async () => void (await check())).toPass({ timeout: 20_000 })

/** A sign-in at a closed app ends at a page that explains it, not at the app. */
async function expectClosed(page: Page, signIn: URL) {
  await page.goto(signIn.href)
  await expect(page.locator('h1')).toBeVisible({ timeout: 1000 })
  expect(page.url()).not.toContain(redirectUri)
}

const copied = async (page: Page, id: string) => (await page.locator(`#${id}`).textContent()) ?? ''

/** Makes a team and registers a server app with the console's wizard. Returns the values to copy, and the app's page. */
async function registerApp(page: Page, accountUrl: string): Promise<App & { home: string }> {
  const username = await signUp(page, accountUrl, '/console')
  await page.locator('[name=name]').fill(`Garden of ${username}`)
  await page.locator('#team-create').click()
  await page.locator('a[href$="/new-app"]').click()
  await page.locator('#kind-confidential').click()
  await page.locator('[name=name]').fill('Garden planner')
  await page.locator('[name=redirect_uris]').fill(redirectUri)
  await page.locator('#app-register').click()
  const secret = await copied(page, 'app-secret')
  const home = page.url().replace('/credentials', '')
  await page.goto(home)
  await expect(page.locator('#app-secret')).toHaveCount(0)
  return { issuer: await copied(page, 'app-issuer'), id: await copied(page, 'app-client-id'), secret, home }
}

withAndWithoutScript(() => {
  test('registers an app, whose copied values sign a person in, and rotates its secret', async ({ page, postern }) => {
    const { home, ...app } = await registerApp(page, postern.accountUrl)
    const sub = await signInTo(page, app)
    expect(sub).toBeTruthy()

    await page.goto(`${home}/credentials`)
    await expectAccessible(page)
    await page.locator('#secret-add').click()
    const second = { ...app, secret: await copied(page, 'app-secret') }
    expect(second.secret).not.toBe(app.secret)
    await soon(async () => expect(await signInTo(page, second)).toBe(sub))
    expect(await signInTo(page, app)).toBe(sub)

    await page.goto(`${home}/credentials`)
    await expect(page.locator('#secret-add')).toHaveCount(0)
    await page.locator('details summary').first().click()
    await page.locator('details[open] button').click()
    await expect(page.locator('details form')).toHaveCount(1)
    await soon(() => expect(signInTo(page, app)).rejects.toMatchObject({ status: 401 }))
    expect(await signInTo(page, second)).toBe(sub)
  })

  test('closes an app, deletes it and keeps it', async ({ page, postern }) => {
    const { home, ...app } = await registerApp(page, postern.accountUrl)
    const sub = await signInTo(page, app)
    const signIn = await authorizeUrl(await stockClient(app), client.randomPKCECodeVerifier())

    await page.goto(`${home}/settings`)
    await page.locator('[commandfor=app-state-dialog]').first().click()
    await page.locator('#app-state').click()
    await expect(page.locator('#app-state')).toBeVisible()
    await soon(() => expectClosed(page, signIn))
    await expectAccessible(page)
    await page.goto(`${home}/settings`)
    await page.locator('#app-state').click()
    await soon(async () => expect(await signInTo(page, app)).toBe(sub))

    await page.goto(`${home}/settings`)
    await page.locator('[name=confirm]').fill('Garden planner')
    await page.locator('#app-delete').click()
    await expect(page.locator('#app-keep')).toBeVisible()
    await soon(() => expectClosed(page, signIn))
    await page.goto(`${home}/settings`)
    await page.locator('#app-keep').click()
    await soon(async () => expect(await signInTo(page, app)).toBe(sub))
  })

  test('says beside the field why each redirect URI cannot be registered', async ({ page, postern }) => {
    const { home } = await registerApp(page, postern.accountUrl)
    await page.goto(`${home}/settings`)
    await page.locator('[name=redirect_uris]').fill(`${redirectUri}\nhttps://*.example/cb\n/callback`)
    await page.locator('#app-change').click()
    await expect(page.locator('#redirect_uris-problem')).toContainText('Line 2 must not hold a wildcard')
    await expect(page.locator('#redirect_uris-problem')).toContainText('Line 3 must be absolute')
    await expect(page.locator('[name=redirect_uris]')).toHaveValue(/\/callback$/)
    await expectAccessible(page)
  })
})

test('says while redirect URIs are typed why one cannot be registered', async ({ page, postern }) => {
  const { home } = await registerApp(page, postern.accountUrl)
  await page.goto(`${home}/settings`)
  await page.locator('[name=redirect_uris]').fill(`${redirectUri}\nhttps://garden.example/cb#here`)
  const status = page.locator('[data-uri-status]')
  await expect(status).toHaveText('Line 2 must not have a fragment (#…).')
  await page.locator('[name=redirect_uris]').fill('https://garden.example/cb')
  await expect(status).toContainText('A request must name one of these exactly')
})
