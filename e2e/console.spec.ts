import type { Browser, Page } from '@playwright/test'
import { expect, expectAccessible, problem, test, withAndWithoutScript } from './postern.ts'
import { ServerProcess } from './server-process.ts'
import { newcomer, password, signUp } from './sign-in.ts'

test.use({ settings: { DEMO: '0', TEAMS: 'open' } })

/** Opens a page in a browser of another person. */
const openOther = async (browser: Browser, javaScriptEnabled: boolean | undefined) =>
  (await browser.newContext({ javaScriptEnabled: javaScriptEnabled ?? true })).newPage()

/** Signs a newcomer up, who makes a team from the navigation of the account; returns the team's address and name. */
async function makeTeam(page: Page, accountUrl: string) {
  await signUp(page, accountUrl, '/account')
  await page.getByRole('link', { name: 'Developers' }).click()
  const name = `Garden ${newcomer()}`
  await page.getByLabel('Name of the team').fill(name)
  await page.getByRole('button', { name: 'Create team' }).click()
  await expect(page.getByText('The team was created')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Garden')
  return { url: page.url(), name }
}

async function invite(page: Page, role: string, address = '') {
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByLabel(role, { exact: true }).check()
  await page.getByLabel('E-mail address').fill(address)
  await page.getByRole('button', { name: 'Invite' }).click()
}

/** Accepts an invitation as a newcomer, who signs up on the way. */
async function acceptAsNewcomer(page: Page, link: string) {
  await page.goto(link)
  await page.getByRole('link', { name: 'Create account' }).click()
  const username = newcomer()
  await page.locator('[name=username]').fill(username)
  await page.locator('[name=password]').fill(password)
  await page.locator('#signup-submit').click()
  await page.getByRole('button', { name: 'Join the team' }).click()
  await expect(page.getByText('You joined the team')).toBeVisible()
  return username
}

withAndWithoutScript(() => {
  test('invites a second person by a link that is shown once, and hands the team over', async ({
    page,
    browser,
    postern,
    javaScriptEnabled,
  }) => {
    const team = await makeTeam(page, postern.accountUrl)
    await invite(page, 'Developer')
    const link = (await page.locator('#invitation-link').textContent()) ?? ''
    expect(link).toMatch(/\/console\/join\?key=[\w-]{43}$/)
    const other = await openOther(browser, javaScriptEnabled)
    await other.goto(link)
    await expect(other.getByRole('heading', { level: 1 })).toContainText('Join Garden')
    await expect(other.getByText('You’re invited as: Developer.')).toBeVisible()
    const username = await acceptAsNewcomer(other, link)
    await other.getByRole('link', { name: 'Members' }).click()
    await expect(other.getByRole('button', { name: 'Invite' })).toHaveCount(0)
    await other.goto(link)
    await expect(other.getByRole('heading', { name: 'This invitation can’t be used' })).toBeVisible()
    await expect(other.locator('main svg[viewBox="0 0 440 350"]')).toBeVisible()

    await page.goto(`${team.url}/members`)
    await expect(page.getByText('You’re the only owner.')).toBeVisible()
    const row = page.getByRole('listitem').filter({ hasText: username })
    await row.locator('summary').click()
    await row.getByLabel('Role').selectOption('owner')
    await row.getByRole('button', { name: 'Save role' }).click()
    await expect(page.getByText('The role was changed')).toBeVisible()
    await expect(page.locator('#invitation-link')).toHaveCount(0)
    await page.getByRole('link', { name: 'Leave the team' }).click()
    await page.getByRole('button', { name: 'Leave the team…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave the team' }).click()
    await expect(page.getByText('You left the team')).toBeVisible()
    const gone = await page.goto(team.url)
    expect(gone?.status()).toBe(404)
    await expect(page.getByText(team.name)).toHaveCount(0)

    await other.goto(`${team.url}/activity`)
    const lines = other
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: other.locator('time') })
    await expect(lines).toContainText([
      'left the team',
      `changed the role of ${username}`,
      `${username} joined by invitation`,
      'made an invitation link',
      'created the team',
    ])
    await expect(lines.nth(1)).toContainText('Role: Developer → Owner')
    await other.context().close()
  })

  test('invites by letter, and withdraws an invitation', async ({ page, browser, postern, javaScriptEnabled }) => {
    const team = await makeTeam(page, postern.accountUrl)
    const address = `${newcomer()}@example.org`
    await invite(page, 'Viewer', address)
    await expect(page.getByText('The invitation was sent')).toBeVisible()
    const letters = page.getByRole('listitem').filter({ hasText: address })
    // The letter is sent after the answer, so the inbox may be opened before it arrives.
    await expect(async () => {
      await page.goto('/dev/inbox')
      await expect(letters.first()).toBeVisible({ timeout: 500 })
    }).toPass()
    await letters.first().getByRole('link').click()
    const letter = (await page.locator('pre').textContent()) ?? ''
    expect(letter).toContain(team.name)
    const link = /http\S+\/console\/join\?key=[\w-]{43}/.exec(letter)?.[0] ?? ''
    const other = await openOther(browser, javaScriptEnabled)
    await acceptAsNewcomer(other, link)

    await page.goto(team.url)
    await invite(page, 'Owner')
    const second = (await page.locator('#invitation-link').textContent()) ?? ''
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await expect(page.getByText('The invitation was withdrawn')).toBeVisible()
    await other.goto(second)
    await expect(other.getByRole('heading', { name: 'This invitation can’t be used' })).toBeVisible()
    await other.context().close()
  })

  test('does not delete the account of the only owner, and names the team', async ({ page, browser, postern }) => {
    const team = await makeTeam(page, postern.accountUrl)
    await invite(page, 'Developer')
    const link = (await page.locator('#invitation-link').textContent()) ?? ''
    const other = await openOther(browser, true)
    await acceptAsNewcomer(other, link)
    await other.context().close()
    await page.goto('/account/data/delete')
    await expect(page.getByText('You’re the only owner.')).toBeVisible()
    await expect(page.locator('#account-delete')).toHaveCount(0)
    await page.getByRole('link', { name: team.name }).click()
    await expect(page.getByRole('heading', { name: 'Members' })).toBeVisible()
  })
})

test('answers 404 for the pages of another team, and of no team', async ({ page, browser, postern }) => {
  const team = await makeTeam(page, postern.accountUrl)
  const other = await openOther(browser, true)
  await signUp(other, postern.accountUrl, '/account')
  for (const path of ['', '/members', '/activity', '/settings']) {
    const answer = await other.goto(`${team.url}${path}`)
    expect([path, answer?.status()]).toEqual([path, 404])
    expect(await other.content()).not.toContain(team.name)
  }
  for (const path of ['teams', 'teams/%25', 'teams/__proto__', `teams/${'x'.repeat(5000)}`, 'teams/a/b'])
    expect([path, (await other.goto(`${postern.accountUrl}/console/${path}`))?.status()]).toEqual([path, 404])
  for (const query of ['', '?key=', '?key=x&key=y', `?key=${'x'.repeat(5000)}`, '?key=%00']) {
    await other.goto(`${postern.accountUrl}/console/join${query}`)
    await expect(other.getByRole('heading', { name: 'This invitation can’t be used' })).toBeVisible()
  }
  await other.context().close()
})

test('is closed with TEAMS=off but to members, and asks for a code with TEAMS=invite', async ({ page }) => {
  // The test starts two servers.
  test.slow()
  const closed = await ServerProcess.start({ DEMO: '1' })
  const member = await signUp(page, closed.accountUrl, '/account')
  await expect(page.getByRole('link', { name: 'Developers' })).toHaveCount(0)
  for (const path of ['/console', '/console/new-team'])
    expect((await page.goto(`${closed.accountUrl}${path}`))?.status()).toBe(404)
  await closed.cli('team', 'member', 'demo-team', member, 'owner')
  await page.goto(`${closed.accountUrl}/account`)
  await page.getByRole('link', { name: 'Developers' }).click()
  await expect(page.getByRole('link', { name: 'New team' })).toHaveCount(0)
  await page.getByRole('link', { name: 'The Demo Team' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'demo-app' })).toContainText('Server with a secret')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Activity' }).click()
  await expect(page.getByText(`The operator added ${member}`)).toBeVisible()
  expect((await page.goto(`${closed.accountUrl}/console/new-team`))?.status()).toBe(404)
  await closed.remove()

  const invited = await ServerProcess.start({ DEMO: '0', TEAMS: 'invite' })
  await signUp(page, invited.accountUrl, '/account')
  await page.goto(`${invited.accountUrl}/console/new-team`)
  await page.getByLabel('Name of the team').fill('Garden')
  await page.getByRole('button', { name: 'Create team' }).click()
  await expect(problem(page)).toContainText('Enter the invitation code.')
  await expectAccessible(page)
  const { code } = JSON.parse(await invited.cli('invite', 'create', '--team'))
  await page.getByLabel('Invitation code').fill(code.toUpperCase().replaceAll('-', ' '))
  await page.getByRole('button', { name: 'Create team' }).click()
  await expect(page.getByText('The team was created')).toBeVisible()
  await invited.remove()
})
