import { arrive } from './arrive.ts'
import { readCode, readLetter } from './binding.ts'
import { readApp } from './devices.ts'
import { inPairs } from './in-pairs.ts'
import { focusProblems } from './keyboard-focus.ts'
import { KeyboardPerson } from './keyboard-person.ts'
import { expect, test } from './postern.ts'
import { newcomer, password, signIn, signUp } from './sign-in.ts'
import { requestOf } from './walker.ts'

// A keyboard alone, from the first page to the last. Preparations may use the pointer.
test.use({ settings: { DEMO: '1' } })

test('signs in to an app and decides about the e-mail address', async ({ page, postern }) => {
  const username = newcomer()
  const about = { email: `${username}@example.org`, name: 'Grace Hopper' }
  await postern.apply({ people: [{ username, password, ...about }] })
  const person = new KeyboardPerson(page)
  await page.goto(`${postern.issuer}/oauth2/authorize?${requestOf(postern)}`)
  await person.type('[name=username]', username)
  await person.type('[name=password]', password)
  await person.press('#signin-submit')
  await person.reach('[name=email_choice][value=hidden]')
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[name=email_choice][value=hidden]')).not.toBeChecked()
  await page.keyboard.press('ArrowUp')
  await expect(page.locator('[name=email_choice][value=hidden]')).toBeChecked()
  await person.press('#consent-allow')
  await page.waitForURL(`${postern.demoUrl}/**`)
})

test('turns on an authenticator app, and signs in with its code', async ({ page, postern }) => {
  const username = await signUp(page, postern.accountUrl, '/account/security')
  const person = new KeyboardPerson(page)
  await person.press('a[href="/account/security/authenticator"]')
  await page.waitForURL(/authenticator$/)
  const show = await readApp(page)
  await person.type('[name=code]', inPairs(show(0)))
  await person.press('#totp-submit')
  await page.waitForURL(/\/account\/security\/codes$/)
  await person.press('#codes-kept')
  await page.waitForURL(/\/account\/security$/)
  await person.press('a[href="/logout"]')
  await person.press('form[action="/logout/submit"] button')
  await page.locator('form[action="/logout/submit"]').waitFor({ state: 'detached' })
  await page.waitForLoadState('load')
  await page.goto(`${postern.accountUrl}/signin?to=/account/security&as=other`)
  await person.type('[name=username]', username)
  await person.type('[name=password]', password)
  await person.press('#signin-submit')
  await page.waitForURL(/\/two-factor/)
  await person.type('[name=code]', inPairs(show(1)))
  await person.press('#two-factor-submit')
  await page.waitForURL(/\/account\/security$/)
})

test('recovers an account with the code of a letter', async ({ page, postern }) => {
  const username = newcomer()
  const email = `${username}@example.org`
  await postern.apply({ people: [{ username, password, email }] })
  const person = new KeyboardPerson(page)
  await page.goto(`${postern.accountUrl}/signin?to=/account/security`)
  await person.press('a[href^="/recover"]')
  await person.type('[name=login]', username)
  await person.press('#recover-submit')
  await page.waitForURL(/\/recover\/code/)
  await person.type('[name=code]', inPairs(await readCode(page, email)))
  await person.press('#code-submit')
  await page.waitForURL(/\/recover\/password/)
  await person.type('[name=password]', 'another gate, another key')
  await person.press('#password-submit')
  await page.waitForURL(/\/account\/security/)
})

test('undoes a change of the e-mail address', async ({ page, postern }) => {
  const email = `${newcomer()}@old.example.org`
  const { password: known } = await arrive(page, postern, '/account/email/change', { email })
  const person = new KeyboardPerson(page)
  const next = email.replace('@old.', '@new.')
  await person.type('[name=address]', next)
  await person.press('#email-submit')
  await page.waitForURL(/\/email\/code/)
  await person.type('[name=code]', inPairs(await readCode(page, next)))
  await person.press('#code-submit')
  await page.waitForURL(/\/account\/email$/)
  await page.goto(/http\S+undo-email\S+/.exec(await readLetter(page, email))?.[0] ?? '')
  await person.type('[name=password]', known)
  await person.press('#undo-submit')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Your old address is back')
})

test('secures an account after a strange sign-in', async ({ page, postern, browser }) => {
  const known = await arrive(page, postern, '/account/activity')
  // Two sign-ins of the same second would read alike.
  const second = Math.floor(Date.now() / 1000)
  await page.waitForFunction((before) => Math.floor(Date.now() / 1000) > before, second)
  const strange = await browser.newPage()
  await strange.goto(`${postern.accountUrl}/signin?to=/account`)
  await signIn(strange, known)
  await strange.waitForURL(/\/account$/)
  await page.goto('/account/activity')
  const person = new KeyboardPerson(page)
  await person.press('main a[href*="/activity/secure"]')
  await person.press('#secure-sessions')
  await expect(page.getByText('No other browser is signed in.')).toBeVisible()
  await person.press('a[href*="/security/password"]')
  await page.waitForURL(/\/security\/password/)
  await person.type('[name=password]', 'a brand new pass phrase')
  await person.press('#password-submit')
  await expect(page.getByText('Changed since then.')).toBeVisible()
  for (const section of ['security', 'email', 'apps']) {
    await person.press(`a[href*="secure/go"][href*="${section}"]`)
    await page.waitForURL(new RegExp(`/account/${section}$`))
    await person.press('main a[href^="/account/activity/secure"]')
    await page.waitForURL(/\/activity\/secure/)
  }
  await strange.goto('/account')
  await expect(strange).toHaveURL(/\/signin/)
  await strange.close()
})

test('makes an address by hand, turns it off, and deletes it', async ({ page, postern }) => {
  const email = `${newcomer()}@home.example.org`
  await arrive(page, postern, '/account/hide-my-email', { email })
  const person = new KeyboardPerson(page)
  await person.press('#alias-new')
  await person.type('[name=label]', 'Garden shop')
  await person.press('#alias-make')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Garden shop')
  await person.press('main [role=switch]')
  await expect(page.locator('main [role=switch]')).toHaveAttribute('aria-checked', 'false')
  await person.press('button:has-text("Delete")')
  await person.press('#alias-delete')
  await expect(page).toHaveURL(/\/account\/hide-my-email(\?.*)?$/)
  await expect(page.locator('main')).not.toContainText('Garden shop')
})

test('asks for the deletion of the account, and cancels it', async ({ page, postern }) => {
  const { username } = await arrive(page, postern, '/account/data')
  const person = new KeyboardPerson(page)
  await person.press('a[href="/account/data/delete"]')
  await person.type('[name=confirm]', username)
  await person.press('#account-delete')
  await page.waitForURL(/\/account\/data$/)
  await person.press('#account-keep')
  await expect(page.locator('#account-keep')).toHaveCount(0)
  await expect(page.locator('a[href="/account/data/delete"]')).toBeVisible()
})

test('sees a control that the keyboard does not reach, whose focus is not shown, or that is covered', async ({
  page,
}) => {
  const bar = '<div style="position: fixed; inset: 0 0 auto; height: 60px; background: #fff"></div>'
  await page.setContent(`<style>:focus-visible { outline: 2px solid } .bare { outline: none }</style>${bar}<a href="#a">covered</a>
    <main style="margin-top: 80px">
      <button>fine</button> <button class="bare">bare</button> <button tabindex="-1">far</button>
      <a href="#b" style="position: fixed; left: 0; top: -90px">outside</a>
    </main>`)
  const problems = (await focusProblems(page)).map((said) => said.replace(/^.*>(\w+)<.*> /, '$1 '))
  expect(problems).toEqual([
    'covered is covered',
    'bare shows no focus',
    'far is not reached by Tab',
    'outside is outside the window',
  ])
})
