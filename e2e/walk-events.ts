import type { Walk } from './walker.ts'

/** Visits the events of the app on whose pages the walk is: the receiver is registered, verified, paused and removed. */
export async function walkEvents({ page, keep, server }: Walk) {
  const app = new URL(page.url()).pathname.split('/').slice(0, 6).join('/')
  await page.goto(`${app}/events`)
  await keep('console-events-none')
  await page.locator('[name=receiver]').fill('events.garden.example')
  await page.locator('#header-set').check()
  await page.locator('#receiver-save').click()
  await keep('console-events-problems')
  await page.locator('[name=receiver]').fill(`${server.demoUrl}/no-receiver`)
  await page.locator('[name=authorization]').fill('Bearer of-the-garden')
  await page.locator('#receiver-save').click()
  await keep('console-events-registered')
  await page.locator('#receiver-verify').click()
  await page.locator('table').waitFor()
  await keep('console-events-verified')
  await page.locator('#receiver-pause').click()
  await page.locator('[commandfor=receiver-remove-dialog]').first().click()
  await keep('console-events-remove')
  await page.locator('#receiver-remove').click()
}
