import type { Page } from '@playwright/test'
import { readCode, readLetter } from '../binding.ts'
import { readApp } from '../devices.ts'
import { inPairs } from '../in-pairs.ts'
import type { ServerProcess } from '../server-process.ts'
import { newcomer, password, signIn } from '../sign-in.ts'
import { TaskPerson } from './task-person.ts'

/** What a task starts from: a browser of its own, and a way to create people who already have an account. */
export type Start = {
  page: Page
  server: ServerProcess
  apply(declaration: object): Promise<void>
  /** Returns a page of another browser. */
  elsewhere(): Promise<Page>
}

export type Task = { name: string; perform(start: Start): Promise<TaskPerson> }

const newPassword = 'a lantern above the orchard'
const atApp = 'form[action="/signout"]'
const overview = 'a[href="/account/security"]'

/** Ten tasks of a person's year. What happens before the counted person begins is not counted. */
export const year: Task[] = [
  { name: 'Create an account from an app', perform: createAccount },
  { name: 'Sign in to a second app and hide the e-mail address from it', perform: hideAddress },
  { name: 'Give an app a name that the account does not have yet', perform: giveName },
  { name: 'Sign in again in the same browser after signing out', perform: comeBack },
  { name: 'Turn on the authenticator app and save recovery codes', perform: addSecondStep },
  { name: 'Sign in after losing the phone, and turn the authenticator app off', perform: loseThePhone },
  { name: 'Replace a forgotten password, with the authenticator app', perform: forgetPassword },
  { name: 'Change the e-mail address', perform: changeAddress },
  { name: 'Lock out a strange browser after the letter about it', perform: lockOut },
  { name: 'Stop unwanted mail through a relay address', perform: stopMail },
]

async function createAccount({ page, server }: Start) {
  const person = new TaskPerson(page)
  await person.comeFromApp(server.demoUrl, '#signin-submit')
  await person.go('a[href^="/signup"]', '#signup-submit')
  await person.type('[name=username]', newcomer())
  await person.type('[name=password]', password)
  await person.go('#signup-submit', '#consent-allow')
  await person.finish('#consent-allow', atApp)
  return person
}

async function hideAddress(start: Start) {
  await settle(start, { email: true })
  const person = new TaskPerson(start.page)
  await person.comeFromApp(start.server.demoUrl, '#consent-allow')
  await person.choose(start.page.locator('[name=email_choice][value=hidden]'))
  await person.finish('#consent-allow', atApp)
  return person
}

async function giveName(start: Start) {
  const { page, server } = start
  await settle(start)
  const person = new TaskPerson(page)
  await person.comeFromApp(server.demoUrl, '#consent-allow')
  if (await page.locator('#consent-allow').locator('xpath=ancestor::form').locator('[name=name]').isVisible()) {
    await person.type('[name=name]', 'Grace Hopper')
  } else {
    const asked = page.url()
    await person.open(`${server.accountUrl}/account`)
    await person.type('#name', 'Grace Hopper')
    await person.go('#profile-save', 'main [role=status]')
    // The person presses the back button until the request of the app is there again.
    person.clicks += 2
    await person.begin(asked)
  }
  await person.finish('#consent-allow', atApp)
  return person
}

async function comeBack(start: Start) {
  const { page, server } = start
  const { username } = await settle(start)
  await signOut(page)
  const person = new TaskPerson(page)
  await person.begin(`${server.accountUrl}/signin?to=/account`)
  const face = 'button[name=who]'
  if (await page.locator(face).first().isVisible()) await person.go(face, `${face}[aria-current=true]`)
  else await person.type('[name=username]', username)
  await person.type('[name=password]', password)
  await person.finish('#signin-submit', overview)
  return person
}

async function addSecondStep(start: Start) {
  const { page, server } = start
  await settle(start)
  const person = new TaskPerson(page)
  await person.begin(`${server.accountUrl}/account`)
  await person.go('a[href="/account/security"]', 'a[href="/account/security/authenticator"]')
  await person.go('a[href="/account/security/authenticator"]', '#totp-key')
  await person.enter((await readApp(page))(0), '#totp-submit')
  await person.arrive('#codes-kept')
  const saved = page.waitForEvent('download')
  await page.locator('a[href="/account/security/codes/download"]').click()
  await saved
  person.clicks += 1
  await person.finish('#codes-kept', 'a[href="/account/security/authenticator"]')
  return person
}

async function loseThePhone(start: Start) {
  const { page, server } = start
  const { username } = await settle(start)
  const { recoveryCode } = await secure(page, server)
  await signOut(page)
  await page.context().clearCookies()
  const person = new TaskPerson(page)
  await person.begin(`${server.accountUrl}/signin?to=/account/security`)
  await person.type('[name=username]', username)
  await person.type('[name=password]', password)
  await person.go('#signin-submit', '#two-factor-submit')
  await person.enter(recoveryCode, '#two-factor-submit')
  await person.arrive('a[href="/account/security/authenticator"]')
  await person.go('a[href="/account/security/authenticator"]', '#totp-off')
  await person.finish('#totp-off', 'a[href="/account/security/authenticator"]')
  return person
}

async function forgetPassword(start: Start) {
  const { page, server } = start
  const { username, email } = await settle(start, { email: true })
  const { app } = await secure(page, server)
  await signOut(page)
  await page.context().clearCookies()
  const person = new TaskPerson(page)
  await person.begin(`${server.accountUrl}/signin?to=/account`)
  await person.go('a[href^="/recover"]', '#recover-submit')
  await person.type('[name=login]', username)
  await person.go('#recover-submit', '#code-submit')
  await person.enter(await readCode(page, email), '#code-submit')
  await person.arrive('#password-submit')
  await person.type('[name=password]', newPassword)
  await person.go('#password-submit', '#two-factor-submit')
  await person.enter(app(1), '#two-factor-submit')
  await person.arrive('#review-submit')
  await person.finish('#review-submit', overview)
  return person
}

async function changeAddress(start: Start) {
  const { page, server } = start
  const { username } = await settle(start, { email: true })
  const address = `${username}@example.net`
  const person = new TaskPerson(page)
  await person.begin(`${server.accountUrl}/account`)
  await person.go('a[href="/account/email"]', 'a[href="/account/email/change"]')
  await person.go('a[href="/account/email/change"]', '#email-submit')
  await person.type('[name=address]', address)
  await person.go('#email-submit', '#code-submit')
  await person.enter(await readCode(page, address), '#code-submit')
  await person.see('main [role=status]')
  return person
}

async function lockOut(start: Start) {
  const { page } = start
  const { username, email } = await settle(start, { email: true })
  const strange = await start.elsewhere()
  await strange.goto('/signin?to=/account/security')
  await signIn(strange, { username, password })
  await strange.locator('#sessions').waitFor()
  const person = new TaskPerson(page)
  person.clicks += 1
  await person.begin(/http\S+\/account\S*/.exec(await readLetter(page, email))?.[0] ?? '')
  await person.go('a[href="/account/security/password"]', '#password-submit')
  await person.type('[name=password]', newPassword)
  await person.finish('#password-submit', '#sessions')
  await strange.reload()
  await strange.locator('#signin-submit').waitFor()
  return person
}

async function stopMail(start: Start) {
  const { page, server } = start
  await settle(start, { email: true })
  await page.goto(server.demoUrl)
  await page.locator('button').first().click()
  await page.locator('[name=email_choice][value=hidden]').check()
  await page.locator('#consent-allow').click()
  await page.waitForURL((url) => url.origin === server.demoUrl)
  const person = new TaskPerson(page)
  await person.begin(`${server.accountUrl}/account`)
  await person.go('a[href="/account/hide-my-email"]', 'main h2 a[href^="/account/hide-my-email/"]')
  if ((await page.locator('main [role=switch]').count()) === 0)
    await person.go('main h2 a[href^="/account/hide-my-email/"]', '#alias-switch')
  await person.finish('main [role=switch], #alias-switch', 'main [role=status]')
  return person
}

/** Creates a person and signs them in, as in a browser that they have used for long. */
async function settle({ page, apply }: Start, { email: hasEmail = false } = {}) {
  const username = newcomer()
  const email = `${username}@example.org`
  await apply({ people: [{ username, password, ...(hasEmail && { email }) }] })
  await page.goto('/signin?to=/account/security')
  await signIn(page, { username, password })
  await page.locator('#sessions').waitFor()
  return { username, email }
}

async function signOut(page: Page) {
  await page.goto('/logout')
  await page.locator('#logout-confirm').click()
  await page.waitForLoadState()
}

/** Turns on the authenticator app, which makes recovery codes. */
async function secure(page: Page, { accountUrl }: ServerProcess) {
  await page.goto(`${accountUrl}/account/security/authenticator`)
  const app = await readApp(page)
  await page.locator('[name=code]').fill(inPairs(app(0)))
  await page.locator('#totp-submit').click()
  const recoveryCode = (await page.locator('ol code').first().textContent()) ?? ''
  return { app, recoveryCode }
}
