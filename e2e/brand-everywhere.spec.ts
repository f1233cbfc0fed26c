import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { readColour, toHex } from '#lib/brand/tokens/colour'
import { usualColours } from '#lib/brand/tokens/usual-tokens'
import { arrive } from './arrive.ts'
import { expect, test } from './postern.ts'
import { walkEverywhere } from './walk.ts'

const settings = {
  BRAND_DIR: join(import.meta.dirname, '../deploy/brand'),
  SERVICE_NAME: 'Riverbank',
  DEMO: '1',
  TEAMS: 'open',
  SENSITIVE_SCOPES: 'review',
}
test.use({ settings, viewport: { width: 900, height: 700 }, colorScheme: 'light' })

const numberOf = (hex: string) => Number.parseInt(hex.slice(1), 16)
/** The colours of our light look that the example replaces, in the order of usualColours. */
const ours = (['ground', 'surface', 'green', 'green-fill', 'green-fill-over', 'green-wash', 'ink'] as const).map(
  (name) => [name, numberOf(toHex(readColour(usualColours[name][0]) ?? [0, 0, 0]))] as const,
)
const theirs = { ground: '#f4f6fb', button: '#123f8a', logo: '#123f8a' }

/** Returns how often each colour occurs in a picture. */
async function coloursOf(picture: Buffer): Promise<Map<number, number>> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const counts = new Map<number, number>()
  for (let at = 0; at < data.length; at += info.channels) {
    const colour = data.readUIntBE(at, 3)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  return counts
}

/** Returns what a page has of ours: words besides the small print, marks, drawings and colours. */
async function oursOn(page: Page): Promise<string[]> {
  await page.waitForLoadState('load')
  const found = await page.evaluate(() => {
    const texts = (document.body.textContent ?? '').replace('Runs on Postern', '')
    const words = [document.title, ...(texts.match(/.{0,40}Postern.{0,20}/g) ?? [])].filter((one) =>
      /Postern/.test(one),
    )
    // Our mark and our drawing are the only SVG of these sizes.
    const drawn = document.querySelectorAll('svg[viewBox="0 0 32 32"], svg[viewBox="0 0 440 350"], img[src^="/icon"]')
    const icon = document.querySelector('link[rel=icon]')?.getAttribute('href') ?? ''
    return [
      ...words,
      ...[...drawn].map((one) => one.outerHTML.slice(0, 80)),
      ...(icon.startsWith('/icon') ? [icon] : []),
    ]
  })
  const colours = await coloursOf(await page.screenshot({ animations: 'disabled', caret: 'hide' }))
  const colour = ours.filter(([, one]) => (colours.get(one) ?? 0) > 0).map(([name]) => name)
  // A dialog lays a veil over the ground.
  const isVeiled = (await page.locator('dialog[open]').count()) > 0
  const hasGround = isVeiled || (colours.get(numberOf(theirs.ground)) ?? 0) > 1000
  return [...found, ...colour, ...(hasGround ? [] : ['the ground is not the brand’s'])]
}

/** Returns how many pixels of a part of the page have a colour. */
const pixelsOf = async (page: Page, part: string, colour: string) =>
  (await coloursOf(await page.locator(part).first().screenshot())).get(numberOf(colour)) ?? 0

test('shows the logo and the colours of the brand, and its name in the docs', async ({ page, postern }) => {
  await page.goto(`${postern.accountUrl}/signin?to=/account`)
  expect(await pixelsOf(page, 'header img', theirs.logo)).toBeGreaterThan(50)
  expect(await pixelsOf(page, '#signin-submit', theirs.button)).toBeGreaterThan(1000)
  await arrive(page, postern, '/console')
  for (const name of ['integrate', 'clients', 'console', 'standards', 'specification']) {
    await page.goto(`${postern.accountUrl}/console/docs/${name}`)
    expect([name, await oursOn(page)]).toEqual([name, []])
  }
  await page.goto(`${postern.accountUrl}/console/docs/integrate`)
  await expect(page.locator('article')).toContainText('Riverbank sends the person back with a one-time code')
  // Code inside bold text is code, too.
  await expect(page.locator('article strong code').filter({ hasText: /^state$/ })).toHaveCount(1)
})

test('shows nothing of ours but the small print in every page and state', async ({ page, postern }) => {
  test.setTimeout(600_000)
  const found: Record<string, string[]> = {}
  const keep = async (name: string) => {
    // The demo app is a site of its own.
    if (name.startsWith('demo-app')) return
    const all = await oursOn(page)
    if (all.length > 0) found[name] = all
  }
  await walkEverywhere({ page, server: postern, keep, username: 'brand-walker' })
  expect(found).toEqual({})
})
