import type { Client } from './client.ts'
import { type Answer, expect, type Provider, people, type Sent, test } from './provider.ts'
import { readIdToken, type Tokens, tokensOf } from './tokens.ts'
import { openAgent } from './user-agent.ts'

const scope = 'openid profile email'
let client: Client
let tokens: Tokens
test.beforeAll(async ({ provider }) => {
  client = await provider.client('oidc')
  tokens = await tokensOf(openAgent(provider), client, { scope })
})

const ask = (provider: Provider, sent: Sent) => provider.send(provider.discovery.userinfo_endpoint, sent)
const bearer = (token = tokens.access_token) => ({ authorization: `Bearer ${token}` })
const refused = ({ status, headers, text }: Answer) => [status, headers.get('www-authenticate'), text]

test.describe('OpenID Connect Core 1.0 §5.3 UserInfo Endpoint', () => {
  // "Communication with the UserInfo Endpoint MUST utilize TLS."
  test('has an https address and keeps browsers on TLS', async ({ provider }) => {
    expect(provider.discovery.userinfo_endpoint).toMatch(/^https:/)
    const { headers } = await ask(provider, { headers: bearer() })
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{7,}/)
  })

  // "The UserInfo Endpoint MUST support the use of the HTTP GET and HTTP POST methods". Modules oidcc-userinfo-get and
  // oidcc-userinfo-post-header.
  test('answers GET and POST with the token in the header, and no other method', async ({ provider }) => {
    const answers = await Promise.all(['GET', 'POST'].map((method) => ask(provider, { method, headers: bearer() })))
    for (const { status, json } of answers) {
      expect(status).toBe(200)
      expect(json()).toMatchObject({ sub: expect.any(String), email: people.ada.email })
    }
    expect((await ask(provider, { method: 'PUT', headers: bearer() })).status).toBe(405)
  })

  // "The UserInfo Endpoint MUST accept Access Tokens as OAuth 2.0 Bearer Token Usage" (RFC 6750 §2.2). Module
  // oidcc-userinfo-post-body.
  test('answers POST with the token in the form', async ({ provider }) => {
    const { status, json } = await ask(provider, { form: { access_token: tokens.access_token } })
    expect([status, json().email]).toEqual([200, people.ada.email])
  })

  // RFC 6749 §5.1: the token type is case insensitive.
  test('accepts the scheme Bearer in any case', async ({ provider }) => {
    const authorization = `bearer ${tokens.access_token}`
    expect((await ask(provider, { headers: { authorization } })).status).toBe(200)
  })

  // "The UserInfo Endpoint SHOULD support the use of Cross-Origin Resource Sharing (CORS)"
  test('answers browser apps of other origins, and their preflight request', async ({ provider }) => {
    const origin = 'https://spa.example'
    const asked = { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' }
    const preflight = await ask(provider, { method: 'OPTIONS', headers: asked })
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization')
    expect((await ask(provider, { headers: { ...bearer(), origin } })).headers.get('access-control-allow-origin')).toBe(
      '*',
    )
  })
})

test.describe('OpenID Connect Core 1.0 §5.3.2 Successful UserInfo Response', () => {
  // "The UserInfo Claims MUST be returned as the members of a JSON object"; "The UserInfo Endpoint MUST return a
  // content-type header"; it "MUST be application/json"; "SHOULD be encoded using UTF-8".
  test('returns a JSON object in UTF-8 as application/json', async ({ provider }) => {
    const eve = { username: 'userinfo-eve', password: 'correct horse battery', name: 'エイダ・ラヴレス 😀' }
    await provider.apply({ people: [eve] })
    const answer = await client.userinfo(
      (await tokensOf(openAgent(provider, { person: eve }), client, { scope })).access_token,
    )
    expect(answer.headers.get('content-type')).toMatch(/^application\/json(;\s*charset=utf-8)?$/i)
    expect(answer.json()).toMatchObject({ name: eve.name })
  })

  // "The sub (subject) Claim MUST always be returned in the UserInfo Response."; it is "to exactly match the sub Claim
  // in the ID Token".
  test('returns the sub of the ID token, with the scope openid alone too', async ({ provider }) => {
    const alone = await tokensOf(openAgent(provider), client, { scope: 'openid' })
    for (const { access_token, id_token } of [tokens, alone]) {
      const { claims } = await readIdToken(provider, client, id_token)
      expect((await client.userinfo(access_token)).json().sub).toBe(claims.sub)
    }
    expect(Object.keys((await client.userinfo(alone.access_token)).json())).toEqual(['sub'])
  })

  // "If a Claim is not returned, that Claim Name SHOULD be omitted from the JSON object representing the Claims; it SHOULD
  // NOT be present with a null or empty string value."
  test('omits claims that a person has not set', async ({ provider }) => {
    const agent = openAgent(provider, { person: people.bob })
    const { access_token } = await tokensOf(agent, client, { scope: 'openid profile' })
    expect((await client.userinfo(access_token)).json()).toEqual({
      sub: expect.any(String),
      preferred_username: 'bob',
      updated_at: expect.any(Number),
    })
  })

  test('forbids that caches store the answer (RFC 6750 §5.3)', async ({ provider }) => {
    expect((await ask(provider, { headers: bearer() })).headers.get('cache-control')).toContain('no-store')
  })
})

test.describe('OpenID Connect Core 1.0 §5.3.3 UserInfo Error Response', () => {
  // RFC 6750 §3.1: "If the request lacks any authentication information …, the resource server SHOULD NOT include an error
  // code or other error information."
  test('answers 401 with a bare challenge to a request without a token', async ({ provider }) => {
    expect(refused(await ask(provider, {}))).toEqual([401, 'Bearer', ''])
    const basic = { authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}` }
    expect(refused(await ask(provider, { headers: basic }))).toEqual([401, 'Bearer', ''])
  })

  // RFC 6750 §3.1: "invalid_token … expired, revoked, malformed, or invalid for other reasons. The resource SHOULD respond
  // with the HTTP 401"
  test('refuses a changed, a foreign and a revoked token as invalid_token', async ({ provider }) => {
    const revoked = await tokensOf(openAgent(provider), client, { scope })
    await client.revoke(revoked.access_token)
    const [header, payload] = tokens.access_token.split('.')
    const changed = [`${header}.${payload}.AAAA`, `${header}.${payload}.`, 'x', tokens.id_token, tokens.refresh_token]
    for (const token of [...changed, revoked.access_token])
      expect(refused(await ask(provider, { headers: bearer(token) }))).toEqual([
        401,
        expect.stringMatching(/^Bearer .*error="invalid_token"/),
        '',
      ])
  })

  // RFC 6750 §2: "Clients MUST NOT use more than one method to transmit the token in each request."; §3.1: invalid_request
  // with 400.
  test('refuses two tokens in one request as invalid_request', async ({ provider }) => {
    const answer = await ask(provider, { headers: bearer(), form: { access_token: tokens.access_token } })
    expect(refused(answer)).toEqual([400, expect.stringMatching(/error="invalid_request"/), ''])
  })

  // RFC 6750 §2.3: a token in the query "SHOULD NOT be used"; Postern ignores it.
  test('ignores a token in the query', async ({ provider }) => {
    const url = `${provider.discovery.userinfo_endpoint}?access_token=${tokens.access_token}`
    expect(refused(await provider.send(url))).toEqual([401, 'Bearer', ''])
  })

  // Profile `standard` accepts a token only in the header (RFC 6750 §2.1; specification §4.6).
  test('ignores a token in the form of an app of profile standard', async ({ provider }) => {
    const strict = await provider.client('standard')
    const { access_token } = await tokensOf(openAgent(provider), strict)
    expect(refused(await ask(provider, { form: { access_token } }))).toEqual([401, 'Bearer', ''])
    expect((await strict.userinfo(access_token)).status).toBe(200)
  })
})
