import { expect } from '@playwright/test'
import { requestOf, type Walk } from './walker.ts'

/** Visits the failures of the app whose page is open, and the docs to which they link; returns to the page. */
export async function walkFailures({ page, keep, server }: Walk) {
  const home = page.url()
  const clientId = new URL(home).pathname.split('/').at(-1) ?? ''
  await page.goto(`${home}/failures`)
  await keep('console-failures-empty')
  const redirectUri = 'http://www.garden.example:8443/callback/?next=home'
  await page.goto(
    `${server.issuer}/oauth2/authorize?${requestOf(server, { client_id: clientId, redirect_uri: redirectUri })}`,
  )
  const credentials = Buffer.from(`${clientId}:wrong`).toString('base64')
  await page.request.post(`${server.issuer}/oauth2/token`, {
    headers: { authorization: `Basic ${credentials}` },
    form: { grant_type: 'authorization_code' },
  })
  await expect(async () => {
    await page.goto(`${home}/failures`)
    await expect(page.locator('main li mark').first()).toBeVisible({ timeout: 1000 })
    await expect(page.locator('main li p code', { hasText: 'invalid_client' })).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 20_000 })
  await keep('console-failures')
  await page.locator('a[href*="/console/docs/"]').first().click()
  await keep('console-docs')
  await page.goto(home)
}
