import type { Page } from '@playwright/test'
import { sha256 } from '#lib/crypto/hash'
import { messagesFor } from '#lib/text/messages'
import { shareAppServer } from './app-server.ts'
import { whenRelayHas } from './hide-from-app.ts'
import { expect, expectAccessible, test, withAndWithoutScript } from './postern.ts'
import type { ServerProcess } from './server-process.ts'
import { signIn } from './sign-in.ts'

const secret = 'a-secret-of-sixteen-characters'
const verifier = 'v'.repeat(43)
const appServer = shareAppServer()

let count = 0
/** Creates a new app and a new person, and returns the steps of a test. */
async function meet(page: Page, postern: ServerProcess) {
  const id = `w${test.info().workerIndex}-${++count}`
  const person = {
    username: `ada-${id}`,
    password: 'correct horse battery',
    name: 'Ada L.',
    nickname: 'Ada',
    birthdate: '1815-12-10',
    email: `ada-${id}@example.org`,
  }
  const app = { client_id: `acme-${id}`, name: 'Acme Web', kind: 'confidential', client_secret: secret }
  const scopes = ['openid', 'name', 'nickname', 'birthdate', 'email']
  const asked = { ...app, redirect_uris: [appServer.redirectUri], scopes, email: 'optional' }
  await postern.apply({ teams: [{ id: `acme-${id}`, name: 'Acme', apps: [asked] }], people: [person] })
  const ask = (scope: string) =>
    page.goto(
      `${postern.issuer}/oauth2/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: app.client_id,
        redirect_uri: appServer.redirectUri,
        scope,
        state: 'state',
        code_challenge: sha256(verifier),
        code_challenge_method: 'S256',
      })}`,
    )
  const authorization = `Basic ${Buffer.from(`${app.client_id}:${secret}`).toString('base64')}`
  const token = async (form: Record<string, string>) => {
    const body = new URLSearchParams(form)
    return (await fetch(`${postern.issuer}/oauth2/token`, { method: 'POST', headers: { authorization }, body })).json()
  }
  /** Returns the tokens for the code with which the browser returned to the app. */
  const tokens = async () => {
    await page.waitForURL(`${appServer.redirectUri}?**`)
    const code = new URL(page.url()).searchParams.get('code') ?? ''
    return token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: appServer.redirectUri,
      code_verifier: verifier,
    })
  }
  const userinfo = (accessToken: string) =>
    fetch(`${postern.issuer}/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } })
  const learn = async (accessToken: string) => (await userinfo(accessToken)).json()
  return { person, app, ask, token, tokens, userinfo, learn }
}

const allow = (page: Page) => page.locator('#consent-allow').click()
const choose = (page: Page, choice: string) => page.locator(`[name=email_choice][value=${choice}]`).check()

test('keeps the ticked boxes but not a typed password when language or appearance changes', async ({
  page,
  postern,
}) => {
  const { ask, person } = await meet(page, postern)
  await ask('openid name birthdate email')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await page.locator('[name=username]').fill(person.username)
  await page.locator('[name=password]').fill(person.password)
  await press('日本語')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja')
  await expect(page.locator('[name=username]')).toHaveValue(person.username)
  await expect(page.locator('[name=password]')).toHaveValue('')
  await press('English')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await signIn(page, person)
  await page.locator('[name=scope][value=birthdate]').uncheck()
  await choose(page, 'hidden')
  await press('Dark')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('[name=scope][value=name]')).toBeChecked()
  await expect(page.locator('[name=scope][value=birthdate]')).not.toBeChecked()
  await expect(page.locator('[name=email_choice][value=hidden]')).toBeChecked()
  await page.reload()
  await expect(page.locator('[name=scope][value=name]')).toBeChecked()
})

withAndWithoutScript(() => {
  test('shares nothing on cancel and informs the app', async ({ page, postern }) => {
    const { ask, person } = await meet(page, postern)
    await ask('openid name email')
    await signIn(page, person)
    await expectAccessible(page)
    await page.locator('#consent-deny').click()
    await page.waitForURL(`${appServer.redirectUri}?**`)
    expect(page.url()).toContain('error=access_denied')
    await page.goto(`${postern.accountUrl}/account/apps`)
    await expect(page.getByText(messagesFor('en').connections.empty.title)).toBeVisible()
    await expectAccessible(page)
  })

  test('hides declined scopes and a declined address from the app, and does not ask again', async ({
    page,
    postern,
  }) => {
    const { ask, person, tokens, learn } = await meet(page, postern)
    await ask('openid name birthdate email')
    await signIn(page, person)
    await page.locator('[name=scope][value=birthdate]').uncheck()
    await choose(page, 'none')
    await allow(page)
    const { access_token, scope } = await tokens()
    expect(scope).toBe('openid name')
    const learned = await learn(access_token)
    expect(learned).toMatchObject({ name: 'Ada L.', birthdate: '' })
    expect(learned).not.toHaveProperty('email')
    await ask('openid name birthdate email')
    expect((await tokens()).scope).toBe('openid name')
  })

  test('explains a hidden address, gives the app an alias, and logs no real address', async ({ page, postern }) => {
    const { ask, person, tokens, learn } = await meet(page, postern)
    await ask('openid email')
    await signIn(page, person)
    await expect(page.getByText(`never sees ${person.email}. Mail is forwarded to you.`)).toBeVisible()
    await expect(page.locator('[name=email_choice][value=hidden]')).toBeChecked()
    await allow(page)
    const { access_token } = await tokens()
    const alias = expect.stringMatching(/^[a-z][a-z2-9]{11}@/)
    expect(await learn(access_token)).toMatchObject({ email: alias, email_verified: true })
    expect(page.url()).not.toContain('example.org')
    expect(postern.logs()).not.toContain(person.email)
  })

  test('asks only for new scopes in a second request and lists the earlier ones', async ({ page, postern }) => {
    const { ask, person, tokens } = await meet(page, postern)
    await ask('openid name email')
    await signIn(page, person)
    await choose(page, 'hidden')
    await allow(page)
    await tokens()
    await ask('openid name nickname email')
    await expect(page.locator('[name=scope]')).toHaveCount(1)
    await expect(page.locator('[name=email_choice]')).toHaveCount(0)
    await page.locator('summary').click()
    await expect(page.getByText(/^[a-z][a-z2-9]{11}@/)).toBeVisible()
    await expectAccessible(page)
    await page.locator('[name=scope][value=nickname]').uncheck()
    await allow(page)
    expect((await tokens()).scope).toBe('openid name email')
  })

  test('withdraws one scope and then all access, with immediate effect for the app', async ({ page, postern }) => {
    const { ask, app, person, token, tokens, userinfo, learn } = await meet(page, postern)
    await ask('openid name nickname email')
    await signIn(page, person)
    await choose(page, 'regular')
    await allow(page)
    const { access_token, refresh_token } = await tokens()
    expect(await learn(access_token)).toMatchObject({ name: 'Ada L.', email: person.email })
    await page.goto(`${postern.accountUrl}/account/apps`)
    await expectAccessible(page)
    await page.getByRole('link', { name: app.name }).click()
    await page.locator('[name=scope][value=name]').uncheck()
    await choose(page, 'hidden')
    await page.locator('#sharing-save').click()
    await expect(page.getByRole('status')).toContainText('Saved')
    await expectAccessible(page)
    expect((await userinfo(access_token)).status).toBe(401)
    expect(await token({ grant_type: 'refresh_token', refresh_token })).toMatchObject({ error: 'invalid_grant' })
    await ask('openid name nickname email')
    const narrow = await tokens()
    expect(narrow.scope).toBe('openid nickname email')
    expect(await learn(narrow.access_token)).toMatchObject({
      name: 'Postern User',
      email: expect.stringMatching(/@relay\./),
    })
    await page.goto(`${postern.accountUrl}/account/apps`)
    await page.getByRole('link', { name: app.name }).click()
    await page.locator('[commandfor=stop-sharing-dialog]').first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.locator('#stop-sharing').click()
    await expect(page.getByText(messagesFor('en').connections.empty.title)).toBeVisible()
    expect((await userinfo(narrow.access_token)).status).toBe(401)
    expect(await token({ grant_type: 'refresh_token', refresh_token: narrow.refresh_token })).toMatchObject({
      error: 'invalid_grant',
    })
    await ask('openid name')
    await expect(page.locator('#consent-allow')).toBeVisible()
  })
})

test('shows the proven domains of the team, or that it is approved or not verified', async ({ page, postern }) => {
  const { ask, person, app } = await meet(page, postern)
  const teamId = app.client_id
  await ask('openid name')
  await signIn(page, person)
  await expect(page.getByText('has approved this team. It has no verified domain.')).toBeVisible()
  await expect(page.getByText('Not verified')).toHaveCount(0)
  // The server reads a changed team after five seconds.
  const shows = (text: string) =>
    expect(() => page.reload().then(() => expect(page.getByText(text)).toBeVisible({ timeout: 500 }))).toPass()
  await whenRelayHas(postern, (prisma) => prisma.team.update({ where: { id: teamId }, data: { trusted: false } }))
  await shows('Not verified')
  await expectAccessible(page)
  const proof = { teamId, proof: 'x', createdAt: new Date() }
  await whenRelayHas(postern, (prisma) =>
    prisma.teamDomain.createMany({
      data: [
        { ...proof, domain: 'acme.example', verifiedAt: new Date() },
        { ...proof, domain: 'bank.example' },
      ],
    }),
  )
  await shows('Verified domain: acme.example')
  await expect(page.getByText('Not verified')).toHaveCount(0)
  await expect(page.getByText('bank.example')).toHaveCount(0)
  await expectAccessible(page)
})

for (const locale of ['ja', 'zh-TW'] as const) {
  test.describe(locale, () => {
    test.use({ locale, viewport: { width: 320, height: 640 } })
    test('shows the consent choice and the account in the language on a narrow screen', async ({ page, postern }) => {
      const { ask, person, tokens, app } = await meet(page, postern)
      const words = messagesFor(locale)
      const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
      await ask('openid name email')
      await signIn(page, person)
      await expect(page.getByText(words.emailChoice.hidden)).toBeVisible()
      await expectAccessible(page)
      expect(await fits()).toBe(true)
      await choose(page, 'hidden')
      await allow(page)
      await tokens()
      for (const path of ['/account/apps', `/account/apps/${app.client_id}`]) {
        await page.goto(postern.accountUrl + path)
        await expect(page.getByText(app.name).first()).toBeVisible()
        await expectAccessible(page)
        expect(await fits()).toBe(true)
      }
    })
  })
}
