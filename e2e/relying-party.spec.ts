import type { Page } from '@playwright/test'
import { exportJWK, generateKeyPair } from 'jose'
import * as client from 'openid-client'
import { shareAppServer } from './app-server.ts'
import { expect, test, withAndWithoutScript } from './postern.ts'
import { signIn } from './sign-in.ts'

const secret = 'a secret with +%: and spaces'
/** This file's own people, one for each script mode: a worker's server is shared and remembers consent. */
const personFor = (script: boolean) => ({
  username: script ? 'rita' : 'rob',
  password: 'correct horse battery',
  name: script ? 'Rita L.' : 'Rob M.',
  email: script ? 'rita@example.org' : 'rob@example.org',
})
type Person = ReturnType<typeof personFor>
const insecure = { execute: [client.allowInsecureRequests] }

const appServer = shareAppServer()

/** Takes a person through the pages and returns the final URL. */
async function visit(page: Page, person: Person, config: client.Configuration, scope: string) {
  const verifier = client.randomPKCECodeVerifier()
  const [state, nonce] = [client.randomState(), client.randomNonce()]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: appServer.redirectUri,
    scope,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const arrival = appServer.nextAnswer()
  await page.goto(url.href)
  await signIn(page, person)
  if (scope.includes('email')) await page.locator('[name=email_choice][value=regular]').check()
  await page.locator('#consent-allow').click()
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
  return client.authorizationCodeGrant(config, await arrival, checks)
}

const declare = (apps: object[], person: Person) => ({
  teams: [{ id: 'acme', name: 'Acme', apps }],
  people: [person],
})
const common = { name: 'Acme', scopes: ['openid', 'name', 'email'], email: 'optional' }

withAndWithoutScript(() => {
  test('completes exchange, userinfo, introspection, refresh and revocation with a stock client and discovery', async ({
    page,
    postern,
    javaScriptEnabled,
  }) => {
    const person = personFor(javaScriptEnabled)
    await postern.apply(
      declare(
        [
          {
            ...common,
            client_id: 'acme-web',
            kind: 'confidential',
            client_secret: secret,
            redirect_uris: [appServer.redirectUri],
          },
        ],
        person,
      ),
    )
    const config = await client.discovery(
      new URL(postern.issuer),
      'acme-web',
      {},
      client.ClientSecretBasic(secret),
      insecure,
    )
    const tokens = await visit(page, person, config, 'openid name email')
    const sub = tokens.claims()?.sub ?? ''
    const userinfo = await client.fetchUserInfo(config, tokens.access_token, sub)
    expect(userinfo).toMatchObject({ sub, name: person.name, email: person.email, email_verified: true, picture: '' })
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({
      active: true,
      sub,
      client_id: 'acme-web',
    })
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(refreshed.claims()?.sub).toBe(sub)
    await client.tokenRevocation(config, refreshed.refresh_token ?? '')
    await expect(client.fetchUserInfo(config, refreshed.access_token, sub)).rejects.toThrow()
    expect(await client.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false })
  })

  test('signs a fresh JWT assertion for every request', async ({ page, postern, javaScriptEnabled }) => {
    const person = personFor(javaScriptEnabled)
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = { ...(await exportJWK(publicKey)), kid: 'k1' }
    await postern.apply(
      declare(
        [
          {
            ...common,
            client_id: `acme-jwt-${person.username}`,
            kind: 'assertion',
            redirect_uris: [appServer.redirectUri],
            jwks: { keys: [jwk] },
          },
        ],
        person,
      ),
    )
    const authentication = client.PrivateKeyJwt({ key: privateKey, kid: 'k1' })
    const config = await client.discovery(
      new URL(postern.issuer),
      `acme-jwt-${person.username}`,
      {},
      authentication,
      insecure,
    )
    const tokens = await visit(page, person, config, 'openid name')
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(await client.tokenIntrospection(config, refreshed.access_token)).toMatchObject({ active: true })
    await client.tokenRevocation(config, refreshed.refresh_token ?? '')
    expect(await client.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false })
  })

  test('gives a public app on loopback no refresh token and asks for consent every time', async ({
    page,
    postern,
    javaScriptEnabled,
  }) => {
    const person = personFor(javaScriptEnabled)
    await postern.apply(
      declare([{ ...common, client_id: 'acme-cli', kind: 'public', redirect_uris: [appServer.redirectUri] }], person),
    )
    const config = await client.discovery(new URL(postern.issuer), 'acme-cli', {}, client.None(), insecure)
    const tokens = await visit(page, person, config, 'openid name')
    expect(tokens.refresh_token).toBeUndefined()
    await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')
    const verifier = client.randomPKCECodeVerifier()
    await page.goto(
      client.buildAuthorizationUrl(config, {
        redirect_uri: appServer.redirectUri,
        scope: 'openid name',
        state: 's',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href,
    )
    await expect(page.locator('#consent-allow')).toBeVisible()
  })
})

test('exchanges the code and reads userinfo across origins in a browser app', async ({ page, postern }) => {
  const person = personFor(true)
  await postern.apply(
    declare([{ ...common, client_id: 'acme-spa', kind: 'public', redirect_uris: [appServer.redirectUri] }], person),
  )
  const config = await client.discovery(new URL(postern.issuer), 'acme-spa', {}, client.None(), insecure)
  const verifier = client.randomPKCECodeVerifier()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: appServer.redirectUri,
    scope: 'openid name',
    state: 's',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  await page.goto(url.href)
  await signIn(page, person)
  await page.locator('#consent-allow').click()
  await page.waitForURL(`${appServer.redirectUri}**`)
  const learned = await page.evaluate(
    async ({ issuer, form }) => {
      const found = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()
      const tokens = await (
        await fetch(found.token_endpoint, { method: 'POST', body: new URLSearchParams(form) })
      ).json()
      const headers = { authorization: `Bearer ${tokens.access_token}` }
      const refused = await fetch(found.userinfo_endpoint, { headers: { authorization: 'Bearer x' } })
      return {
        userinfo: await (await fetch(found.userinfo_endpoint, { headers })).json(),
        keys: (await (await fetch(found.jwks_uri)).json()).keys.length,
        challenge: refused.headers.get('www-authenticate'),
      }
    },
    {
      issuer: postern.issuer,
      form: {
        grant_type: 'authorization_code',
        client_id: 'acme-spa',
        code: new URL(page.url()).searchParams.get('code') ?? '',
        redirect_uri: appServer.redirectUri,
        code_verifier: verifier,
      },
    },
  )
  expect(learned).toMatchObject({
    userinfo: { name: person.name },
    // One for ES256 and one for RS256.
    keys: 2,
    challenge: expect.stringContaining('invalid_token'),
  })
})
