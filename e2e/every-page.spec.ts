import type { Page } from '@playwright/test'
import { wrongFocus } from './first-field.ts'
import { focusProblems } from './keyboard-focus.ts'
import { shiftsOf } from './layout-shift.ts'
import { looks } from './looks.ts'
import { expect, expectAccessible, problem, test } from './postern.ts'
import { problemsReadAloud } from './read-aloud.ts'
import { walkEverywhere } from './walk.ts'

const scriptBudget = 15 * 1024
// Without compression. The styles of all pages together weigh 62 kB; a page loads those of its area (app/_ui/base-styles.ts).
const styleBudget = { bytes: 40_000, files: 5 }

/** Returns the bytes of the page's scripts and the scripts from other origins. */
const scriptsOf = (page: Page) =>
  page.evaluate(() => {
    const loaded = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
      ({ initiatorType }) => initiatorType === 'script',
    )
    const inline = [...document.scripts].reduce((sum, { textContent }) => sum + (textContent ?? '').length, 0)
    return {
      bytes: inline + loaded.reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0),
      foreign: loaded.filter(({ name }) => new URL(name).origin !== location.origin).map(({ name }) => name),
    }
  })

/** Returns the bytes and the number of the page's style sheets. */
const stylesOf = (page: Page) =>
  page.evaluate(() => {
    const loaded = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ name }) =>
      new URL(name).pathname.endsWith('.css'),
    )
    return { bytes: loaded.reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0), files: loaded.length }
  })

test.use({ settings: { DEMO: '1', TEAMS: 'open', SENSITIVE_SCOPES: 'review' } })

// Every run walks as a dark Japanese phone, and looks at each state as a light desktop too. EVERY_LOOK=1 walks in all four
// looks, for changes of the design. Axe and the accessibility tree take most of the time, so without EVERY_LOOK=1 each state
// gets one of them on the phone and the other on the desktop.
const everyLook = process.env.EVERY_LOOK === '1'
const [desktop, phone] = ['desktop-light-en', 'phone-dark-ja'] as const
const walked = Object.entries(looks).filter(([look]) => everyLook || look === phone)

/** Returns by how many pixels the page is wider than the window. */
const excess = (page: Page) => page.evaluate(() => Math.max(document.documentElement.scrollWidth - innerWidth, 0))

/** Checks a state in the size and the colours of a desktop, and returns to the phone. */
async function asDesktop(page: Page, check: () => Promise<void>) {
  const resize = async ({ viewport, colorScheme }: (typeof looks)[keyof typeof looks]) => {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
  }
  await resize(looks[desktop])
  await check()
  await resize(looks[phone])
}

test.describe.configure({ mode: 'parallel' })

for (const [look, options] of walked) {
  test.describe(look, () => {
    test.use(options)

    test('meets the rules for every page and state: axe, screen reader, width, layout shift, size of scripts and styles, and language', async ({
      page,
      postern,
    }) => {
      // The walk visits about two hundred states, which takes four to ten minutes.
      test.setTimeout(1_500_000)
      let visits = 0
      const keep = async (name: string) => {
        if (name.startsWith('demo-app')) return
        await test.step(name, async () => {
          // A click returns before the styles of the next page have arrived, and without them any page is too wide.
          await page.waitForLoadState()
          await expect(page.locator('html')).toHaveAttribute('lang', options.locale)
          expect([name, await excess(page), await shiftsOf(page)]).toEqual([name, 0, []])
          expect.soft([name, page.url(), await wrongFocus(page)]).toEqual([name, page.url(), []])
          // A page whose title says that something is wrong also says what.
          if (/^(Error|エラー|错误|錯誤)[:：]/.test(await page.title())) {
            const said = problem(page).or(page.locator('main [role=status]'))
            await expect(said.filter({ visible: true }).first()).toBeVisible()
          }
          const { bytes, foreign } = await scriptsOf(page)
          expect([name, foreign, bytes <= scriptBudget]).toEqual([name, [], true])
          const styles = await stylesOf(page)
          expect([name, styles.bytes <= styleBudget.bytes, styles.files <= styleBudget.files]).toEqual([
            name,
            true,
            true,
          ])
          // The inbox is exempt: e-mails of the same minute can have the same sender, subject and time, so their links
          // read alike.
          const readAloud = async () => {
            if (name !== 'inbox') expect([name, await problemsReadAloud(page)]).toEqual([name, []])
          }
          const axe = () => expectAccessible(page)
          const keyboard = async () =>
            expect.soft([name, page.url(), await focusProblems(page)]).toEqual([name, page.url(), []])
          const [here, there] = ++visits % 2 === 0 ? [axe, readAloud] : [readAloud, axe]
          await here()
          if (everyLook) await there()
          else
            await asDesktop(page, async () => {
              expect([name, await excess(page)]).toEqual([name, 0])
              await there()
            })
          await keyboard()
        })
      }
      await walkEverywhere({ page, server: postern, keep, username: `walker-${look.toLowerCase()}`.slice(0, 32) })
    })
  })
}
