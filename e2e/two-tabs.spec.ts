import type { Page } from '@playwright/test'
import { calculatePKCECodeChallenge, randomPKCECodeVerifier } from 'openid-client'
import { arriveAtApp } from './binding.ts'
import { expect, test } from './postern.ts'
import { signIn } from './sign-in.ts'

const redirectUri = 'http://127.0.0.1:9/callback'
const person = { username: 'tabitha', password: 'correct horse battery' }
const apps = ['notes-of-tabs', 'maps-of-tabs'].map((id) => ({
  client_id: id,
  name: id,
  kind: 'public',
  redirect_uris: [redirectUri],
  scopes: ['openid'],
}))

async function ask(page: Page, issuer: string, app: number) {
  const query = new URLSearchParams({
    client_id: apps[app]?.client_id ?? '',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid',
    state: `state-${app}`,
    code_challenge: await calculatePKCECodeChallenge(randomPKCECodeVerifier()),
    code_challenge_method: 'S256',
  })
  await page.goto(`${issuer}/oauth2/authorize?${query}`)
}

test('completes the requests of two apps in two tabs independently, with reload and the back button', async ({
  context,
  postern,
}) => {
  await postern.apply({ teams: [{ id: 'tabs', name: 'Tabs', apps }], people: [person] })
  const [notes, maps] = [await context.newPage(), await context.newPage()]
  await ask(notes, postern.issuer, 0)
  await ask(maps, postern.issuer, 1)
  await signIn(notes, person)
  await expect(notes.locator('#consent-allow')).toBeVisible()
  // The other tab still shows the sign-in page; its form works with and without a reload.
  await maps.reload()
  await signIn(maps, person)
  const fromMaps = await arriveAtApp(maps, () => maps.locator('#consent-allow').click())
  expect(fromMaps.searchParams.get('state')).toBe('state-1')
  // The first tab shows a page of an earlier session: the server grants nothing the person has not seen and shows the
  // page again.
  await notes.locator('#consent-allow').click()
  await expect(notes.locator('#consent-allow')).toBeVisible()
  await notes.goBack()
  await notes.goForward()
  const fromNotes = await arriveAtApp(notes, () => notes.locator('#consent-allow').click())
  expect(fromNotes.searchParams.get('state')).toBe('state-0')
  expect(fromNotes.searchParams.get('code')).not.toBe(fromMaps.searchParams.get('code'))
})
