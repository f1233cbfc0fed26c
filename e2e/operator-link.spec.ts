import { readApp } from './devices.ts'
import { inPairs } from './in-pairs.ts'
import { expect, expectAccessible, test } from './postern.ts'
import { password, signIn, signUp } from './sign-in.ts'

test('announces and removes a second factor by an operator’s link, and signs in with the password alone', async ({
  page,
  postern,
}) => {
  const username = await signUp(page, postern.accountUrl)
  await page.getByRole('link', { name: 'Turn on' }).click()
  const show = await readApp(page)
  await page.locator('[name=code]').fill(inPairs(show(0)))
  await page.locator('#totp-submit').click()
  await page.locator('#codes-kept').click()
  const { url } = JSON.parse(await postern.cli('user', 'reset', username, '--remove-second-factor'))
  await page.goto(url)
  await expect(page.getByText('also removes the authenticator app')).toBeVisible()
  await expectAccessible(page)
  await page.locator('[name=password]').fill(`${password} again`)
  await page.locator('#password-submit').click()
  await page.waitForURL(/\/(account|recover\/review)/)
  await page.goto(`${postern.accountUrl}/signin?to=/account/security`)
  await signIn(page, { username, password: `${password} again` })
  await expect(page).toHaveURL(`${postern.accountUrl}/account/security`)
  // The request for the link may have been an impostor's.
  await page.goto(`${postern.accountUrl}/account/activity`)
  const made = page.getByRole('listitem').filter({ hasText: 'The operator made a link for a new password' })
  await made.getByRole('link', { name: 'This wasn’t me' }).click()
  await expect(page).toHaveURL(/\/account\/activity\/secure\?at=/)
})
