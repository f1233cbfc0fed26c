import { expect, type Page } from '@playwright/test'
import { shareAppServer } from './app-server.ts'
import { expectAccessible, test } from './postern.ts'
import { signUp } from './sign-in.ts'

test.use({ settings: { DEMO: '1', TEAMS: 'open' } })

const app = shareAppServer()

/** Registers a server app in the wizard; returns its client_id and its page. */
async function register(page: Page, team: string) {
  await page.goto(`${team}/new-app?kind=confidential`)
  await page.locator('[name=name]').fill('Garden planner')
  await page.locator('[name=redirect_uris]').fill(app.redirectUri)
  await page.locator('#app-register').click()
  await expect(page.locator('#app-register')).toHaveCount(0)
  const home = new URL(page.url().replace('/credentials', '')).pathname
  return { home, id: home.split('/').at(-1) ?? '' }
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

test('aligns the redirect URIs, hides what was sent in them, filters by endpoint, and links to the docs', async ({
  page,
  postern,
  request,
}) => {
  const team = await makeTeam(page, postern.accountUrl)
  const { home, id } = await register(page, team)
  await page.goto(`${home}/failures`)
  await expect(page.getByText('No failures')).toBeVisible()
  await expectAccessible(page)

  const sent = `${app.redirectUri.replace('http:', 'https:')}/?token=s3cret`
  const asked = { client_id: id, response_type: 'code', redirect_uri: sent, scope: 'openid' }
  await page.goto(`${postern.issuer}/oauth2/authorize?${new URLSearchParams(asked)}`)
  const tokenUrl = `${postern.issuer}/oauth2/token`
  const form = { grant_type: 'authorization_code', code: 'made-up', redirect_uri: app.redirectUri, code_verifier: 'v' }
  expect((await request.post(tokenUrl, { form, headers: basic(id, 'wrong') })).status()).toBe(401)

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
