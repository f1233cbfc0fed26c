import type { Page } from '@playwright/test'
import { challengeOf, verifier } from '#lib/testing/process/postern'
import { expect } from './postern.ts'
import type { ServerProcess } from './server-process.ts'
import { signIn } from './sign-in.ts'

const redirectUri = 'http://127.0.0.1:9/callback'
export const password = 'staple horse battery'
let count = 0

/** Creates a new person without an address and an app that requires one, and opens the app's request. */
export async function comeWithoutAddress(page: Page, postern: ServerProcess) {
  const person = { username: `newcomer-${process.pid}-${++count}`, password }
  const app = {
    client_id: 'notes',
    name: 'Acme Notes',
    kind: 'public',
    redirect_uris: [redirectUri],
    email: 'required',
  }
  const team = { id: 'acme', name: 'Acme', apps: [{ ...app, scopes: ['openid', 'email'] }] }
  await postern.apply({ teams: [team], people: [person] })
  await page.goto(
    `${postern.issuer}/oauth2/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: app.client_id,
      redirect_uri: redirectUri,
      scope: 'openid email',
      state: 'state',
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
    })}`,
  )
  await signIn(page, person)
  await expect(page.locator('#bind-submit')).toBeVisible()
  return { person, address: `${person.username}@example.org` }
}

/** Returns the code in the latest e-mail to an address. */
export async function readCode(page: Page, address: string): Promise<string> {
  return /^\s*(\d{6})$/m.exec(await readLetter(page, address))?.[1] ?? ''
}

/** Reads the latest e-mail to an address at /dev/inbox, as the person would. */
export async function readLetter(page: Page, address: string): Promise<string> {
  const inbox = await page.context().newPage()
  await inbox.goto('/dev/inbox')
  await inbox.getByRole('listitem').filter({ hasText: address }).first().getByRole('link').click()
  const text = await inbox.locator('pre').textContent()
  await inbox.close()
  return text ?? ''
}

/** Runs `press` and returns the URL that leads back to the app. Nothing listens at that URL. */
export async function arriveAtApp(page: Page, press: () => Promise<void>): Promise<URL> {
  const [request] = await Promise.all([page.waitForRequest(/127\.0\.0\.1:9\/callback/), press()])
  return new URL(request.url())
}
