import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { addAuthenticator, readApp } from './devices.ts'
import { expect, expectAccessible, test, withAndWithoutScript } from './postern.ts'
import { signIn } from './sign-in.ts'

const password = 'the gate stands ajar'

/** Returns a new username, because the tests share a server. No two of its characters look alike. */
const newcomer = () => `guest-${[...randomBytes(10)].map((byte) => 'abcdefghjkpqstuxyz234'[byte % 21]).join('')}`

async function beginAtDemo(page: Page, demoUrl: string) {
  await page.goto(demoUrl)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function signUp(page: Page, accountUrl: string, to = '/account/security') {
  const username = newcomer()
  await page.goto(`${accountUrl}/signup?${new URLSearchParams({ to })}`)
  await page.locator('[name=username]').fill(username)
  await page.locator('[name=password]').fill(password)
  await page.locator('#signup-submit').click()
  await page.waitForURL((url) => url.pathname === to)
  return username
}

withAndWithoutScript(() => {
  test('creates an account on the way to the demo app and signs in to the app', async ({ page, postern }) => {
    await beginAtDemo(page, postern.demoUrl)
    await page.getByRole('link', { name: 'Create account' }).click()
    await expectAccessible(page)
    await page.locator('[name=username]').fill('adm1n')
    await page.locator('[name=password]').fill('password1')
    await page.locator('#signup-submit').click()
    await expect(page.getByRole('alert')).toContainText('is reserved')
    await expectAccessible(page)
    await page.locator('[name=username]').fill(newcomer())
    await page.locator('[name=password]').fill(password)
    await page.locator('#signup-submit').click()
    await page.locator('#consent-allow').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Hello/)
  })

  test('turns on an authenticator app, requires it, and accepts a recovery code instead', async ({ page, postern }) => {
    const username = await signUp(page, postern.accountUrl)
    await page.getByRole('link', { name: 'Turn on' }).click()
    await expectAccessible(page)
    const show = await readApp(page)
    await page.locator('[name=code]').fill('000')
    await page.locator('#totp-submit').click()
    await expect(page.getByRole('alert')).toBeVisible()
    await expectAccessible(page)
    await page.locator('[name=code]').fill(show(0))
    await page.locator('#totp-submit').click()
    await expect(page.getByRole('heading', { name: 'Save these recovery codes' })).toBeVisible()
    await expectAccessible(page)
    const [code = ''] = await page.locator('ol code').allInnerTexts()
    const file = await page.request.get(`${postern.accountUrl}/account/security/codes/download`)
    expect(await file.text()).toContain(code)
    await page.locator('#codes-kept').click()
    await expect(page.getByText(/On since/)).toBeVisible()
    await expectAccessible(page)
    await page.goto(`${postern.accountUrl}/signin?to=/account/security`)
    await signIn(page, { username, password })
    await expectAccessible(page)
    await page.locator('[name=code]').fill('999999')
    await page.locator('#two-factor-submit').click()
    await expectAccessible(page)
    await page.locator('[name=code]').fill(show(1))
    await page.locator('#two-factor-submit').click()
    await expect(page).toHaveURL(`${postern.accountUrl}/account/security`)
    await page.goto(`${postern.accountUrl}/signin?to=/account/security`)
    await signIn(page, { username, password })
    await page.locator('[name=code]').fill(code)
    await page.locator('#two-factor-submit').click()
    await expect(page.getByText('9 of 10 left')).toBeVisible()
  })

  test('recovers the account with a recovery code and a new password', async ({ page, postern }) => {
    const username = await signUp(page, postern.accountUrl, '/account/security/codes')
    await page.locator('#codes-make').click()
    const [code = ''] = await page.locator('ol code').allInnerTexts()
    await page.context().clearCookies()
    await page.goto(`${postern.accountUrl}/signin?to=/account/security`)
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByRole('link', { name: 'Use a recovery code instead' }).click()
    await expectAccessible(page)
    await page.locator('[name=login]').fill(username)
    await page.locator('[name=code]').fill('zzzz-zzzz-zzzz')
    await page.locator('#recover-by-code-submit').click()
    await expect(page.getByRole('alert')).toContainText('Wrong username or recovery code')
    await expectAccessible(page)
    await page.locator('[name=code]').fill(code.toUpperCase())
    await page.locator('#recover-by-code-submit').click()
    await page.locator('[name=password]').fill('another gate, another key')
    await page.locator('form button[type=submit]').first().click()
    await expect(page.getByRole('heading', { name: 'Is all of this yours?' })).toBeVisible()
    await expect(page.getByText('1 other device is signed out')).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Replace the recovery codes').check()
    await page.locator('#review-submit').click()
    await expect(page.locator('ol code')).toHaveCount(10)
    await expect(page.getByText('A passkey is your only way to sign in')).toHaveCount(0)
    await page.locator('#codes-kept').click()
    await expect(page).toHaveURL(`${postern.accountUrl}/account/security`)
    await expect(page.getByText('10 of 10 left')).toBeVisible()
  })

  test('changes the password and signs other browsers out', async ({ page, postern, browser }) => {
    const username = await signUp(page, postern.accountUrl)
    const other = await browser.newPage()
    await other.goto(`${postern.accountUrl}/signin?to=/account/security`)
    await signIn(other, { username, password })
    await expect(other.getByRole('button', { name: 'Sign out', exact: true })).toHaveCount(1)
    await expect(other.getByRole('listitem').filter({ hasText: 'This browser' })).toContainText('the server itself')
    await page.goto(`${postern.accountUrl}/.well-known/change-password`)
    await expectAccessible(page)
    await page.locator('[name=password]').fill('another gate, another key')
    await page.locator('#password-submit').click()
    await expect(page.getByRole('status').first()).toContainText('Your password was saved')
    await expectAccessible(page)
    await other.reload()
    await expect(other).toHaveURL(/\/signin\?/)
    await other.close()
  })

  test('chooses one of two accounts of the browser', async ({ page, postern }) => {
    const first = await signUp(page, postern.accountUrl)
    const second = await signUp(page, postern.accountUrl)
    await page.goto(`${postern.accountUrl}/choose?to=/account/security`)
    await expectAccessible(page)
    await expect(page.getByRole('button', { name: second })).toBeVisible()
    await page.getByRole('button', { name: first }).click()
    await expect(page).toHaveURL(`${postern.accountUrl}/account/security`)
    await expect(page.getByText(first).first()).toBeVisible()
    await page.goto(`${postern.accountUrl}/choose?to=/account/security`)
    await page.getByRole('button', { name: 'Use another account' }).click()
    await expect(page.locator('[name=username]')).toHaveValue('')
  })
})

test('checks a username that was typed before the script loaded', async ({ page, postern }) => {
  const typed = Promise.withResolvers<void>()
  await page.route('**/sign-up.js', async (route) => {
    await typed.promise
    await route.continue()
  })
  await page.goto(`${postern.accountUrl}/signup`, { waitUntil: 'commit' })
  await page.locator('[name=username]').fill(newcomer())
  typed.resolve()
  await expect(page.getByText('This username is available.')).toBeVisible()
})

test('clears the error of a rejected username after the correction', async ({ page, postern }) => {
  await page.goto(`${postern.accountUrl}/signup`)
  const field = page.locator('[name=username]')
  await field.fill('the-admin')
  await page.locator('#signup-submit').click()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await field.fill(newcomer())
  await expect(page.getByText('This username is available.')).toBeVisible()
  await expect(field).not.toHaveAttribute('aria-invalid')
  await expect(page.locator('#username-problem')).toBeHidden()
})

test('creates an account with a passkey and recovery codes, signs in with it, and confirms the person', async ({
  page,
  postern,
}) => {
  await addAuthenticator(page)
  await beginAtDemo(page, postern.demoUrl)
  await page.getByRole('link', { name: 'Create account' }).click()
  const username = newcomer()
  await page.locator('[name=username]').pressSequentially(username)
  await expect(page.getByText('This username is available.')).toBeVisible()
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await expect(page.getByRole('heading', { name: 'Save these recovery codes' })).toBeVisible()
  await expectAccessible(page)
  await page.locator('#codes-kept').click()
  await page.locator('#consent-allow').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Hello/)
  await page.context().clearCookies()
  await page.goto(`${postern.accountUrl}/signin?to=/account/security`)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL(`${postern.accountUrl}/account/security`)
  await expect(page.getByText('Not set. You sign in with a passkey.')).toBeVisible()
  await page.goto(`${postern.accountUrl}/signin?to=/account/security/passkeys&fresh=1`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm it’s you')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Confirm with a passkey' }).click()
  await expect(page).toHaveURL(`${postern.accountUrl}/account/security/passkeys`)
  await page.getByText('Rename or remove').click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await expect(page.getByText('This is your only way to sign in.')).toBeVisible()
  await expectAccessible(page)
})

test('adds a passkey to an account with a password, names it, uses it and removes it', async ({ page, postern }) => {
  await addAuthenticator(page)
  await signUp(page, postern.accountUrl, '/account/security/passkeys')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('The passkey was added')).toBeVisible()
  await page.getByText('Rename or remove').click()
  await page.locator('[name=name]').fill('My little key')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByRole('heading', { name: 'My little key' })).toBeVisible()
  await page.getByText('Rename or remove').click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await expect(page.getByText('The passkey was removed')).toBeVisible()
})

test('signs in with a passkey from the autofill list, without a button', async ({ page, postern }) => {
  await addAuthenticator(page, { autofill: true })
  await signUp(page, postern.accountUrl, '/account/security/passkeys')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('The passkey was added')).toBeVisible()
  await page.context().clearCookies()
  await page.goto(`${postern.accountUrl}/signin?to=/account/security`)
  await expect(page).toHaveURL(`${postern.accountUrl}/account/security`)
})

test('signs up with the keyboard alone', async ({ page, postern }) => {
  await page.goto(`${postern.accountUrl}/signup?to=/account/security`)
  await page.locator('[name=username]').focus()
  await page.keyboard.type(newcomer())
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${postern.accountUrl}/account/security`)
})

test.describe('in Japanese', () => {
  test.use({ locale: 'ja-JP' })

  test('shows the pages in the language on a small phone without sideways scrolling', async ({ page, postern }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    await signUp(page, postern.accountUrl)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('セキュリティ')
    for (const path of ['', '/password', '/passkeys', '/authenticator', '/codes']) {
      await page.goto(`${postern.accountUrl}/account/security${path}`)
      await expect(page.locator('html')).toHaveAttribute('lang', 'ja')
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    }
  })
})
