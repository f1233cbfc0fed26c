import type { Page } from '@playwright/test'
import { locales, messagesFor } from '#lib/text/messages'
import { arrive } from './arrive.ts'
import { expect, expectAccessible, test } from './postern.ts'

const texts = messagesFor('en')
const status = (page: Page) => page.locator('main [role=status] p').first()

test('reaches everything with the keyboard alone, in visual order', async ({ page, postern }) => {
  await arrive(page, postern, '/account/profile')
  const stops: string[] = []
  for (let press = 0; press < 40; press++) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate(() => {
      const { activeElement: at } = document
      return at?.id || at?.getAttribute('href') || at?.getAttribute('value') || ''
    })
    stops.push(at)
    if (at === 'profile-save') break
  }
  const sections = [
    '/account',
    '/account/profile',
    '/account/email',
    '/account/hide-my-email',
    '/account/security',
    '/account/apps',
    '/account/activity',
    '/account/data',
  ]
  const fields = [
    'username',
    'name',
    'nickname',
    'biography',
    'birthdate',
    'gender',
    'region',
    'locale',
    'profile-save',
  ]
  const expected = ['#content', '/', '/logout', ...sections, 'picture-change', ...fields]
  // A date field has one focus stop for each of its parts.
  expect(stops.filter((stop, index) => stop !== stops[index - 1])).toEqual(expected)
  await page.locator('#name').focus()
  await page.keyboard.press('Enter')
  await expect(status(page)).toHaveText(texts.profile.unchanged)
})

test.describe('on a small phone', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  test('cuts nothing off and never scrolls sideways, in any language', async ({ page, postern, context }) => {
    const { username } = await arrive(page, postern, '/account/profile')
    await page.locator('#name').fill('W'.repeat(80))
    await page.locator('#profile-save').click()
    for (const locale of locales) {
      await context.addCookies([{ name: 'postern_language', value: locale, url: postern.accountUrl }])
      for (const path of [
        '/account',
        '/account/hide-my-email/new',
        '/account/profile',
        '/account/activity',
        '/account/data',
        '/account/data/delete',
      ]) {
        await page.goto(path)
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect([locale, path, Math.max(wider, 0)]).toEqual([locale, path, 0])
        await expect(page.locator('html')).toHaveAttribute('lang', locale)
        await expectAccessible(page)
      }
    }
    expect(username).toBeTruthy()
  })
})

test('returns to the requested page after a first or a repeated sign-in', async ({ page, postern }) => {
  await page.goto(`${postern.accountUrl}/account/activity`)
  expect(new URL(page.url()).searchParams.get('to')).toBe('/account/activity')
  await arrive(page, postern, '/account/activity')
  await expect(page.getByText(texts.activity.kinds.signed_in)).toBeVisible()
  await page.getByRole('link', { name: texts.activity.filter.sign_ins }).click()
  await expect(page.getByText(texts.activity.kinds.signed_in)).toBeVisible()
  await page.getByRole('link', { name: texts.activity.filter.apps }).click()
  await expect(page.getByText(texts.activity.noneOfKind)).toBeVisible()
  await page.goto('/account/activity?before=2020-01-01T00:00:00.000Z')
  await expect(page.getByText(texts.activity.noEarlier)).toBeVisible()
  await expectAccessible(page)
})

test('shows names with markup as plain text everywhere', async ({ page, postern }) => {
  await arrive(page, postern, '/account/profile')
  const name = '<img src=x onerror="document.title=1">{t}'
  await page.locator('#name').fill(name)
  await page.locator('#profile-save').click()
  await expect(status(page)).toHaveText(texts.profile.saved)
  await expect(page.locator('main bdi').first()).toHaveText(name)
  await page.goto('/')
  await expect(page.getByText(name)).toBeVisible()
  await expect(page).not.toHaveTitle('1')
})
