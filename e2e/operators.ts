import type { Page } from '@playwright/test'
import { addAuthenticator } from './devices.ts'
import type { ServerProcess } from './server-process.ts'
import { newcomer } from './sign-in.ts'

/** Signs up with a passkey, which is two factors, and becomes an operator. */
export async function becomeOperator(page: Page, server: ServerProcess) {
  await addAuthenticator(page)
  const username = newcomer()
  await page.goto(`${server.accountUrl}/signup?to=/account`)
  await page.locator('[name=username]').fill(username)
  await page.locator('[data-passkey] button').click()
  await page.waitForURL(/\/signup\/codes/)
  await page.locator('#codes-kept').click()
  await page.waitForURL(/\/account$/)
  await server.cli('operator', 'add', username)
  return username
}
