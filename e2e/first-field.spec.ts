import { arrive } from './arrive.ts'
import { wrongFocus } from './first-field.ts'
import { expect, test } from './postern.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('opens a page on its first field, and one with choices above the field at its top', async ({ page, postern }) => {
  await arrive(page, postern, '/account/email/change', { email: 'grace@example.org' })
  expect([page.url(), await wrongFocus(page)]).toEqual([page.url(), []])
  await page.locator('[name=address]').fill('hopper@example.org')
  await page.locator('#email-submit').click()
  await page.waitForURL(/\/account\/email\/code$/)
  expect([page.url(), await wrongFocus(page)]).toEqual([page.url(), []])
  await page.goto('/account/data/delete')
  expect([page.url(), await wrongFocus(page)]).toEqual([page.url(), []])
})
