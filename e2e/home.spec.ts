import { locales } from '../lib/web/locales.ts'
import { messagesFor } from '../lib/web/messages.ts'
import { expect, expectAccessible, test, withAndWithoutScript } from './postern.ts'

for (const locale of locales) {
  const { home, fault } = messagesFor(locale)
  test.describe(locale, () => {
    test.use({ locale })
    withAndWithoutScript(() => {
      test('the home page speaks the language of the browser and is accessible', async ({ page }) => {
        const answer = await page.goto('/')
        expect(answer?.status()).toBe(200)
        await expect(page.locator('html')).toHaveAttribute('lang', locale)
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(home.title)
        await expectAccessible(page)
      })

      test('a page that is not there says so with status 404, and is accessible', async ({ page }) => {
        const answer = await page.goto('/no/such/page')
        expect(answer?.status()).toBe(404)
        await expect(page.getByRole('heading', { name: fault.notFound.title })).toBeVisible()
        await expectAccessible(page)
      })
    })
  })
}
