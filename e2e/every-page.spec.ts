import type { Page } from '@playwright/test'
import { looks } from './looks.ts'
import { expect, expectAccessible, test } from './postern.ts'
import { problemsReadAloud } from './read-aloud.ts'
import { walkEverywhere } from './walk.ts'

const scriptBudget = 15 * 1024

/** What moved on this page without anybody touching it (Layout Instability, https://wicg.github.io/layout-instability/). */
const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        let sum = 0
        const add = (list: PerformanceObserverEntryList) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) sum += entry.value
        }
        new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
      }),
  )

/** The bytes of the scripts a page runs, and whether all of them are ours. */
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

// A desk by day and a phone by night are for every change, all four for changes of how things look (EVERY_LOOK=1).
const walked = Object.entries(looks).slice(0, process.env.EVERY_LOOK ? undefined : 2)

for (const [look, options] of walked) {
  test.describe(look, () => {
    test.use(options)

    test('every page and state is accessible, can be read aloud, is as wide as the screen, still, light, and in its language', async ({
      page,
      postern,
    }) => {
      // Some sixty pages.
      test.setTimeout(600_000)
      const keep = async (name: string) => {
        if (name.startsWith('demo-app')) return
        await test.step(name, async () => {
          await expect(page.locator('html')).toHaveAttribute('lang', options.locale)
          const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          expect([name, Math.max(wider, 0), await shiftOf(page)]).toEqual([name, 0, 0])
          const { bytes, foreign } = await scriptsOf(page)
          expect([name, foreign, bytes <= scriptBudget]).toEqual([name, [], true])
          // Letters of the same minute can be alike in all that a list tells of them.
          if (name !== 'inbox') expect([name, await problemsReadAloud(page)]).toEqual([name, []])
          await expectAccessible(page)
        })
      }
      await walkEverywhere({ page, server: postern, keep, username: `walker-${look.toLowerCase()}`.slice(0, 32) })
    })
  })
}
