import { messagesFor } from '#lib/text/messages'
import { arrive } from './arrive.ts'
import { expect, test } from './postern.ts'

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
