import { decodeJwt } from 'jose'
import type { Client } from './client.ts'
import { expect, test } from './provider.ts'
import { refusalOf } from './refusal.ts'
import { tokensOf } from './tokens.ts'
import { formOf, openAgent, plain, type UserAgent } from './user-agent.ts'

let app: Client
let agent: UserAgent
test.beforeAll(async ({ provider }) => {
  app = await provider.client('fapi2')
  agent = openAgent(provider)
})

/** Requirements without a module in the official plans; `plan-fapi2.spec.ts` has those with one. */
test.describe('FAPI 2.0 Security Profile §5.3.2.1 General requirements', () => {
  test('distributes its metadata by OpenID Connect Discovery and RFC 8414', async ({ provider }) => {
    const documents = ['openid-configuration', 'oauth-authorization-server'].map(async (name) =>
      (await provider.send(`/.well-known/${name}`)).json(),
    )
    const [first, second] = await Promise.all(documents)
    expect(second).toEqual(first)
  })

  test('rejects the resource owner password credentials grant, and every other grant but two', async ({ provider }) => {
    expect(provider.discovery.grant_types_supported).toEqual(['authorization_code', 'refresh_token'])
    for (const grant_type of ['password', 'client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange']) {
      const form = { grant_type, username: 'ada', password: 'x', scope: 'openid' }
      expect(refusalOf(await app.token(form))).toBe('400 unsupported_grant_type')
    }
  })

  test('supports only confidential clients, by private_key_jwt', async ({ provider }) => {
    for (const kind of ['public', 'confidential'])
      await expect(provider.client('fapi2', { kind })).rejects.toThrow(/must be assertion for an app of kind/)
  })

  test('issues only sender-constrained access tokens', async () => {
    const { access_token, token_type } = await tokensOf(agent, app)
    expect([token_type, decodeJwt(access_token).cnf]).toEqual(['DPoP', { jkt: app.proofPair.jkt }])
  })

  test('does not expose open redirectors: a redirect URI is exactly a registered one', async () => {
    for (const redirect_uri of ['https://evil.example/', `${app.redirectUri}/`, app.redirectUri.toUpperCase()])
      expect(refusalOf(await app.push(app.request({ redirect_uri })))).toBe('400 invalid_request')
  })

  test('does not rotate refresh tokens', async () => {
    const { refresh_token } = await tokensOf(agent, app)
    const answers = [await app.refresh(refresh_token), await app.refresh(refresh_token)]
    expect(answers.map((answer) => answer.json().refresh_token)).toEqual([refresh_token, refresh_token])
  })
})

test.describe('FAPI 2.0 Security Profile §5.3.2.2 Authorization code flow', () => {
  test('rejects a pushed request without client authentication', async () => {
    const none = { client_assertion: undefined, client_assertion_type: undefined }
    expect(refusalOf(await app.push({ ...app.request(), ...none }))).toBe('401 invalid_client')
  })

  test('does not allow redirect URIs with http', async ({ provider }) => {
    const redirect_uris = ['http://app.example/callback']
    await expect(provider.client('fapi2', { redirect_uris })).rejects.toThrow(/must be https/)
  })

  // "shall not use the HTTP 307 status code ... should use the HTTP 303 status code"
  test('redirects with 303, from the sign-in to the app', async ({ provider }) => {
    const own = openAgent(provider)
    const start = await provider.send(await app.authorizationUrl())
    expect(start.status).toBe(303)
    const page = await own.open(await app.authorizationUrl({ prompt: 'consent' }))
    const consent = await own.signIn(page)
    const back = await own.submit(formOf(consent, '/consent/submit'))
    expect([back.isApp, back.status]).toEqual([true, 303])
  })

  test('gives request_uri a lifetime of less than 600 seconds', async () => {
    expect((await app.push(app.request())).json().expires_in).toBeLessThan(600)
  })

  test('names the app and what it asks for on the consent page', async ({ provider }) => {
    const own = openAgent(provider)
    const consent = await own.signIn(
      await own.open(await app.authorizationUrl({ scope: 'openid email', prompt: 'consent' })),
    )
    expect(consent.text).toContain(`App ${app.id}`)
    expect(plain(consent.text)).toContain('Share my e-mail address')
  })
})

test.describe('FAPI 2.0 Security Profile §5.3.2.3 Returning the identifier of the person', () => {
  test('returns an ID token with sub and nonce when openid was asked', async () => {
    const { id_token } = await tokensOf(agent, app, { nonce: 'n'.repeat(64) })
    expect(decodeJwt(id_token)).toMatchObject({ sub: expect.any(String), nonce: 'n'.repeat(64), aud: app.id })
  })
})

test.describe('FAPI 2.0 Security Profile §5.3.4 Requirements for resource servers', () => {
  test('accepts access tokens in the Authorization header, never in the query', async ({ provider }) => {
    const { access_token } = await tokensOf(agent, app)
    expect((await app.userinfo(access_token)).status).toBe(200)
    const url = `${provider.discovery.userinfo_endpoint}?access_token=${access_token}`
    const dpop = await app.proof({ method: 'GET', accessToken: access_token }, provider.discovery.userinfo_endpoint)
    expect((await provider.send(url, { headers: { dpop } })).status).toBe(401)
  })

  test('verifies integrity and revocation of a token', async () => {
    const { access_token } = await tokensOf(agent, app)
    const changed = `${access_token.slice(0, -4)}${access_token.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`
    expect((await app.userinfo(changed)).status).toBe(401)
    expect((await app.revoke(access_token)).status).toBe(200)
    expect((await app.userinfo(access_token)).status).toBe(401)
  })

  test('verifies that the token is for this server: a token for an API does not open userinfo', async ({
    provider,
  }) => {
    const apis = [{ identifier: 'https://api.fapi.example/v1', name: 'API', scopes: ['v1.read'] }]
    await provider.apply({ teams: [{ id: 'with-api', name: 'With API', apis }] })
    const client = await provider.client('fapi2', { team: 'with-api' })
    const resource = 'https://api.fapi.example/v1'
    const code = await agent.authorize(client, { resource, scope: 'openid v1.read' })
    const { access_token } = (await client.exchange(code, { resource })).json()
    expect((await client.userinfo(access_token)).status).toBe(401)
  })
})

test.describe('FAPI 2.0 Security Profile §5.4 Cryptography and secrets', () => {
  test('publishes RSA keys of 2048 bits or more, and EC keys of 224 bits or more', async ({ provider }) => {
    type Jwk = { kty: string; n?: string; crv?: string; d?: string; kid?: string }
    const { keys } = (await provider.send(provider.discovery.jwks_uri)).json() as { keys: Jwk[] }
    for (const { kty, n = '', crv, d, kid } of keys) {
      expect([d, typeof kid]).toEqual([undefined, 'string'])
      if (kty === 'RSA') expect(Buffer.from(n, 'base64url').length * 8).toBeGreaterThanOrEqual(2048)
      else expect([kty, crv]).toEqual(['EC', 'P-256'])
    }
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length)
  })

  // In base64url, 22 characters have room for 128 bits.
  test('makes codes, refresh tokens and the jti of access tokens with room for 128 random bits', async () => {
    const answer = await agent.authorize(app)
    const { access_token, refresh_token } = (await app.exchange(answer)).json()
    for (const secret of [answer.code, refresh_token, decodeJwt(access_token).jti]) expect(secret).toMatch(/[\w-]{22}/)
  })
})
