import type { Page } from '@playwright/test'
import { becomeOperator } from './operators.ts'
import { expect, expectAccessible, test } from './postern.ts'
import { ServerProcess } from './server-process.ts'
import { newcomer, signUp } from './sign-in.ts'

test.use({ settings: { DEMO: '1', TEAMS: 'open', SENSITIVE_SCOPES: 'review' } })

/** Registers a browser app that asks for the gender; returns the path of its page. */
async function registerApp(page: Page): Promise<string> {
  await page.goto('/console/new-team')
  await page.locator('[name=name]').fill(`Garden ${newcomer()}`)
  await page.locator('#team-create').click()
  await page.goto(`${page.url()}/new-app?kind=public`)
  await page.locator('[name=name]').fill('Rose Diary')
  await page.locator('[name=redirect_uris]').fill('https://rose.example/callback')
  const gender = page.locator('[name=scopes][value=gender]')
  if (!(await gender.isVisible())) await page.locator('summary').first().click()
  await gender.check()
  await page.locator('#app-register').click()
  await page.getByRole('heading', { level: 1, name: 'Rose Diary' }).waitFor()
  return new URL(page.url()).pathname
}

test('opens every page to an operator with a passkey, who approves a scope and closes the app', async ({
  page,
  postern,
}) => {
  const operator = await becomeOperator(page, postern)
  const app = await registerApp(page)
  await expect(page.getByText('The app can’t ask for these yet: gender.')).toBeVisible()
  await page.goto('/admin')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('People')
  const sections = page.getByRole('navigation', { name: 'Sections for operators' }).getByRole('link')
  for (const name of await sections.allTextContents()) {
    await sections.filter({ hasText: name }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name.replace(/ \(.*/, ''))
    await expectAccessible(page)
  }
  await page.goto('/admin/scopes')
  const card = page.locator('section').filter({ hasText: app.split('/').at(-1) ?? '' })
  await card.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('status')).toContainText('The scopes are approved')
  await page.goto(app)
  await expect(page.getByText('The app can’t ask for these yet')).toHaveCount(0)
  await expect(page.locator('#app-scope')).toContainText('gender')
  await page.goto(`/admin/apps/${app.split('/').at(-1)}`)
  await page.locator('[name=reason]').fill('an example')
  await page.locator('#app-state').click()
  await expect(page.getByRole('status')).toContainText('The app is closed')
  await page.goto('/admin/record')
  await expect(page.getByRole('listitem').filter({ hasText: `${operator} approved scopes of` })).toContainText('gender')
  await page.goto(`${app}/settings`)
  await expect(page.getByText('The operator of this service closed it.')).toBeVisible()
})

test('asks an operator with a password alone for a second factor', async ({ page, postern }) => {
  const username = await signUp(page, postern.accountUrl, '/account')
  expect((await page.goto('/admin'))?.status()).toBe(404)
  await postern.cli('operator', 'add', username)
  await page.goto('/admin/record')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Operators need a second factor')
  await expectAccessible(page)
})

test('answers 404 outside ADMIN_NETWORKS', async ({ page }) => {
  const server = await ServerProcess.start({ DEMO: '0', ADMIN_NETWORKS: '10.0.0.0/8' })
  await becomeOperator(page, server)
  for (const path of ['/admin', '/admin/scopes', '/admin/invitations', '/admin/record', '/admin/second-factor'])
    expect((await page.goto(`${server.accountUrl}${path}`))?.status()).toBe(404)
  await server.remove()
})
