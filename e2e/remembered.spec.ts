import type { Page } from '@playwright/test'
import { addAuthenticator } from './devices.ts'
import { expect, expectAccessible, test, withAndWithoutScript } from './postern.ts'
import { password, signIn, signUp } from './sign-in.ts'

async function leave(page: Page, accountUrl: string) {
  await page.goto(`${accountUrl}/logout`)
  await page.locator('#logout-confirm').click()
  await page.goto(`${accountUrl}/signin?to=/account/security`)
}

withAndWithoutScript(() => {
  test('remembers accounts after a sign-out, one click and a password away, until they are removed', async ({
    page,
    postern,
  }) => {
    const first = await signUp(page, postern.accountUrl)
    await leave(page, postern.accountUrl)
    await expect(page.locator('[name=username]')).toHaveValue(first)
    await expect(page.locator('[name=password]')).toBeFocused()
    const second = await signUp(page, postern.accountUrl)
    await leave(page, postern.accountUrl)
    await expect(page.locator('[name=username]')).toHaveValue('')
    await page.getByRole('button', { name: first }).first().click()
    await expect(page.locator('[name=username]')).toHaveValue(first)
    await expectAccessible(page)
    await page.locator('[name=password]').fill(password)
    await page.locator('#signin-submit').click()
    await expect(page).toHaveURL(`${postern.accountUrl}/account/security`)
    await leave(page, postern.accountUrl)
    const remove = page.getByRole('button', { name: `Remove ${second}` })
    await expect(remove).toHaveText('Remove')
    await remove.click()
    await expect(page.getByRole('button', { name: `Remove ${first}` })).toBeVisible()
    await expect(page.getByRole('button', { name: second })).toHaveCount(0)
  })

  test('remembers nobody on a shared device', async ({ page, postern }) => {
    const username = await signUp(page, postern.accountUrl)
    await leave(page, postern.accountUrl)
    await page.getByLabel('This is a shared device').check()
    await page.locator('#signin-submit').click()
    await expect(page.getByLabel('This is a shared device')).toBeChecked()
    await signIn(page, { username, password })
    await expect(page).toHaveURL(`${postern.accountUrl}/account/security`)
    await leave(page, postern.accountUrl)
    await expect(page.locator('[name=username]')).toHaveValue('')
    await expect(page.getByRole('button', { name: username })).toHaveCount(0)
  })
})

test('offers a passkey after a sign-in with a password, and skips the offer in this browser', async ({
  page,
  postern,
}) => {
  await addAuthenticator(page)
  const username = await signUp(page, postern.accountUrl)
  await leave(page, postern.accountUrl)
  await signIn(page, { username, password })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in with a passkey next time')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Not now' }).click()
  await expect(page).toHaveURL(`${postern.accountUrl}/account/security`)
  await leave(page, postern.accountUrl)
  await signIn(page, { username, password })
  await expect(page).toHaveURL(`${postern.accountUrl}/account/security`)
  await page.goto(`${postern.accountUrl}/passkey/offer?to=/account/security`)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await expect(page.getByText('1 passkey')).toBeVisible()
})

test('changes nothing when another tab has switched to another account, and shows it nothing', async ({
  page,
  postern,
}) => {
  const first = await signUp(page, postern.accountUrl)
  await signUp(page, postern.accountUrl, '/account/profile')
  await page.locator('[name=nickname]').fill('Second')
  const other = await page.context().newPage()
  await other.goto(`${postern.accountUrl}/choose?to=/account/profile`)
  await other.getByRole('button', { name: first }).click()
  await other.waitForURL(/\/account\/profile$/)
  await page.locator('#profile-save').click()
  await expect(page.getByRole('status').filter({ hasText: 'Nothing was changed' })).toBeVisible()
  await expect(page.locator('[name=nickname]')).toHaveValue('')
  await expect(page.locator('main')).toContainText(first)
  await expectAccessible(page)
  await other.close()
})
