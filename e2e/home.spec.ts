import { locales, messagesFor } from '#lib/text/messages'
import { expect, expectAccessible, test, withAndWithoutScript } from './postern.ts'

for (const locale of locales) {
  const { home, fault } = messagesFor(locale)
  test.describe(locale, () => {
    test.use({ locale })
    withAndWithoutScript(() => {
      test('shows an accessible home page in the language of the browser', async ({ page }) => {
        const answer = await page.goto('/')
        expect(answer?.status()).toBe(200)
        await expect(page.locator('html')).toHaveAttribute('lang', locale)
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(home.title)
        await expectAccessible(page)
      })

      test('answers 404 with an accessible page for an unknown path', async ({ page }) => {
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
  test(`respects prefers-reduced-motion: ${wish} (${moves ? 'eases changes' : 'moves nothing'})`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: wish })
    const durations = new Set<string>()
    for (const path of ['/', '/signin', '/signup', '/dev/ui']) {
      await page.goto(path)
      for (const duration of await page.evaluate(motionOf)) durations.add(duration)
    }
    expect([...durations].some((duration) => duration !== '0s')).toBe(moves)
  })
}

/** Returns the durations of all transitions and animations of the page. */
const motionOf = () =>
  [...document.querySelectorAll('*')]
    .map((element) => getComputedStyle(element))
    .flatMap(({ transitionDuration, animationDuration }) => `${transitionDuration}, ${animationDuration}`.split(', '))
