import type { Page } from '@playwright/test'
import { exportJWK, generateKeyPair } from 'jose'
import * as client from 'openid-client'
import { shareAppServer } from './app-server.ts'
import { expect, test } from './postern.ts'
import { signIn } from './sign-in.ts'

const person = { username: 'petra', password: 'correct horse battery', name: 'Petra L.', email: 'petra@example.org' }
const secret = 'a secret with +%: and spaces'
const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1' }] }
const key = { key: privateKey, kid: 'k1' }

const appServer = shareAppServer()

const appsOf = (uri: string) => {
  const common = { name: 'Acme', scopes: ['openid', 'name'], redirect_uris: [uri] }
  return [
    { ...common, client_id: 'pushing', kind: 'confidential', client_secret: secret },
    { ...common, client_id: 'signing', kind: 'confidential', client_secret: secret, profile: 'oidc', jwks },
    { ...common, client_id: 'both', kind: 'assertion', profile: 'oidc', jwks, require_signed_request_object: true },
  ]
}

/** Prepares the library for an app, and the parameters of its request. */
async function prepare(issuer: string, clientId: string, authentication: client.ClientAuth) {
  const options = { execute: [client.allowInsecureRequests] }
  const config = await client.discovery(new URL(issuer), clientId, {}, authentication, options)
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
  const parameters = {
    redirect_uri: appServer.redirectUri,
    scope: 'openid name',
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  }
  return { config, parameters, checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true } }
}

/** Takes the person through the pages and returns the address that they return to. */
async function visit(page: Page, url: URL): Promise<URL> {
  const arrival = appServer.nextAnswer()
  await page.goto(url.href)
  await signIn(page, person)
  await page.locator('#consent-allow').click()
  return arrival
}

test.beforeEach(async ({ postern }) => {
  await postern.apply({ teams: [{ id: 'acme', name: 'Acme', apps: appsOf(appServer.redirectUri) }], people: [person] })
})

test('pushes a request with a stock client (RFC 9126)', async ({ page, postern }) => {
  const { config, parameters, checks } = await prepare(postern.issuer, 'pushing', client.ClientSecretBasic(secret))
  const url = await client.buildAuthorizationUrlWithPAR(config, parameters)
  expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
  const tokens = await client.authorizationCodeGrant(config, await visit(page, url), checks)
  expect(await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')).toMatchObject({
    name: person.name,
  })
})

test('signs its request and verifies the signed answer with a stock client (RFC 9101, JARM)', async ({
  page,
  postern,
}) => {
  const { config, parameters, checks } = await prepare(postern.issuer, 'signing', client.ClientSecretBasic(secret))
  client.useJwtResponseMode(config)
  const url = await client.buildAuthorizationUrlWithJAR(config, parameters, key)
  expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request'])
  const back = await visit(page, url)
  expect([...back.searchParams.keys()]).toEqual(['response'])
  const tokens = await client.authorizationCodeGrant(config, back, checks)
  expect(tokens.claims()?.sub).toBeTruthy()
})

test('pushes a signed request, signs its assertions and verifies the signed answer', async ({ page, postern }) => {
  const { config, parameters, checks } = await prepare(postern.issuer, 'both', client.PrivateKeyJwt(key))
  client.useJwtResponseMode(config)
  const signed = await client.buildAuthorizationUrlWithJAR(config, parameters, key)
  const url = await client.buildAuthorizationUrlWithPAR(config, signed.searchParams)
  expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
  const tokens = await client.authorizationCodeGrant(config, await visit(page, url), checks)
  expect(tokens.refresh_token).toBeTruthy()
})
