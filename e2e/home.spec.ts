import { locales } from '#lib/text/locales'
import { messagesFor } from '#lib/text/messages'
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

for (const [wish, moves] of [
  ['reduce', false],
  ['no-preference', true],
] as const) {
  test(`with reduced motion: ${wish}, ${moves ? 'changes are eased' : 'nothing moves'}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: wish })
    const durations = new Set<string>()
    for (const path of ['/', '/signin', '/signup', '/dev/ui']) {
      await page.goto(path)
      for (const duration of await page.evaluate(motionOf)) durations.add(duration)
    }
    expect([...durations].some((duration) => duration !== '0s')).toBe(moves)
  })
}

/** How long anything on the page takes to change or to move. */
const motionOf = () =>
  [...document.querySelectorAll('*')]
    .map((element) => getComputedStyle(element))
    .flatMap(({ transitionDuration, animationDuration }) => `${transitionDuration}, ${animationDuration}`.split(', '))
