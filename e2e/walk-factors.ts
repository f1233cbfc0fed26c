import { randomBytes } from 'node:crypto'
import { addAuthenticator, readApp } from './devices.ts'
import { inPairs } from './in-pairs.ts'
import { signIn } from './sign-in.ts'
import { password, requestOf, type Walk } from './walker.ts'

/** Visits the security pages with each factor on and off, and the sign-in with each. */
export async function walkFactors(walk: Walk) {
  const { page, keep } = walk
  for (const name of ['', '/password', '/passkeys', '/authenticator', '/codes']) {
    await page.goto(`/account/security${name}`)
    await keep(`security${name.replace('/', '-')}`)
  }
  await page.locator('#codes-make').click()
  await keep('security-codes-made')
  walk.recoveryCode = (await page.locator('ol code').first().textContent()) ?? ''
  await page.goto('/account/security/password')
  await page.locator('[name=password]').fill('password1')
  await page.locator('#password-submit').click()
  await keep('security-password-problem')
  await secondStep(walk)
  await passkeys(walk)
}

async function secondStep({ page, server, keep, username }: Walk) {
  await page.goto('/account/security/authenticator')
  const show = await readApp(page)
  await page.locator('[name=code]').fill('000')
  await page.locator('#totp-submit').click()
  await keep('security-authenticator-problem')
  await page.locator('[name=code]').fill(inPairs(show(0)))
  await page.locator('#totp-submit').click()
  await page.waitForURL(/\/account\/security$/)
  await keep('security-authenticator-turned-on')
  await page.goto('/account/security/authenticator')
  await keep('security-authenticator-on')
  await page.goto(`${server.issuer}/oauth2/authorize?${requestOf(server)}&acr_values=aal2`)
  await keep('sign-in-step-up')
  await page.goto('/signin?to=/account/security&fresh=1')
  await keep('sign-in-fresh')
  await signIn(page, { username, password })
  await page.waitForURL(/\/two-factor/)
  await keep('two-factor')
  await page.locator('[name=code]').fill(inPairs('999999'))
  await page.locator('#two-factor-submit').click()
  await keep('two-factor-problem')
}

/** Creates a second account that has only a passkey. */
async function passkeys({ page, keep, username }: Walk) {
  const remove = await addAuthenticator(page)
  const other = `guest-${[...randomBytes(8)].map((byte) => 'abcdefghjkpqstuxyz234'[byte % 21]).join('')}`
  await page.goto('/signup?to=/account/security/passkeys')
  await page.locator('[name=username]').fill(other)
  await page.locator('[data-passkey] button').click()
  await page.waitForURL(/\/signup\/codes/)
  await keep('sign-up-codes')
  await page.locator('#codes-kept').click()
  await keep('security-passkeys-one')
  await page.locator('summary').first().click()
  await keep('security-passkeys-edit')
  await page.goto('/account/apps')
  await keep('account-apps-none')
  await page.goto('/account/email')
  await keep('account-email-none')
  await page.goto('/signin?to=/account/security/passkeys&fresh=1')
  await keep('sign-in-fresh-passkey')
  await remove()
  await page.goto('/choose?to=/account')
  await page.getByRole('button', { name: username }).click()
  await page.waitForURL(/\/account$/)
  await keep('account-overview-safer')
}
