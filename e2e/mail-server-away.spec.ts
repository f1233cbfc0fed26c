import { comeWithoutAddress } from './binding.ts'
import { expect, expectAccessible, problem, test } from './postern.ts'

// No mail server listens on this port.
test.use({ settings: { SMTP_URL: 'smtp://127.0.0.1:9' } })

test('reports a failed e-mail, logs no address, and offers no inbox', async ({ page, postern }) => {
  const { address } = await comeWithoutAddress(page, postern)
  await page.locator('[name=address]').fill(address)
  await page.locator('#bind-submit').click()
  await expect(problem(page)).toContainText('couldn’t send')
  await expectAccessible(page)
  expect(postern.logs()).toContain('a letter could not be sent')
  expect(postern.logs()).not.toContain(address)
  const nodes = [postern, ...postern.peers]
  const metrics = await Promise.all(nodes.map(async ({ metricsUrl }) => (await page.request.get(metricsUrl)).text()))
  expect(metrics.join('')).toContain('postern_letters_total{letter="codeToBind",outcome="failed"} 1')
  expect((await page.goto('/dev/inbox'))?.status()).toBe(404)
})
