import type { Page } from '@playwright/test'
import { arrive } from './arrive.ts'
import { expect, test } from './postern.ts'
import { faultsOf } from './tasks/zoom.ts'
import { requestOf } from './walker.ts'

/** Returns the two buttons in the window: their edges, and whether a finger on the middle of one hits it. */
const buttons = (page: Page) =>
  page.locator('#consent-allow, #consent-deny').evaluateAll((all) =>
    all.map((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect()
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return { left, right, top, bottom, isHit: hit !== null && one.contains(hit) }
    }),
  )

type Edges = Awaited<ReturnType<typeof buttons>>[number]

const areApart = (one: Edges, other: Edges) =>
  one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top

async function expectInReach(page: Page, size: { width: number; height: number }) {
  const all = await buttons(page)
  expect(all).toHaveLength(2)
  const [first, second] = all as [Edges, Edges]
  expect(areApart(first, second)).toBe(true)
  for (const { left, right, top, bottom, isHit } of all)
    expect([left >= 0, right <= size.width, top >= 0, bottom <= size.height, isHit]).toEqual(Array(5).fill(true))
}

/** `stays` lists scroll positions, as shares of the whole way, at which the buttons are at the lower edge of the window. */
const sizes = [
  { width: 390, height: 844, stays: [0, 0.5] },
  { width: 320, height: 640, stays: [0, 0.5] },
  // A phone on its side, where the choices begin below the window.
  { width: 844, height: 390, stays: [0.5] },
  // What a window of 1280 × 860 pixels shows at 400 %: too low for buttons that stay.
  { width: 320, height: 215, stays: [] },
]

for (const { stays, ...size } of sizes) {
  test.describe(`${size.width} × ${size.height}`, () => {
    test.use({ viewport: size })

    test('keeps both buttons of the consent page in reach, and covers nothing', async ({ page, postern }) => {
      await arrive(page, postern)
      await page.goto(`${postern.issuer}/oauth2/authorize?${requestOf(postern)}`)
      await expect(page.locator('#consent-allow')).toBeAttached()
      const end = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
      expect(end).toBeGreaterThan(0)
      for (const part of stays) {
        await page.evaluate((y) => scrollTo(0, y), end * part)
        await expectInReach(page, size)
      }
      await page.locator('#consent-deny').scrollIntoViewIfNeeded()
      await page.locator('#consent-allow').scrollIntoViewIfNeeded()
      await expectInReach(page, size)
      // Reaches every control by focus: none is hidden behind the bar.
      expect(await faultsOf(page)).toEqual([])
    })
  })
}
