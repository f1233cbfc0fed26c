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
      await page.getByRole('link', { name: texts.safety.codes.action }).click()
      await page.locator('#codes-make').click()
      await page.locator('#codes-kept').click()
      await page.goto('/account')
      await expect(page.getByRole('heading', { name: texts.safety.better })).toBeVisible()
      await expect(page.getByRole('link', { name: texts.safety.passkey.action })).toBeVisible()
    })
  })
})
