import { randomBytes } from 'node:crypto'
import { demoPerson } from '#lib/server/demo/seed'
import { addAuthenticator } from './devices.ts'
import { signIn } from './sign-in.ts'
import { password, type Walk } from './walker.ts'

/** Visits the pages of operators as a new person with a passkey, and the pages that the reset of factors adds for others. */
export async function walkAdmin(walk: Walk) {
  const { page, keep, server, username } = walk
  await server.cli('operator', 'add', username)
  await page.goto('/admin')
  await keep('admin-second-factor')
  await server.cli('operator', 'remove', username, '--last')
  const remove = await addAuthenticator(page)
  const operator = `gate-${[...randomBytes(8)].map((byte) => 'abcdefghjkpqstuxyz234'[byte % 21]).join('')}`
  await page.goto('/signup?to=/admin')
  await page.locator('[name=username]').fill(operator)
  await page.locator('[data-passkey] button').click()
  await page.waitForURL(/\/signup\/codes/)
  await server.cli('operator', 'add', operator)
  await page.locator('#codes-kept').click()
  await page.waitForURL(/\/admin$/)
  await people(walk)
  await teams(walk)
  await scopes(walk)
  await invitations(walk)
  await page.goto('/admin/failures')
  await keep('admin-failures')
  await page.goto('/admin/system')
  await keep('admin-system')
  await page.goto('/admin/record')
  await keep('admin-record')
  await remove()
  await asTheirOwner(walk)
  await server.cli('operator', 'remove', operator, '--last')
  await page.goto(`/signin?to=/account&as=other`)
  await signIn(page, { username, password })
  await page.waitForURL(/\/account$/)
}

async function people({ page, keep }: Walk) {
  await keep('admin-people')
  await page.locator('[name=q]').fill('no one has this name')
  await page.locator('#search-submit').click()
  await keep('admin-people-none')
  await page.goto(`/admin?q=${demoPerson.username}`)
  await page.getByRole('link', { name: demoPerson.username, exact: true }).click()
  await keep('admin-person')
  await page.locator('summary').first().click()
  await page.locator('#act-unlock').click()
  await keep('admin-person-problem')
  await page.locator('details:has(#act-reset_factors) summary').click()
  await page.locator('#reason-reset_factors').fill('lost phone')
  await page.locator('#act-reset_factors').click()
  await keep('admin-person-reset')
}

/** Closes the demo team and the demo app, and opens them again. */
async function teams({ page, keep }: Walk) {
  await page.goto('/admin/teams')
  await keep('admin-teams')
  await page.locator('[name=q]').fill('demo')
  await page.locator('#search-submit').click()
  await keep('admin-teams-found')
  await page.goto('/admin/teams/demo-team')
  await keep('admin-team')
  for (const name of ['admin-team-closed', 'admin-team-opened']) {
    await page.locator('[name=reason]').fill('an example')
    await page.locator('#team-state').click()
    await page.locator('[role=status]').waitFor()
    await keep(name)
  }
  await page.goto('/admin/apps/demo-app')
  await keep('admin-app')
  await page.locator('#app-state').click()
  await keep('admin-app-problem')
  for (const name of ['admin-app-closed', 'admin-app-opened']) {
    await page.locator('[name=reason]').fill('an example')
    await page.locator('#app-state').click()
    await page.locator('[role=status]').waitFor()
    await keep(name)
  }
}

/** Asks for a sensitive scope in a team of the operator, and refuses it without a reason. */
async function scopes({ page, keep, username }: Walk) {
  await page.goto('/admin/scopes')
  await keep('admin-scopes-empty')
  await page.goto('/console/new-team')
  await page.locator('[name=name]').fill(`Roses of ${username}`)
  await page.locator('#team-create').click()
  await page.goto(`${page.url()}/new-app?kind=public`)
  await page.locator('[name=name]').fill('Rose Diary')
  await page.locator('[name=redirect_uris]').fill('https://rose.example/callback')
  const gender = page.locator('[name=scopes][value=gender]')
  if (!(await gender.isVisible())) await page.locator('summary').first().click()
  await gender.check()
  await page.locator('#app-register').click()
  await page.getByRole('heading', { level: 1, name: 'Rose Diary' }).waitFor()
  await keep('console-app-waiting')
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await page.goto('/admin/scopes')
  await keep('admin-scopes')
  const form = page.locator('form').filter({ has: page.locator(`[value="${id}"]`) })
  await form.locator('[value=refuse]').click()
  await keep('admin-scopes-problem')
  await form.locator('[name=reason]').fill('an example')
  await form.locator('[value=refuse]').click()
  await keep('admin-scopes-refused')
}

async function invitations({ page, keep }: Walk) {
  await page.goto('/admin/invitations')
  await keep('admin-invitations')
  await page.locator('[name=days]').fill('0')
  await page.locator('#invitation-make').click()
  await keep('admin-invitations-problem')
  await page.locator('[name=days]').fill('14')
  await page.locator('#invitation-make').click()
  await keep('admin-invitation-made')
}

/** Reads the letter about the reset, and cancels the reset by its link. */
async function asTheirOwner({ page, keep }: Walk) {
  await page.goto('/signin?to=/account/activity&as=other')
  await signIn(page, demoPerson)
  await page.waitForURL(/\/account\/activity$/)
  await keep('account-reset-waits')
  await page.goto('/dev/inbox')
  await page.getByRole('listitem').filter({ hasText: 'will be removed' }).first().getByRole('link').click()
  const letter = (await page.locator('pre').textContent()) ?? ''
  const { pathname, search } = new URL(/http\S+keep-factors\S+/.exec(letter)?.[0] ?? 'http://none')
  await page.goto(pathname + search)
  await keep('keep-factors')
  await page.locator('#keep-factors').click()
  await keep('keep-factors-kept')
  await page.goto('/keep-factors?key=old')
  await keep('keep-factors-over')
}
