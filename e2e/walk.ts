import { demoPerson } from '#lib/server/demo/seed'
import { readCode } from './binding.ts'
import { inPairs } from './in-pairs.ts'
import { signIn } from './sign-in.ts'
import { walkAdmin } from './walk-admin.ts'
import { walkApps } from './walk-apps.ts'
import { walkConsole } from './walk-console.ts'
import { walkEmail } from './walk-email.ts'
import { walkFactors } from './walk-factors.ts'
import { walkRelay } from './walk-relay.ts'
import { password, requestOf, type Walk } from './walker.ts'

/** Visits every page and every state of it, in the order of a person's journey. */
export async function walkEverywhere(walk: Walk) {
  for (const part of [
    entrance,
    binding,
    account,
    walkEmail,
    walkConsole,
    walkRelay,
    walkAdmin,
    walkFactors,
    again,
    walkApps,
    recovery,
    leaving,
    deadEnds,
  ])
    await part(walk)
}

async function entrance({ page, server, keep, username }: Walk) {
  await page.goto('/')
  await keep('home')
  await page.goto(`${server.issuer}/`)
  await keep('issuer-home')
  await page.goto(server.demoUrl)
  await page.locator('button').first().click()
  await keep('sign-in')
  await signIn(page, { username, password: 'wrong' })
  await keep('sign-in-wrong')
  await page.locator('a[href^="/signup"]').click()
  await keep('sign-up')
  await page.locator('[name=username]').fill('adm1n')
  await page.locator('[name=password]').fill('password1')
  await page.locator('#signup-submit').click()
  await keep('sign-up-problems')
  await page.locator('[name=username]').fill(username)
  await page.locator('[name=password]').fill(password)
  await page.locator('#signup-submit').click()
  await keep('consent')
}

async function binding({ page, keep, username }: Walk) {
  const [address, asked] = [`${username}@example.org`, page.url()]
  await page.locator('[name=email_choice][value=hidden]').check()
  await keep('consent-hidden')
  await page.locator('#consent-allow').click()
  await page.locator('[name=address]').fill('no address')
  await page.locator('#bind-submit').click()
  await keep('bind-email-problem')
  await page.locator('[name=address]').fill(address)
  await keep('bind-email')
  await page.locator('#bind-submit').click()
  await keep('bind-email-code')
  await page.locator('[name=code]').fill(inPairs('000000'))
  await page.locator('#code-submit').click()
  await keep('bind-email-wrong-code')
  await page.locator('[name=code]').fill(inPairs(await readCode(page, address)))
  await page.locator('#code-submit').click()
  await page.waitForURL(/\/callback|localhost:\d+\/$/)
  await keep('demo-app')
  await page.goto(asked)
  await keep('error-already-finished')
}

async function account({ page, keep, username }: Walk) {
  const paths = {
    overview: '',
    profile: '/profile',
    email: '/email',
    'email-change': '/email/change',
    apps: '/apps',
    app: '/apps/demo-app',
  }
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(`/account${path}`)
    await keep(`account-${name}`)
  }
  await page.goto('/passkey/offer?to=/account')
  await keep('passkey-offer')
  await page.goto('/account/profile')
  await page.locator('#picture-change').click()
  await keep('account-picture-dialog')
  await page.keyboard.press('Escape')
  await page.locator('#birthdate').fill('1799-01-01')
  await page.locator('#profile-save').click()
  await keep('account-profile-problem')
  await page.goto('/account/email/remove')
  await keep('account-email-remove')
  await page.goto('/account/email/change')
  await page.locator('[name=address]').fill('anybody@relay.localhost')
  await page.locator('#email-submit').click()
  await keep('account-email-change-problem')
  await page.goto('/account/activity?about=sign_ins')
  await keep('account-activity-filtered')
  await page.goto('/account/activity?q=nothing-like-it')
  await keep('account-activity-none')
  await page.goto('/account/activity')
  await page.locator('main a[href*="activity/secure"]').first().click()
  await keep('account-activity-secure')
  for (const name of ['activity', 'data', 'data/delete']) {
    await page.goto(`/account/${name}`)
    await keep(`account-${name.replace('/', '-')}`)
  }
  await page.locator('[name=confirm]').fill(`not ${username}`)
  await page.locator('#account-delete').click()
  await keep('account-data-delete-problem')
}

async function again(walk: Walk) {
  const { page, server, keep, username } = walk
  const ask = (more: string) => page.goto(`${server.issuer}/oauth2/authorize?${requestOf(server)}${more}`)
  await page.goto('/signin?to=/account/apps&as=other')
  await signIn(page, demoPerson)
  await page.waitForURL(/\/account\/apps$/)
  await decline(walk)
  await ask('&prompt=select_account')
  await keep('choose-account')
  await ask('&prompt=login')
  await keep('sign-in-confirm')
  await ask('&prompt=select_account')
  await page.getByRole('button', { name: username }).click()
  await ask('&prompt=consent')
  await keep('consent-again')
}

/** Cancels a request of the demo app as a person without a consent. */
async function decline({ page, server, keep }: Walk) {
  await page.goto(server.demoUrl)
  await page.getByRole('button', { name: 'Sign out of this app only' }).click()
  await keep('demo-app-signed-out-here')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('#consent-deny').click()
  await keep('demo-app-declined')
}

async function recovery({ page, server, keep, username, ...walk }: Walk) {
  await page.goto('/recover')
  await keep('recover')
  await page.locator('[name=login]').fill(username)
  await page.locator('#recover-submit').click()
  await keep('recover-code')
  await page.locator('[name=code]').fill(inPairs('000000'))
  await page.locator('#code-submit').click()
  await keep('recover-code-problem')
  await page.locator('[name=code]').fill(inPairs(await readCode(page, `${username}@example.org`)))
  await page.locator('#code-submit').click()
  await keep('recover-password')
  await page.locator('[name=password]').fill(`${password} again`)
  await page.locator('#password-submit').click()
  await page.waitForURL(/\/two-factor/)
  await keep('recover-two-factor')
  await page.locator('[name=code]').fill(walk.recoveryCode ?? '')
  await page.locator('#two-factor-submit').click()
  await page.waitForURL(/\/recover\/review/)
  await keep('recover-review')
  await page.locator('#review-submit').click()
  await page.waitForURL(/\/account$/)
  await page.goto('/recover/by-code')
  await keep('recover-by-code')
  await page.goto(JSON.parse(await server.cli('user', 'reset', username)).url)
  await keep('recover-operator-link')
  await page.goto('/recover/link?key=expired')
  await keep('recover-operator-link-expired')
}

async function leaving({ page, server, keep, username }: Walk) {
  await page.goto('/account/data/delete')
  await page.locator('[name=confirm]').fill(username)
  await page.locator('#account-delete').click()
  await keep('account-data-leaving')
  await page.locator('#account-keep').click()
  await keep('account-data-kept')
  await page.goto(`${server.issuer}/oauth2/logout?client_id=demo-app`)
  await keep('sign-out-for-app')
  await page.goto('/logout')
  await keep('sign-out')
  await page.locator('#logout-confirm').click()
  await keep('signed-out')
  await page.goto('/signin?to=/account')
  await keep('sign-in-remembered')
  await page.locator('button[name=who]').first().click()
  await page.locator('[name=shared]').check()
  await page.locator('#signin-submit').click()
  await keep('sign-in-remembered-problem')
}

async function deadEnds({ page, server, keep }: Walk) {
  await page.goto(`${server.issuer}/oauth2/authorize?client_id=nobody`)
  await keep('error-unknown-app')
  await page.goto(`${server.issuer}/oauth2/authorize?client_id=demo-app&redirect_uri=https://evil.example/`)
  await keep('error-redirect-uri')
  await page.goto(
    `${server.issuer}/oauth2/authorize?client_id=demo-app&request_uri=urn:ietf:params:oauth:request_uri:old`,
  )
  await keep('error-request-uri')
  await page.goto(`${server.issuer}/oauth2/authorize?client_id=demo-app&request=damaged`)
  await keep('error-request-object')
  await page.goto(`${server.issuer}/oauth2/logout?client_id=demo-app&post_logout_redirect_uri=https://evil.example/`)
  await keep('error-logout-address')
  await page.goto(`${server.issuer}/oauth2/logout?id_token_hint=x`)
  await keep('error-logout-hint')
  await page.goto(`${server.issuer}/oauth2/logout?state=1&state=2`)
  await keep('error-logout-request')
  await page.goto('/no/such/page')
  await keep('not-found')
  await page.goto('/dev/inbox')
  await keep('inbox')
}
