import type { Walk } from './walker.ts'

/** Visits the code of an app and a sign-in that is tried: its start, its result, and a refusal. */
export async function walkTry({ page, keep }: Walk, team: string) {
  await page.goto(team)
  await page.getByRole('link', { name: 'Garden planner' }).click()
  const app = page.url()
  await page.goto(`${app}/connect`)
  await keep('console-connect')
  // Auth.js has a redirect URI of its own, which the app has not registered.
  await page.goto(`${app}/connect?library=auth-js`)
  await keep('console-connect-other-uri')
  await page.goto(`${app}/try`)
  await keep('console-try')
  await page.locator('#try-start').click()
  await page.locator('#consent-allow').click()
  await page.locator('#try-id-token').waitFor()
  await keep('console-try-result')
  await page.locator('[name=prompt]').selectOption('consent')
  await page.locator('#try-start').click()
  await page.locator('#consent-deny').click()
  await page.locator('#try-cause').waitFor()
  await keep('console-try-failed')
}
