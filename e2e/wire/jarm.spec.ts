import { decodeJwt, decodeProtectedHeader } from 'jose'
import type { Changes, Client } from './client.ts'
import { expect, type Provider, test } from './provider.ts'
import { readSignedResponse } from './signed-response.ts'
import { openAgent, type UserAgent } from './user-agent.ts'

let app: Client
let agent: UserAgent
test.beforeAll(async ({ provider }) => {
  app = await provider.client('oidc')
  agent = openAgent(provider)
})

const ask = async (provider: Provider, changes: Changes, client = app) =>
  readSignedResponse(provider, client, await agent.authorize(client, { response_mode: 'jwt', ...changes }))

const seconds = () => Math.floor(Date.now() / 1000)

test.describe('JARM §2.1 The JWT Response Document', () => {
  test('has iss, aud, a short exp and the parameters of the response', async ({ provider }) => {
    const { claims } = await ask(provider, {})
    expect(Object.keys(claims).sort()).toEqual(['aud', 'code', 'exp', 'iss', 'state'])
    expect(claims).toMatchObject({ iss: provider.issuer, aud: app.id, state: 'the state' })
    // "A maximum JWT lifetime of 10 minutes is RECOMMENDED."
    expect(Number(claims.exp) - seconds()).toBeLessThanOrEqual(600)
    expect((await app.exchange({ code: claims.code as string })).status).toBe(200)
  })

  for (const [error, changes] of [
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_scope', { scope: 'name' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['consent_required', { prompt: 'none', scope: 'openid region' }],
  ] as const)
    test(`has the error ${error} and the state (§2.1.1)`, async ({ provider }) => {
      const { claims } = await ask(provider, changes)
      expect(claims).toMatchObject({ error, error_description: expect.any(String), state: 'the state' })
      expect(claims).not.toHaveProperty('code')
    })

  test('has no state if none was sent', async ({ provider }) => {
    expect((await ask(provider, { state: undefined })).claims).not.toHaveProperty('state')
  })
})

test.describe('JARM §2.2 Signing and Encryption', () => {
  test('signs with a published key that kid names', async ({ provider }) => {
    const { header } = await ask(provider, {})
    const { keys } = (await provider.send(provider.discovery.jwks_uri)).json()
    expect(keys.map(({ kid }: { kid: string }) => kid)).toContain(header.kid)
  })
})

test.describe('JARM §2.3 Response Encoding', () => {
  for (const response_mode of ['jwt', 'query.jwt'])
    test(`adds response to the query of the redirect URI with ${response_mode} (§2.3.1, §2.3.4)`, async ({
      provider,
    }) => {
      const page = await agent.open(await app.authorizationUrl({ response_mode, prompt: 'none', state: 'a b&c' }))
      expect([page.isApp, page.url.hash]).toEqual([true, ''])
      expect((await readSignedResponse(provider, app, page.returned)).claims.state).toBe('a b&c')
    })

  test('posts response with form_post.jwt (§2.3.3)', async ({ provider }) => {
    const page = await agent.open(await app.authorizationUrl({ response_mode: 'form_post.jwt' }))
    const form = page.forms.find(({ action }) => action.href === app.redirectUri)
    expect([page.isApp, form?.method, form?.fields.map(([name]) => name)]).toEqual([false, 'POST', ['response']])
    expect((await readSignedResponse(provider, app, page.returned)).claims).toHaveProperty('code')
  })

  test('keeps the query of the redirect URI', async ({ provider }) => {
    const redirect_uri = 'https://app.example/jarm/callback?dummy1=lorem&dummy2=ipsum'
    const client = await provider.client('oidc', { redirect_uris: [redirect_uri] })
    const page = await agent.open(await client.authorizationUrl({ redirect_uri, response_mode: 'jwt', prompt: 'none' }))
    const { dummy1, dummy2, ...returned } = page.returned ?? {}
    expect([dummy1, dummy2]).toEqual(['lorem', 'ipsum'])
    expect((await readSignedResponse(provider, client, returned)).claims.error).toBe('consent_required')
  })

  test('refuses a mode that is not listed, in a plain answer', async ({ provider }) => {
    expect(provider.discovery.response_modes_supported).not.toContain('fragment.jwt')
    const answer = await agent.authorize(app, { response_mode: 'fragment.jwt' })
    expect(answer).toMatchObject({ error: 'invalid_request', state: 'the state' })
  })
})

test.describe('JARM §3 Client Metadata', () => {
  test('authorization_signed_response_alg is RS256 if omitted, or as registered', async ({ provider }) => {
    expect((await ask(provider, {})).header.alg).toBe('RS256')
    const es256 = await provider.client('oidc', { authorization_signed_response_alg: 'ES256' })
    expect((await ask(provider, {}, es256)).header.alg).toBe('ES256')
    expect((await ask(provider, { response_type: 'token' }, es256)).header.alg).toBe('ES256')
  })
})

test.describe('JARM §4 Authorization Server Metadata', () => {
  test('lists the modes and the algorithms, and no encryption', ({ provider }) => {
    const { response_modes_supported: modes, authorization_signing_alg_values_supported: algs } = provider.discovery
    expect(modes).toEqual(expect.arrayContaining(['jwt', 'query.jwt', 'form_post.jwt']))
    expect(algs).toEqual(expect.arrayContaining(['RS256', 'ES256']))
    expect(algs).not.toContain('none')
    expect(provider.discovery).not.toHaveProperty('authorization_encryption_alg_values_supported')
    expect(provider.discovery).not.toHaveProperty('authorization_encryption_enc_values_supported')
  })
})

test.describe('JARM §5 Security Considerations', () => {
  test('a response is no ID token: it has no sub, and is refused as a hint', async ({ provider }) => {
    const { response } = await agent.authorize(app, { response_mode: 'jwt' })
    expect(decodeJwt(response ?? '')).not.toHaveProperty('sub')
    expect(decodeProtectedHeader(response ?? '').typ).toBe('JWT')
    const answer = await openAgent(provider).authorize(app, { id_token_hint: response })
    expect(answer.error).toBe('invalid_request')
  })
})

test.describe('RFC 9207 Authorization Server Issuer Identification', () => {
  // "authorization servers MUST indicate their support ... by setting the metadata parameter" (§3)
  test('is announced in the metadata', ({ provider }) => {
    expect(provider.discovery.authorization_response_iss_parameter_supported).toBe(true)
  })

  // "include the issuer identifier in authorization responses ... including error responses" (§2)
  test('adds iss, equal to the issuer of the metadata, to a code and to an error', async ({ provider }) => {
    expect((await agent.authorize(app)).iss).toBe(provider.discovery.issuer)
    const refused = await agent.authorize(app, { response_type: 'token' })
    expect([refused.error, refused.iss]).toEqual(['unsupported_response_type', provider.discovery.issuer])
  })

  // "If an authorization response is secured by JARM ... the iss parameter outside is not needed" (§2.4)
  test('leaves iss out beside a signed response', async () => {
    expect(Object.keys(await agent.authorize(app, { response_mode: 'jwt' }))).toEqual(['response'])
  })
})
