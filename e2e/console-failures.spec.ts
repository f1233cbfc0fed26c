import { randomUUID } from 'node:crypto'
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { shareAppServer } from './app-server.ts'
import { expectAccessible, test } from './postern.ts'
import { signUp } from './sign-in.ts'

test.use({ settings: { DEMO: '1', TEAMS: 'open' } })

const app = shareAppServer()

/** Registers an app of a kind in the wizard; returns its client_id, its secret if it has one, and its page. */
async function register(page: Page, team: string, kind: 'confidential' | 'assertion', key = '') {
  await page.goto(`${team}/new-app?kind=${kind}`)
  await page.locator('[name=name]').fill(`Garden ${kind}`)
  await page.locator('[name=redirect_uris]').fill(app.redirectUri)
  if (key !== '') await page.locator('[name=key]').fill(key)
  await page.locator('#app-register').click()
  await expect(page.locator('#app-register')).toHaveCount(0)
  const home = new URL(page.url().replace('/credentials', '')).pathname
  const secret = kind === 'confidential' ? ((await page.locator('#app-secret').textContent()) ?? '') : ''
  return { home, secret, id: home.split('/').at(-1) ?? '' }
}

/** Makes a team, and returns the path of its page. */
async function makeTeam(page: Page, accountUrl: string): Promise<string> {
  const username = await signUp(page, accountUrl, '/console')
  await page.goto('/console/new-team')
  await page.locator('[name=name]').fill(`Garden of ${username}`)
  await page.locator('#team-create').click()
  await page.waitForURL(/\/console\/teams\/[^/]+$/)
  return new URL(page.url()).pathname
}

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

/** Waits until the page, opened again, shows a text. */
const shows = (page: Page, address: string, text: string | RegExp) =>
  expect(async () => {
    await page.goto(address)
    await expect(page.getByText(text).first()).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 20_000 })

test('shows in words why a server with a secret was refused', async ({ page, postern, request }) => {
  const team = await makeTeam(page, postern.accountUrl)
  const { home, id, secret } = await register(page, team, 'confidential')
  await page.goto(`${home}/failures`)
  await expect(page.getByText('No failures')).toBeVisible()
  await expectAccessible(page)

  const sent = `${app.redirectUri.replace('http:', 'https:')}/?token=s3cret`
  const asked = { client_id: id, response_type: 'code', redirect_uri: sent, scope: 'openid' }
  await page.goto(`${postern.issuer}/oauth2/authorize?${new URLSearchParams(asked)}`)
  const tokenUrl = `${postern.issuer}/oauth2/token`
  const form = { grant_type: 'authorization_code', code: 'made-up', redirect_uri: app.redirectUri, code_verifier: 'v' }
  expect((await request.post(tokenUrl, { form, headers: basic(id, 'wrong') })).status()).toBe(401)
  const inBody = { ...form, client_id: id, client_secret: secret }
  expect((await request.post(tokenUrl, { form: inBody })).status()).toBe(401)

  await shows(page, `${home}/failures`, 'The app sent its secret in the body')
  await expect(page.getByText('is registered for: client_secret_basic')).toBeVisible()
  await shows(page, `${home}/failures`, 'The client secret is wrong')
  await shows(page, `${home}/failures`, 'The redirect_uri that was sent is not registered')
  await expect(page.getByText('The final slash differs.')).toBeVisible()
  await expect(page.getByText('The scheme differs')).toBeVisible()
  await expect(page.locator('mark').first()).toBeVisible()
  expect(await page.content()).not.toContain('s3cret')
  await expectAccessible(page)

  await page.getByRole('link', { name: 'token', exact: true }).click()
  await expect(page.getByText('The client secret is wrong')).toBeVisible()
  await expect(page.getByText('The redirect_uri that was sent')).toHaveCount(0)
  await page.getByRole('link', { name: 'How to fix it' }).first().click()
  await expect(page.locator(':target')).toBeVisible()
  await expectAccessible(page)
})

test('shows in words why a server with keys was refused', async ({ page, postern, request }) => {
  const team = await makeTeam(page, postern.accountUrl)
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'spring', alg: 'ES256', use: 'sig' }
  const { home, id } = await register(page, team, 'assertion', JSON.stringify(jwk))
  const signed = ({ kid = 'spring', off = 0 }) => {
    const now = Math.floor(Date.now() / 1000) + off
    return new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setIssuer(id)
      .setSubject(id)
      .setAudience(postern.issuer)
      .setIssuedAt(now)
      .setExpirationTime(now + 60)
      .sign(privateKey)
  }
  await expectRefused(request, postern.issuer, id, await signed({ off: 600 }))
  await expectRefused(request, postern.issuer, id, await signed({ off: -600 }))
  await expectRefused(request, postern.issuer, id, await signed({ kid: 'winter' }))

  await shows(page, `${home}/failures`, 'The app has no key with the kid “winter”. Its keys: spring.')
  await expect(page.getByText(/The clock of the app is 10 minutes ahead/)).toBeVisible()
  await expect(page.getByText(/The clock of the app is 10 minutes behind/)).toBeVisible()
  await expectAccessible(page)
})

async function expectRefused(request: APIRequestContext, issuer: string, id: string, assertion: string) {
  const answer = await request.post(`${issuer}/oauth2/token`, {
    form: {
      grant_type: 'authorization_code',
      code: 'made-up',
      redirect_uri: app.redirectUri,
      client_id: id,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    },
  })
  expect(answer.status()).toBe(401)
}
