import { test } from './postern.ts'
import { newcomer, password } from './sign-in.ts'
import { walkConsole } from './walk-console.ts'

test.use({ settings: { DEMO: '1', TEAMS: 'open' }, javaScriptEnabled: false })

test('works without script: teams, domains, tokens, apps, mail, events, trials and transfers', async ({
  page,
  postern,
}) => {
  test.setTimeout(180_000)
  const username = newcomer()
  await page.goto(`${postern.accountUrl}/signup?to=/console`)
  await page.locator('[name=username]').fill(username)
  await page.locator('[name=password]').fill(password)
  await page.locator('#signup-submit').click()
  await page.waitForURL(/\/console$/)
  // The walk waits for what each step should show.
  await walkConsole({ page, server: postern, keep: async () => undefined, username })
})
