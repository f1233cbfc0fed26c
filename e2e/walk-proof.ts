import type { Walk } from './walker.ts'

/** Visits the domains of a team. DNS of the evaluation does not know them, so a check finds no record. */
export async function walkDomains({ page, keep }: Walk, team: string) {
  await page.goto(`${team}/domain`)
  await keep('console-domain-empty')
  await page.locator('[name=domain]').fill('co.uk')
  await page.locator('#domain-add').click()
  await keep('console-domain-problem')
  await page.locator('[name=domain]').fill('garden.invalid')
  await page.locator('#domain-add').click()
  await page.locator('#domain-1-value').waitFor()
  await keep('console-domain-added')
  await page.locator('#domain-1-check').click()
  await page.locator('[role=alert], [role=status], [id$=-problem]').first().waitFor()
  await keep('console-domain-checked')
}

/** Visits the mail of the app on whose pages the walk is, and gives the app a logo and names. */
export async function walkMailAndLogo({ page, keep }: Walk) {
  const app = new URL(page.url()).pathname.split('/').slice(0, 6).join('/')
  await page.goto(`${app}/mail`)
  await keep('console-mail-empty')
  await page.locator('[name=domain]').fill('mail.garden.invalid')
  await page.locator('#domain-add').click()
  await page.locator('#domain-1-value').waitFor()
  await keep('console-mail-domain')
  await page.goto(`${app}/settings`)
  await page.locator('#logo-change').click()
  await keep('console-logo-problem')
  await page.locator('[name=picture]').setInputFiles('docs/screens/consent.webp')
  await page.locator('#logo-change').click()
  await page.locator('#logo-remove').waitFor()
  await keep('console-logo')
}
