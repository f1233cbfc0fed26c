import { expect, expectAccessible, problem, test } from './postern.ts'
import { ServerProcess } from './server-process.ts'

test('asks for the invitation with SIGNUP=invite and offers no new accounts with SIGNUP=off', async ({ page }) => {
  // The test starts two servers.
  test.slow()
  for (const [signup, fields] of [
    ['invite', 1],
    ['off', 0],
  ] as const) {
    const server = await ServerProcess.start({ SIGNUP: signup })
    await page.goto(`${server.accountUrl}/signup?to=/account`)
    await expect(page.locator('[name=invitation]')).toHaveCount(fields)
    await expect(page.locator('#signup-submit')).toHaveCount(fields)
    // The drawing of the error pages.
    await expect(page.locator('main svg[viewBox="0 0 440 350"]')).toHaveCount(1 - fields)
    await expectAccessible(page)
    if (signup === 'invite') {
      await page.locator('[name=username]').fill('somebody')
      await page.locator('#signup-submit').click()
      await expect(problem(page)).toContainText('Enter your invitation code')
      await expectAccessible(page)
      await page.goto(`${server.accountUrl}/signin?to=/account`)
    } else {
      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
      await expect(page).toHaveURL(`${server.accountUrl}/signin?to=%2Faccount`)
    }
    await expect(page.getByRole('link', { name: 'Create account' })).toHaveCount(fields)
    await server.remove()
  }
})
