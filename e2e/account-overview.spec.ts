import { messagesFor } from '#lib/text/messages'
import { arrive } from './arrive.ts'
import { expect, expectAccessible, test, withAndWithoutScript } from './postern.ts'

const texts = messagesFor('en').overview

withAndWithoutScript(() => {
  test.describe('on a phone', () => {
    test.use({ viewport: { width: 390, height: 844 } })

    test('opens on the overview with one next step, and shows the title and the section of each page at once', async ({
      page,
      postern,
    }) => {
      await arrive(page, postern)
      await expect(page.getByRole('heading', { name: texts.safety.stuck })).toBeVisible()
      await expectAccessible(page)
      for (const section of ['', '/profile', '/email', '/security', '/apps', '/activity', '/data']) {
        await page.goto(`/account${section}`)
        await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 })
        await expect(page.locator('nav [aria-current=page]')).toHaveAttribute('href', `/account${section}`)
        await expect(page.locator('nav [aria-current=page]')).toBeInViewport({ ratio: 1 })
      }
      await page.goto('/account')
      await expect(page.getByRole('listitem').filter({ hasText: texts.safety.codes.name })).toContainText(
        texts.safety.codes.none,
      )
      await page.getByRole('link', { name: texts.safety.codes.action }).click()
      await page.locator('#codes-make').click()
      await expect(page.locator('ol code')).toHaveCount(10)
      await expectAccessible(page)
      await page.emulateMedia({ media: 'print' })
      await expect(page.locator('ol code').first()).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toBeHidden()
      await expect(page.locator('#codes-kept')).toBeHidden()
      // These parts have a border or a background, which would be printed.
      await expect(page.getByRole('status')).toBeHidden()
      await expect(page.getByRole('banner')).toBeHidden()
      await page.emulateMedia({ media: null })
      await page.locator('#codes-kept').click()
      await page.goto('/account')
      await expect(page.getByRole('heading', { name: texts.safety.better })).toBeVisible()
      await expect(page.getByRole('link', { name: texts.safety.passkey.action })).toBeVisible()
    })
  })
})

test('copies and prints recovery codes, one in each line', async ({ page, postern, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await arrive(page, postern, '/account/security/codes')
  await page.locator('#codes-make').click()
  await page.getByRole('button', { name: 'Copy' }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.trim().split('\n')).toEqual(await page.locator('ol code').allTextContents())
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await page.getByRole('button', { name: 'Print' }).click()
  await expect(page.locator('body[data-printed]')).toHaveCount(1)
})
