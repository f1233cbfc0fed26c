import { makeAssertionKey, signJwt } from '#lib/testing/oauth/assertions'
import type { Changes, Client } from './client.ts'
import { expect, type Provider, test } from './provider.ts'
import { refusalOf } from './refusal.ts'
import { openAgent } from './user-agent.ts'

let app: Client
test.beforeAll(async ({ provider }) => {
  app = await provider.client('oidc', { kind: 'assertion' })
})

const seconds = () => Math.floor(Date.now() / 1000)

const open = (provider: Provider, client: Client, beside: Changes, agent = openAgent(provider)) => {
  const query = new URLSearchParams({ client_id: client.id, ...(beside as Record<string, string>) })
  return agent.open(`${provider.discovery.authorization_endpoint}?${query}`)
}

/** Returns the error that the app gets for a request object. */
const refusedAt = async (provider: Provider, request: string, client = app) =>
  (await open(provider, client, { request })).returned?.error

test.describe('RFC 9101 §4 Request Object', () => {
  test('carries the parameters as claims of a signed JWT', async ({ provider }) => {
    const agent = openAgent(provider)
    const request = await app.requestObject({ state: 'inner', max_age: 600 })
    const answer = await agent.finish(await open(provider, app, { request }, agent))
    expect(answer).toEqual({ code: expect.any(String), state: 'inner', iss: provider.issuer })
    expect((await app.exchange(answer)).status).toBe(200)
  })

  // "request and request_uri parameters MUST NOT be included in Request Objects."
  for (const name of ['request', 'request_uri'])
    test(`refuses ${name} inside`, async ({ provider }) => {
      const request = await app.requestObject({ [name]: 'https://app.example/request.jwt' })
      expect(await refusedAt(provider, request)).toBe('invalid_request_object')
    })

  test('accepts aud as the issuer or as a list with it, and no other', async ({ provider }) => {
    for (const aud of [provider.issuer, ['https://other.example', provider.issuer]]) {
      const page = await open(provider, app, { request: await app.requestObject({ aud }) })
      expect(page.url.pathname).toBe('/signin')
    }
    for (const aud of ['https://other.example', undefined, `${provider.issuer}/`])
      expect(await refusedAt(provider, await app.requestObject({ aud }))).toBe('invalid_request_object')
  })

  test('accepts the type oauth-authz-req+jwt, JWT, and none', async ({ provider }) => {
    for (const typ of ['oauth-authz-req+jwt', 'JWT', undefined]) {
      const page = await open(provider, app, { request: await app.requestObject({}, { typ }) })
      expect(page.url.pathname).toBe('/signin')
    }
  })
})

test.describe('RFC 9101 §5 Authorization Request', () => {
  // "client_id ... REQUIRED ... The value MUST match the request or request_uri Request Object's client_id."
  test('needs the client_id of the object beside it', async ({ provider }) => {
    const request = await app.requestObject()
    const url = `${provider.discovery.authorization_endpoint}?${new URLSearchParams({ request })}`
    expect((await openAgent(provider).open(url)).status).toBe(400)
    for (const client_id of ['other', undefined])
      expect(await refusedAt(provider, await app.requestObject({ client_id }))).toBe('invalid_request_object')
  })

  test('never fetches a request_uri (§5.2, §10.4)', async ({ provider }) => {
    const beside = app.request({ request_uri: 'https://app.example/request.jwt' })
    const { returned } = await open(provider, app, beside)
    expect(returned).toMatchObject({ error: 'request_uri_not_supported', state: 'the state' })
    expect(provider.discovery.request_uri_parameter_supported).toBe(false)
  })

  test('refuses request beside request_uri', async ({ provider }) => {
    const beside = app.request({ request: await app.requestObject(), request_uri: 'https://app.example/r' })
    expect((await open(provider, app, beside)).returned).toHaveProperty('error')
  })
})

test.describe('RFC 9101 §6 Validating JWT-Based Requests', () => {
  test('refuses a signature by another key, and a changed object (§6.2)', async ({ provider }) => {
    const { privateKey } = await makeAssertionKey('k1')
    const now = seconds()
    const claims = { ...app.request(), iss: app.id, aud: provider.issuer, iat: now, nbf: now, exp: now + 300 }
    const header = { alg: 'ES256', kid: app.key.kid, typ: 'oauth-authz-req+jwt' }
    expect(await refusedAt(provider, await signJwt(claims, header, privateKey))).toBe('invalid_request_object')
    const [head, , signature] = (await app.requestObject()).split('.')
    const changed = Buffer.from(JSON.stringify({ ...claims, scope: 'openid email' })).toString('base64url')
    expect(await refusedAt(provider, `${head}.${changed}.${signature}`)).toBe('invalid_request_object')
  })

  test('refuses alg none and symmetric algorithms (§10.1), and lists neither', async ({ provider }) => {
    const [, claims] = (await app.requestObject()).split('.')
    for (const alg of ['none', 'HS256']) {
      const header = Buffer.from(JSON.stringify({ alg })).toString('base64url')
      expect(await refusedAt(provider, `${header}.${claims}.`)).toBe('invalid_request_object')
    }
    const listed = provider.discovery.request_object_signing_alg_values_supported as string[]
    expect(listed.filter((alg) => /^(none|HS)/.test(alg))).toEqual([])
  })

  test('accepts request_object_signing_alg alone, if it is registered', async ({ provider }) => {
    const client = await provider.client('oidc', { kind: 'assertion', request_object_signing_alg: 'PS256' })
    expect(await refusedAt(provider, await client.requestObject(), client)).toBe('invalid_request_object')
  })

  test('refuses an expired object', async ({ provider }) => {
    const request = await app.requestObject({ exp: seconds() - 5 })
    expect(await refusedAt(provider, request)).toBe('invalid_request_object')
  })

  // "The authorization server MUST only use the parameters in the Request Object, even if the same parameter is
  // provided in the query parameter." (§6.3)
  test('uses only the parameters of the object', async ({ provider }) => {
    const request = await app.requestObject({ prompt: 'none', state: 'inner' })
    const beside = { request, state: 'outer', prompt: 'login', scope: 'x', response_type: 'token' }
    expect((await open(provider, app, beside)).returned).toMatchObject({ error: 'login_required', state: 'inner' })
    const stateless = await app.requestObject({ prompt: 'none', state: undefined })
    expect((await open(provider, app, { request: stateless, state: 'outer' })).returned).not.toHaveProperty('state')
  })

  test('validates the parameters as of any request (§6.3)', async ({ provider }) => {
    const plain = await app.requestObject({ code_challenge_method: 'plain' })
    expect(await refusedAt(provider, plain)).toBe('invalid_request')
    const page = await open(provider, app, {
      request: await app.requestObject({ redirect_uri: 'https://evil.example/' }),
    })
    expect([page.isApp, page.status]).toEqual([false, 400])
  })
})

test.describe('RFC 9101 §7 Authorization Server Response', () => {
  test('is request_not_supported for an app without keys', async ({ provider }) => {
    const keyless = await provider.client('oidc')
    const beside = keyless.request({ request: await app.requestObject({ client_id: keyless.id, iss: keyless.id }) })
    expect((await open(provider, keyless, beside)).returned?.error).toBe('request_not_supported')
  })

  test('goes to a registered redirect URI alone, with the state of the refused object', async ({ provider }) => {
    const request = await app.requestObject({ aud: 'x', state: 'inner' })
    const { url, returned } = await open(provider, app, { request })
    expect(url.href.startsWith(app.redirectUri)).toBe(true)
    expect(returned).toMatchObject({ error: 'invalid_request_object', state: 'inner', iss: provider.issuer })
    const foreign = await app.requestObject({ aud: 'x', redirect_uri: 'https://evil.example/' })
    expect((await open(provider, app, { request: foreign })).isApp).toBe(false)
  })
})

test.describe('RFC 9101 §9, §10 Metadata and Security Considerations', () => {
  test('require_signed_request_object refuses an unsigned request (§10.5)', async ({ provider }) => {
    const client = await provider.client('oidc', { kind: 'assertion', require_signed_request_object: true })
    const { returned } = await open(provider, client, client.request())
    expect(returned).toMatchObject({ error: 'invalid_request', state: 'the state' })
    expect(refusalOf(await client.push(client.request()))).toBe('400 invalid_request')
    expect((await client.push({ request: await client.requestObject() })).status).toBe(201)
  })

  test('a client assertion is no request object, and a request object no assertion (§10.8)', async ({ provider }) => {
    const assertion = await app.assertion({ ...app.request() })
    expect(await refusedAt(provider, assertion)).toBe('invalid_request_object')
    const object = await app.requestObject({ sub: app.id, jti: 'x' }, { typ: 'JWT' })
    expect(await refusedAt(provider, object)).toBe('invalid_request_object')
    const client_assertion = await app.requestObject({ sub: app.id, jti: 'x' })
    expect(refusalOf(await app.push({ ...app.request(), client_assertion }))).toBe('401 invalid_client')
  })
})
