import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'

/** Fills in the sign-in page and submits it. */
export async function signIn(page: Page, person: { username: string; password: string }) {
  await page.locator('[name=username]').fill(person.username)
  await page.locator('[name=password]').fill(person.password)
  await page.locator('#signin-submit').click()
}

export const password = 'the gate stands ajar'

/** Returns a new username, because the tests share a server. No two of its characters look alike. */
export const newcomer = () => `guest-${[...randomBytes(10)].map((byte) => 'abcdefghjkpqstuxyz234'[byte % 21]).join('')}`

/** Creates an account and returns its username; the browser is signed in. */
export async function signUp(page: Page, accountUrl: string, to = '/account/security') {
  const username = newcomer()
  await page.goto(`${accountUrl}/signup?${new URLSearchParams({ to })}`)
  await page.locator('[name=username]').fill(username)
  await page.locator('[name=password]').fill(password)
  await page.locator('#signup-submit').click()
  await page.waitForURL((url) => url.pathname === to)
  return username
}
