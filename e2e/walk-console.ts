import type { Page } from '@playwright/test'
import { demoPerson } from '#lib/server/demo/seed'
import { signIn } from './sign-in.ts'
import { walkApi } from './walk-api.ts'
import { walkDomains } from './walk-proof.ts'
import { walkTeamApps } from './walk-team-apps.ts'
import { walkTransfer } from './walk-transfer.ts'
import { walkTry } from './walk-try.ts'
import { password, type Walk } from './walker.ts'

/** Visits the console: a team is made, registers apps, invites a second person, and is handed over to them. */
export async function walkConsole(walk: Walk) {
  const team = await newTeam(walk)
  const link = await inviting(walk)
  await joining(walk, link)
  await managing(walk, team)
  await walkDomains(walk, team)
  await walkApi(walk, team)
  await walkTeamApps(walk, team)
  await walkTry(walk, team)
  await walkTransfer(walk, team)
  await handingOver(walk, team)
}

async function newTeam({ page, keep, username }: Walk): Promise<string> {
  await page.goto('/console')
  await keep('console-empty')
  await page.goto('/console/new-team')
  await keep('console-new-team')
  await page.locator('[name=name]').fill('Official Support')
  await page.locator('#team-create').click()
  await keep('console-new-team-problem')
  await page.locator('[name=name]').fill(`Garden of ${username}`)
  await page.locator('#team-create').click()
  await keep('console-team-created')
  return new URL(page.url()).pathname
}

/** Makes an invitation link, and returns it. */
async function inviting({ page, keep, username }: Walk): Promise<string> {
  await page.goto(`${page.url()}/members`)
  await keep('console-members')
  await page.locator('[name=address]').fill('no address')
  await page.locator('#invite-submit').click()
  await keep('console-invite-problem')
  await page.locator('[name=address]').fill(`friend-of-${username}@example.org`)
  await page.locator('#invite-submit').click()
  await keep('console-invited')
  await page.locator('#invite-submit').click()
  await page.locator('#invitation-link').waitFor()
  await keep('console-invitation-link')
  return (await page.locator('#invitation-link').textContent()) ?? ''
}

async function joining({ page, keep }: Walk, link: string) {
  const { pathname, search } = new URL(link)
  await page.goto(link)
  await keep('console-join-member')
  await page.context().clearCookies({ name: 'postern-session' })
  await page.goto(link)
  await keep('console-join-visitor')
  await switchTo(page, demoPerson, pathname + search)
  await keep('console-join')
  await page.locator('#join-submit').click()
  await keep('console-joined')
  await page.goto(`${page.url()}/members`)
  await keep('console-members-as-developer')
  await page.goto(link)
  await keep('console-join-over')
}

async function managing({ page, keep, username }: Walk, team: string) {
  await switchTo(page, { username, password }, '/console')
  await keep('console-teams')
  await page.goto(`${team}/settings`)
  await keep('console-settings')
  await page.locator('[name=name]').fill('')
  await page.locator('#team-rename').click()
  await keep('console-settings-problem')
  await page.goto('/account/data/delete')
  await keep('account-data-delete-team')
}

/** Makes the second person an owner, and leaves. */
async function handingOver({ page, keep }: Walk, team: string) {
  await page.goto(`${team}/members`)
  const member = page.getByRole('listitem').filter({ hasText: demoPerson.username })
  await member.locator('summary').click()
  await keep('console-member-change')
  await member.locator('select').selectOption('owner')
  await member.locator('form').first().getByRole('button').click()
  await keep('console-role-changed')
  await page.goto(`${team}/activity`)
  await keep('console-activity')
  await page.goto(`${team}/settings`)
  await page.locator('[commandfor=team-leave-dialog]').first().click()
  await keep('console-leave')
  await page.locator('#team-leave').click()
  await keep('console-left')
}

async function switchTo(page: Page, person: { username: string; password: string }, path: string) {
  await page.goto(`/signin?${new URLSearchParams({ to: path, as: 'other' })}`)
  await signIn(page, person)
  await page.waitForURL((url) => url.pathname === new URL(path, 'http://x').pathname)
}
