import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { arrive } from './arrive.ts'
import { shiftsOf } from './layout-shift.ts'
import { expect, test } from './postern.ts'

/** Serves the page in two parts with a pause between them, and sends the browser to Postern for everything else. */
async function serveInParts(html: string, accountUrl: string) {
  const server = createServer(async ({ url = '' }, response) => {
    const [, cut] = /^\/until\/(\d+)$/.exec(url) ?? []
    if (!cut) {
      response.writeHead(307, { Location: accountUrl + url }).end()
      return
    }
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).write(html.slice(0, Number(cut)))
    // A browser paints within this time. If it did not, the test would find nothing, and it would not fail.
    await sleep(150)
    response.end(html.slice(Number(cut)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

const withoutBlocking = (html: string) => html.replace(/<link rel="expect"[^>]*>/, '')

for (const viewport of [
  { width: 1280, height: 860 },
  { width: 390, height: 780 },
]) {
  test.describe(`${viewport.width} pixels`, () => {
    test.use({ viewport })

    test('moves nothing when the rest of the footer arrives later, also where a browser shows parts of a page', async ({
      page,
      postern,
    }) => {
      const html = withoutBlocking(await (await fetch(`${postern.accountUrl}/recover`)).text())
      const footer = /<footer[\s\S]*<\/footer>/.exec(html)
      const buttons = [...(footer?.[0] ?? '').matchAll(/<button/g)]
      expect(buttons.length).toBeGreaterThan(5)
      const slow = await serveInParts(html, postern.accountUrl)
      for (const { index } of buttons) {
        await page.goto(`${slow.url}/until/${(footer?.index ?? 0) + index}`)
        await expect(page.locator('footer')).toBeVisible()
        expect(await shiftsOf(page)).toEqual([])
      }
      slow.close()
    })
  })
}

test('moves nothing when the rest of the page arrives later', async ({ page, postern }) => {
  await arrive(page, postern, '/account/activity')
  const html = await (await page.request.get(page.url())).text()
  const [from, to] = [html.indexOf('<main'), html.indexOf('<h1')]
  const tags = [...html.slice(from, to).matchAll(/<[a-z]/g)]
  expect(tags.length).toBeGreaterThan(10)
  const slow = await serveInParts(html, postern.accountUrl)
  for (const { index } of tags) {
    await page.goto(`${slow.url}/until/${from + index}`)
    expect(await shiftsOf(page)).toEqual([])
  }
  slow.close()
})
