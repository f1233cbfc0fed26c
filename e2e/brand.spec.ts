import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeMmdb } from '#lib/testing/places/write-mmdb'
import { expect, expectAccessible, test } from './postern.ts'
import { ServerProcess } from './server-process.ts'
import { signUp } from './sign-in.ts'

const example = join(import.meta.dirname, '../deploy/brand')
const undo: (() => Promise<unknown>)[] = []
test.afterEach(async () => {
  for (const step of undo.splice(0)) await step()
})

async function startBranded(settings: Record<string, string> = {}) {
  const server = await ServerProcess.start({
    BRAND_DIR: example,
    SERVICE_NAME: 'Riverbank',
    SUPPORT_URL: 'mailto:help@riverbank.example',
    IMPRINT_URL: 'https://riverbank.example/imprint',
    ...settings,
  })
  undo.push(() => server.remove())
  return server
}

test('shows nothing of ours but the small print in pages, errors and letters', async ({ page, browserName }) => {
  expect(browserName).toBe('chromium')
  const { accountUrl, issuer } = await startBranded()
  const isClean = async () => {
    const small = await page.getByText('Runs on Postern').count()
    const texts = ((await page.locator('body').textContent()) ?? '').replace('Runs on Postern', '')
    expect([page.url(), texts.includes('Postern'), await page.title()]).toEqual([
      page.url(),
      false,
      expect.not.stringContaining('Postern'),
    ])
    // Our mark and our drawing are the only SVG of these sizes.
    await expect(page.locator('svg[viewBox="0 0 32 32"], svg[viewBox="0 0 440 350"]')).toHaveCount(0)
    return small
  }
  await page.goto(accountUrl)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('One account for everything at the river')
  await expect(page.locator('header img')).toBeVisible()
  expect(await page.locator('header img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expect(page.getByRole('link', { name: 'Help' })).toHaveAttribute('href', 'mailto:help@riverbank.example')
  await expect(page.getByRole('link', { name: 'Imprint' })).toBeVisible()
  expect(await isClean()).toBe(1)
  await expectAccessible(page)
  await page.goto(`${accountUrl}/signin?to=/account`)
  expect(await page.locator('#signin-submit').evaluate((one) => getComputedStyle(one).backgroundColor)).toBe(
    'rgb(18, 63, 138)',
  )
  await expect(page.getByRole('link', { name: 'Join' })).toBeVisible()
  expect(await isClean()).toBe(1)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'français' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await expect(page.locator('#signin-submit')).toHaveText('Se connecter')
  await expect(page.getByText('Pas encore de compte ? Créer un compte')).toBeVisible()
  const face = await page.locator('body').evaluate((body) => {
    const { fontFamily, fontSize, lineHeight } = getComputedStyle(body)
    return { fontFamily, leading: Number.parseFloat(lineHeight) / Number.parseFloat(fontSize) }
  })
  expect(face).toEqual({ fontFamily: expect.stringMatching(/^"Source Sans 3".*sans-serif$/), leading: 1.55 })
  await page.getByRole('button', { name: 'English' }).click()
  await page.goto(`${accountUrl}/no/such/page`)
  await isClean()
  await page.goto(issuer)
  expect(await isClean()).toBe(0)
  await signUp(page, accountUrl, '/account/email/change')
  await isClean()
  await page.locator('[name=address]').fill('ada@example.org')
  await page.locator('#email-submit').click()
  await page.goto(`${accountUrl}/dev/inbox`)
  await page.getByRole('listitem').first().getByRole('link').click()
  const letter = page.frameLocator('iframe')
  const logo = letter.locator('img[alt=Riverbank]')
  expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expect(letter.locator('body')).not.toContainText('Postern')
})

test('leads from / to the account, and offers the chosen languages, fields and order', async ({ page }) => {
  const { accountUrl } = await startBranded({
    HOME_PAGE: 'account',
    LANGUAGES: 'fr,ja',
    DEFAULT_LANGUAGE: 'fr',
    DEFAULT_THEME: 'dark',
    PROFILE_FIELDS: 'name',
    SIGNUP_FIRST: 'passkey',
  })
  await page.goto(accountUrl)
  await expect(page).toHaveURL(/\/signin\?to=%2Faccount$/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByRole('button', { name: 'English' })).toHaveCount(0)
  await page.goto(`${accountUrl}/signup?to=/account/profile`)
  const order = page.locator('[data-passkey], [name=password]')
  await expect(order.first()).toHaveAttribute('data-passkey', 'signup')
  await signUp(page, accountUrl, '/account/profile')
  await expect(page.locator('[name=name]')).toBeVisible()
  for (const hidden of ['nickname', 'biography', 'gender', 'birthdate', 'region', 'locale', 'picture'])
    await expect(page.locator(`[name=${hidden}]`)).toHaveCount(0)
})

test('shows the sentences of rules in the words of the brand, in English and in its own language', async ({ page }) => {
  const { accountUrl } = await startBranded({ TEAMS: 'open' })
  await signUp(page, accountUrl, '/console/new-team')
  await page.locator('[name=name]').fill('Boat House')
  await page.locator('#team-create').click()
  await page.waitForURL(/\/console\/teams\//)
  await page.goto(`${page.url()}/new-app?kind=api`)
  for (const [language, words] of [
    ['English', 'Name needs 1 to 80 characters.'],
    ['français', 'doit avoir de 1 à 80 caractères'],
  ] as const) {
    await page.getByRole('button', { name: language }).click()
    await page.locator('#api-register').click()
    await expect(page.locator('#name-problem')).toContainText(words)
  }
})

test('says from which city a device signed in, in the language of the page', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'cities-'))
  undo.push(async () => rmSync(folder, { recursive: true }))
  const CITIES_FILE = join(folder, 'cities.mmdb')
  const entry = { city: { names: { en: 'Brussels', fr: 'Bruxelles' } }, country: { iso_code: 'BE' } }
  writeMmdb(CITIES_FILE, { '193.0.6.0/24': entry }, new Date())
  const { accountUrl } = await startBranded({ CITIES_FILE, TRUST_PROXY: '127.0.0.1,::1', LANGUAGES: 'fr,ja' })
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': '193.0.6.139' })
  await signUp(page, accountUrl, '/account/security')
  for (const path of ['/account/security', '/account/activity', '/account']) {
    await page.goto(accountUrl + path)
    await expect(page.locator('main')).toContainText('Bruxelles, Belgique (approximate)')
  }
})

test('serves a picture only as an image in a sandbox', async () => {
  const { accountUrl } = await startBranded()
  const get = async (path: string) => {
    const answer = await fetch(`${accountUrl}${path}`)
    return { status: answer.status, header: (name: string) => answer.headers.get(name) }
  }
  const logo = await get('/brand/logo.svg')
  expect([logo.status, logo.header('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(logo.header('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
  expect(logo.header('x-content-type-options')).toBe('nosniff')
  for (const path of [
    '/brand/',
    '/brand/tokens.css',
    '/brand/..%2Ftokens.css',
    '/brand/constructor',
    '/brand/__proto__',
  ])
    expect([path, (await get(path)).status]).toEqual([path, 404])
})
