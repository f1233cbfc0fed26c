import type { Page } from '@playwright/test'
import { readCode, readLetter } from './binding.ts'
import { addAuthenticator } from './devices.ts'
import { inPairs } from './in-pairs.ts'
import { expect, expectAccessible, problem, test, withAndWithoutScript } from './postern.ts'
import { password, signUp } from './sign-in.ts'

/** Binds an address on the account pages; the browser then shows the page that asks for the code. */
async function askForCode(page: Page, address: string) {
  await page.goto('/account/email/change')
  await page.locator('[name=address]').fill(address)
  await page.locator('#email-submit').click()
}

const confirm = async (page: Page, address: string) => {
  await page.locator('[name=code]').fill(inPairs(await readCode(page, address)))
  await page.locator('#code-submit').click()
  await page.waitForURL(/\/account\/email$/)
}

withAndWithoutScript(() => {
  test('undoes a change of the address from the old inbox, and not when that inbox is lost', async ({
    page,
    postern,
  }) => {
    const username = await signUp(page, postern.accountUrl, '/account/email')
    const [first, second] = [`${username}@old.example.org`, `${username}@new.example.org`]
    await askForCode(page, first)
    await expect(page.locator('[name=lost]')).toHaveCount(0)
    await confirm(page, first)

    await askForCode(page, second)
    await expect(page.getByText(`from ${first} to ${second}`)).toBeVisible()
    await expectAccessible(page)
    await confirm(page, second)
    await expect(page.getByText('For 7 days, the link in that e-mail can undo the change.')).toBeVisible()

    const link = new URL(/http\S+undo-email\S+/.exec(await readLetter(page, first))?.[0] ?? '')
    await page.goto(link.pathname + link.search)
    await expect(page.locator('main')).toContainText('g•••@o•••.org to g•••@n•••.org')
    await expectAccessible(page)
    await page.locator('[name=password]').fill('not my password')
    await page.locator('#undo-submit').click()
    await expect(problem(page)).toContainText('This isn’t the password of this account')
    await expectAccessible(page)
    await page.locator('[name=password]').fill(password)
    await page.locator('#undo-submit').click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Your old address is back')
    await expectAccessible(page)
    // The undo signs no one in, and ends the session that made the change.
    await page.goto('/account/email')
    await page.locator('[name=username]').fill(username)
    await page.locator('[name=password]').fill(password)
    await page.locator('#signin-submit').click()
    await expect(page.locator('main')).toContainText(first)
    await page.goto(link.pathname + link.search)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('This link no longer works')
    await expectAccessible(page)

    await page.goto('/account/email/remove')
    await page.locator('[name=lost]').check()
    await expectAccessible(page)
    await page.locator('#email-remove').click()
    await expect(page.getByText('without a link that undoes the change')).toBeVisible()
    expect(await readLetter(page, first)).not.toContain('undo-email')
  })
})

test('undoes a change with a passkey from before it', async ({ page, postern }) => {
  const username = await signUp(page, postern.accountUrl, '/account/email')
  const [first, second] = [`${username}@old.example.org`, `${username}@new.example.org`]
  await askForCode(page, first)
  await confirm(page, first)
  await addAuthenticator(page)
  await page.goto('/account/security/passkeys')
  await page.locator('[data-passkey] button').click()
  await expect(page.getByRole('status').filter({ visible: true }).first()).toBeVisible()
  await expect(page.locator('main summary')).toHaveCount(1)
  await askForCode(page, second)
  await confirm(page, second)
  const link = /http\S+undo-email\S+/.exec(await readLetter(page, first))?.[0] ?? ''
  await page.goto(link)
  await page.locator('[data-passkey] button').click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Your old address is back')
})
