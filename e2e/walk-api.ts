import type { Walk } from './walker.ts'

/** Visits the page of a team's API: tokens are made, shown once and revoked. */
export async function walkApi({ page, keep }: Walk, team: string) {
  await page.goto(`${team}/api`)
  await page.locator('#token-make').click()
  await keep('console-api-problem')
  await page.locator('#name').fill('Deploy robot')
  await page.locator('#token-make').click()
  await page.locator('#api-token').waitFor()
  await keep('console-api-token')
  await page.locator('#registration-name').fill('Robot')
  await page.locator('#registration-make').click()
  await page.locator('#registration-token').waitFor()
  await page.locator('details summary').first().click()
  await keep('console-api-registration-token')
}
