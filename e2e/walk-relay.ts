import { whenRelayHas } from './hide-from-app.ts'
import type { Walk } from './walker.ts'

/** Visits the relay addresses of the person, who hides their address from the demo app, in every state. */
export async function walkRelay(walk: Walk) {
  const { page, server, keep, username } = walk
  await page.goto('/account/hide-my-email')
  await keep('hide-my-email')
  await page.locator('main h2 a').first().click()
  await keep('relay-address')
  await page.locator('[name=label]').fill('x'.repeat(61))
  await page.locator('#alias-words').click()
  await keep('relay-address-label-too-long')
  await page.locator('[name=label]').fill('Garden shop')
  await page.locator('[name=note]').fill('Orders and the newsletter.')
  await page.locator('#alias-words').click()
  await page.goto('/account/hide-my-email?q=garden')
  await keep('hide-my-email-found')
  await page.goto('/account/hide-my-email?q=nothing')
  await keep('hide-my-email-not-found')
  await page.goto('/account/hide-my-email')
  await page.locator('main h2 a').first().click()
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
  await makeByHand(walk)
  const pause = (mailPausedAt: Date | null) =>
    whenRelayHas(server, (prisma) => prisma.person.update({ where: { username }, data: { mailPausedAt } }))
  await pause(new Date())
  await page.goto('/account/hide-my-email')
  await keep('hide-my-email-paused')
  await page.locator('#email-confirm').click()
  await keep('account-email-confirm')
  await pause(null)
}

/** Makes an address for a site that is no app, and deletes it. */
async function makeByHand({ page, server, keep, username }: Walk) {
  await page.goto('/account/hide-my-email')
  await page.locator('#alias-new').click()
  await keep('relay-address-new')
  await page.locator('#alias-make').click()
  await keep('relay-address-new-empty')
  await page.locator('#label').fill('Garden shop')
  await page.locator('#alias-make').click()
  await keep('relay-address-by-hand')
  await page.goto('/account/hide-my-email')
  await keep('hide-my-email-by-hand')
  await page.getByRole('link', { name: 'Garden shop' }).first().click()
  await page.locator('button[commandfor=alias-delete-dialog]').first().click()
  await keep('relay-address-delete')
  await page.locator('#alias-delete').click()
  await keep('relay-address-deleted')
  const spent = Array.from({ length: 50 }, (_, at) => `spent${at}`)
  await whenRelayHas(server, async (prisma) => {
    const { id: personId } = await prisma.person.findUniqueOrThrow({ where: { username } })
    const alike = { personId, byHand: true, label: 'Spent', createdAt: new Date() }
    await prisma.alias.createMany({ data: spent.map((address) => ({ address, ...alike })) })
  })
  await page.goto('/account/hide-my-email/new')
  await keep('relay-address-new-full')
  await whenRelayHas(server, (prisma) => prisma.alias.deleteMany({ where: { address: { in: spent } } }))
}
