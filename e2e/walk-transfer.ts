import type { Walk } from './walker.ts'

/** Visits the pages about APIs, and offers an app to a second team of the person. */
export async function walkTransfer(walk: Walk, team: string) {
  await apis(walk, team)
  await transfer(walk, team)
}

async function apis({ page, keep }: Walk, team: string) {
  await page.goto(`${team}/apis`)
  await keep('console-apis-empty')
  await page.goto(`${team}/new-app?kind=api`)
  await page.locator('[name=identifier]').fill('http://orders')
  await page.locator('#api-register').click()
  await keep('console-new-api-problems')
  await page.locator('[name=identifier]').fill(`https://orders.example${team}`)
  await page.locator('[name=name]').fill('Orders')
  await page.locator('[name=scopes]').fill('orders.read\norders.write')
  await page.locator('#api-register').click()
  await keep('console-api-registered')
  await page.goto(`${team}/apis`)
  await keep('console-apis')
}

async function transfer({ page, keep, username }: Walk, team: string) {
  await page.goto('/console/new-team')
  await page.locator('[name=name]').fill(`Harvest of ${username}`)
  await page.locator('#team-create').click()
  const harvest = new URL(page.url()).pathname
  await page.goto(team)
  await page.locator('main ul h2 a').last().click()
  await page.goto(`${page.url()}/transfer`)
  await page.locator('input[name=to]').fill('no-team')
  await page.locator('#app-offer').click()
  await keep('console-transfer-problem')
  await page.locator('input[name=to]').fill('')
  await page.locator('[name=to_own]').selectOption(harvest.split('/').at(-1) ?? '')
  await page.locator('#app-offer').click()
  await keep('console-transfer-offered')
  await page.goto(harvest)
  await keep('console-team-offer')
  await page.locator('a[href*="/offers/"]').click()
  await keep('console-offer')
  // A team with an app would keep the person's account from being deleted later.
  await page.locator('#offer-decline').click()
  await keep('console-offer-declined')
}
