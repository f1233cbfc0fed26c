import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { type Database, openDatabase } from '#lib/db/engine/client'
import { readConfig } from '#lib/server/settings/config'
import { challengeOf, verifier } from '#lib/testing/process/postern'
import { password } from './binding.ts'
import type { ServerProcess } from './server-process.ts'
import { signIn } from './sign-in.ts'

let count = 0

/**
 * Creates a person and an app, signs the person in, and hides the person's address from the app. `seenByApp` returns
 * the address that the app gets from userinfo.
 */
export async function hideFromApp(page: Page, postern: ServerProcess) {
  const username = `hidden-${process.pid}-${++count}`
  const person = { username, password, email: `${username}@example.org` }
  const site = await openSite()
  const app = { client_id: `letters-${username}`, name: 'Acme Letters', kind: 'public', redirect_uris: [site.url] }
  const apps = [{ ...app, scopes: ['openid', 'email'], email: 'optional' }]
  await postern.apply({ teams: [{ id: 'acme', name: 'Acme', apps }], people: [person] })
  const asked = { response_type: 'code', client_id: app.client_id, redirect_uri: site.url, scope: 'openid email' }
  const proof = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
  await page.goto(`${postern.issuer}/oauth2/authorize?${new URLSearchParams({ ...asked, state: 'state', ...proof })}`)
  await signIn(page, person)
  await page.locator('[name=email_choice][value=hidden]').check()
  await page.locator('#consent-allow').click()
  await page.waitForURL(({ origin, pathname }) => `${origin}${pathname}` === site.url)
  const code = new URL(page.url()).searchParams.get('code') ?? ''
  site.close()
  const token = await exchange(postern, { code, redirect_uri: site.url, client_id: app.client_id })
  const seenByApp = async () => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${postern.issuer}/userinfo`, { headers, signal: AbortSignal.timeout(10_000) })
    return ((await answer.json()) as { email?: string }).email
  }
  const alias = (await seenByApp()) ?? ''
  const path = `/account/hide-my-email/${alias.split('@')[0]}`
  return { person, app: app.name, appPath: `/account/apps/${app.client_id}`, alias, path, seenByApp }
}

/** Starts the app's own site, so that the browser has a page to return to. */
async function openSite() {
  const server = createServer((_, answer) => answer.end('Welcome back.')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Writes to the database what the relay would have recorded. */
export async function whenRelayHas(
  postern: ServerProcess,
  run: (prisma: Database['prisma']) => Promise<unknown>,
): Promise<void> {
  const database = await openDatabase(readConfig(postern.env).databaseUrl)
  try {
    await run(database.prisma)
  } finally {
    await database.close()
  }
}

async function exchange(postern: ServerProcess, grant: Record<string, string>): Promise<string> {
  const answer = await fetch(`${postern.issuer}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', code_verifier: verifier, ...grant }),
    signal: AbortSignal.timeout(10_000),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}
