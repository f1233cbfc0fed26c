import { messagesFor } from '#lib/text/messages'
import { arrive } from './arrive.ts'
import { expect, expectAccessible, test, withAndWithoutScript } from './postern.ts'

const texts = messagesFor('en')

test('downloads one file on a double click, and another one soon after', async ({ page, postern }) => {
  await arrive(page, postern, '/account/data')
  const files: string[] = []
  page.on('download', (download) => files.push(download.suggestedFilename()))
  const button = page.locator('#data-download')
  await button.dblclick()
  await expect(button).toHaveText(texts.data.download.busy)
  await expect(button).toHaveText(texts.data.download.submit, { timeout: 5000 })
  expect(files).toHaveLength(1)
  await button.click()
  await expect.poll(() => files).toHaveLength(2)
})

withAndWithoutScript(() => {
  test('leads from a request that waits for a deletion to another account and back to the app', async ({
    page,
    postern,
  }) => {
    const { username } = await arrive(page, postern, '/account/data/delete')
    await page.locator('#confirm').fill(username)
    await page.locator('#account-delete').click()
    await expect(page.getByText(/^Your account will be deleted on /)).toBeVisible()
    await expect(page.getByRole('button', { name: texts.choose.cancel })).toHaveCount(0)
    const start = async () => {
      await page.goto(postern.demoUrl)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByText(texts.account.leaving.app)).toBeVisible()
    }
    await start()
    await expectAccessible(page)
    await page.getByRole('button', { name: texts.choose.cancel }).click()
    await expect(page.getByRole('heading', { name: 'You cancelled' })).toBeVisible()
    expect(page.url()).toContain('error=access_denied')
    await start()
    await page.getByRole('button', { name: texts.choose.other }).click()
    await expect(page.locator('[name=username]')).toBeVisible()
    expect(new URL(page.url()).searchParams.get('request')).toBeTruthy()
  })
})
