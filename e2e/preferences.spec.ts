import { messagesFor } from '#lib/text/messages'
import { arrive } from './arrive.ts'
import { expect, test } from './postern.ts'
import { signIn } from './sign-in.ts'

test('shows the language and the appearance that a person chose in their other browsers', async ({
  page,
  postern,
  browser,
}) => {
  const person = await arrive(page, postern)
  const other = await (await browser.newContext({ locale: 'zh-TW' })).newPage()
  await other.goto(`${postern.accountUrl}/signin?to=/account`)
  await expect(other.locator('html')).toHaveAttribute('lang', 'zh-TW')
  await signIn(other, person)
  await other.waitForURL(/\/account$/)
  await page.getByRole('button', { name: '日本語', exact: true }).click()
  await page.getByRole('button', { name: messagesFor('ja').shell.dark, exact: true }).click()
  await other.reload()
  await expect(other.locator('html')).toHaveAttribute('lang', 'ja')
  await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark')
  await other.context().close()
})

test.describe('in Tokyo, in British English', () => {
  test.use({ timezoneId: 'Asia/Tokyo', locale: 'en-GB' })

  test('writes times in the time zone of the browser, and dates as its region does', async ({ page, postern }) => {
    await arrive(page, postern, '/account/activity')
    const time = page.locator('main time').first()
    const moment = new Date((await time.getAttribute('datetime')) ?? '')
    const said = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'long', timeZone: 'Asia/Tokyo' })
    await expect(time).toHaveAttribute('title', said.format(moment))
    await expect(page.getByText(messagesFor('en').activity.utc)).toHaveCount(0)
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })
})
