import type { Page } from '@playwright/test'
import { sha256 } from '#lib/crypto/hash'
import { messagesFor } from '#lib/text/messages'
import { shareAppServer } from './app-server.ts'
import { expect, expectAccessible, test, withAndWithoutScript } from './postern.ts'
import type { ServerProcess } from './server-process.ts'
import { signIn } from './sign-in.ts'

const secret = 'a-secret-of-sixteen-characters'
const verifier = 'v'.repeat(43)
const appServer = shareAppServer()

let count = 0
/** Creates an app and a person, and returns the steps of a sign-in and a logout. */
async function meet(page: Page, postern: ServerProcess, fields = {}) {
  const id = `l${test.info().workerIndex}-${++count}`
  const person = { username: `ada-${id}`, password: 'correct horse battery', name: 'Ada L.' }
  const registered = {
    client_id: `acme-${id}`,
    name: 'Acme Web',
    kind: 'confidential',
    client_secret: secret,
    redirect_uris: [`${appServer.origin}/callback`],
    post_logout_redirect_uris: [`${appServer.origin}/bye`],
    ...fields,
  }
  await postern.apply({ teams: [{ id: `acme-${id}`, name: 'Acme', apps: [registered] }], people: [person] })
  const request = {
    response_type: 'code',
    client_id: registered.client_id,
    redirect_uri: `${appServer.origin}/callback`,
    scope: 'openid',
    state: 'state',
    code_challenge: sha256(verifier),
    code_challenge_method: 'S256',
  }
  const authorize = (more = {}) =>
    page.goto(`${postern.issuer}/oauth2/authorize?${new URLSearchParams({ ...request, ...more })}`)
  /** Signs in, and returns the ID token. */
  const arrive = async () => {
    await authorize()
    await signIn(page, person)
    await page.locator('#consent-allow').click()
    await page.waitForURL(`${appServer.origin}/callback?**`)
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: new URL(page.url()).searchParams.get('code') ?? '',
      redirect_uri: request.redirect_uri,
      code_verifier: verifier,
    })
    const authorization = `Basic ${Buffer.from(`${registered.client_id}:${secret}`).toString('base64')}`
    const answer = await fetch(`${postern.issuer}/oauth2/token`, { method: 'POST', headers: { authorization }, body })
    return (await answer.json()).id_token as string
  }
  const leave = (asked: Record<string, string>) =>
    page.goto(`${postern.issuer}/oauth2/logout?${new URLSearchParams(asked)}`)
  const silent = async () => {
    await authorize({ prompt: 'none' })
    return new URL(page.url()).searchParams.get('error')
  }
  return { clientId: registered.client_id, arrive, leave, silent }
}

withAndWithoutScript(() => {
  test('returns to the app at once with the ID token of the session', async ({ page, postern }) => {
    const { arrive, leave, silent } = await meet(page, postern)
    const hint = await arrive()
    await leave({ id_token_hint: hint, post_logout_redirect_uri: `${appServer.origin}/bye`, state: 'a b&c' })
    expect(page.url()).toBe(`${appServer.origin}/bye?state=a%20b%26c`)
    expect(await silent()).toBe('login_required')
  })

  test('asks the person without an ID token, and returns to the app', async ({ page, postern }) => {
    const { arrive, leave, silent, clientId } = await meet(page, postern)
    await arrive()
    await leave({ client_id: clientId, post_logout_redirect_uri: `${appServer.origin}/bye` })
    await expect(page.getByText('Acme Web asks you to sign out.')).toBeVisible()
    await expectAccessible(page)
    expect(await silent()).toBeNull()
    await page.goBack()
    await page.locator('#logout-confirm').click()
    await page.waitForURL(`${appServer.origin}/bye`)
    expect(await silent()).toBe('login_required')
  })
})

test('returns a person who stays signed in to the home page of the app, or else to the account', async ({
  page,
  postern,
}) => {
  const { arrive, leave, silent, clientId } = await meet(page, postern, { homepage: `${appServer.origin}/home` })
  await arrive()
  const stay = page.getByRole('link', { name: messagesFor('en').logout.stay })
  await leave({ client_id: clientId, post_logout_redirect_uri: `${appServer.origin}/bye` })
  await stay.click()
  await page.waitForURL(`${appServer.origin}/home`)
  await leave({})
  await stay.click()
  await page.waitForURL(/\/account$/)
  expect(await silent()).toBeNull()
})

test('stays on a page in the language of the request when there is no address', async ({ page, postern }) => {
  const { arrive, leave } = await meet(page, postern)
  await arrive()
  await leave({ ui_locales: 'ja', state: 'state' })
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja')
  await page.locator('#logout-confirm').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(messagesFor('ja').logout.done.title)
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja')
  await expectAccessible(page)
})

test('explains a refused address, and offers to sign out here', async ({ page, postern }) => {
  const { arrive, leave, clientId } = await meet(page, postern)
  await arrive()
  const answer = await leave({ client_id: clientId, post_logout_redirect_uri: `${appServer.origin}/bye?x=1` })
  expect(answer?.status()).toBe(400)
  await expectAccessible(page)
  await page.getByRole('link', { name: messagesFor('en').error.signOut }).click()
  await page.locator('#logout-confirm').click()
  await expect(page.getByText(/signed out/i).first()).toBeVisible()
})

test('accepts a form that the app posts, and redirects from the old address', async ({ page, postern }) => {
  const { arrive, silent } = await meet(page, postern)
  const hint = await arrive()
  const fields = { id_token_hint: hint, post_logout_redirect_uri: `${appServer.origin}/bye` }
  await page.evaluate(
    ([action, values]) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action })
      for (const [name, value] of Object.entries(values))
        form.append(Object.assign(document.createElement('input'), { name, value }))
      document.body.append(form)
      form.submit()
    },
    [`${postern.issuer}/oauth2/logout`, fields] as const,
  )
  await page.waitForURL(`${appServer.origin}/bye`)
  expect(await silent()).toBe('login_required')
  await page.goto('/signout')
  expect(new URL(page.url()).pathname).toBe('/logout')
})
