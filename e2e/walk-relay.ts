import { whenRelayHas } from './hide-from-app.ts'
import type { Walk } from './walker.ts'

/** Visits the relay addresses of the person, who hides their address from the demo app, in every state. */
export async function walkRelay({ page, server, keep, username }: Walk) {
  await page.goto('/account/hide-my-email')
  await keep('hide-my-email')
  await page.locator('main h2 a').first().click()
  await keep('relay-address')
  await page.locator('#alias-switch').click()
  await keep('relay-address-off')
  await page.locator('#alias-switch').click()
  await page.locator('button[commandfor=alias-share-dialog]').first().click()
  await keep('relay-address-share')
  await page.locator('#alias-share').click()
  await page.locator('#alias-hide').waitFor()
  await keep('relay-address-regular')
  await page.locator('#alias-hide').click()
  await page.locator('button[commandfor=alias-share-dialog]').first().waitFor()
  const pause = (mailPausedAt: Date | null) =>
    whenRelayHas(server, (prisma) => prisma.person.update({ where: { username }, data: { mailPausedAt } }))
  await pause(new Date())
  await page.goto('/account/hide-my-email')
  await keep('hide-my-email-paused')
  await page.locator('#email-confirm').click()
  await keep('account-email-confirm')
  await pause(null)
}
