import type { Page } from '@playwright/test'

/** Fills in the sign-in page and submits it. */
export async function signIn(page: Page, person: { username: string; password: string }) {
  await page.locator('[name=username]').fill(person.username)
  await page.locator('[name=password]').fill(person.password)
  await page.locator('#signin-submit').click()
}
