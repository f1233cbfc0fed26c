import type { Changes, Client } from './client.ts'
import { expect, test } from './provider.ts'
import { idTokenOf } from './tokens.ts'
import { formOf, openAgent, plain, type UserAgent } from './user-agent.ts'

let agent: UserAgent
let client: Client
test.beforeAll(async ({ provider }) => {
  agent = openAgent(provider)
  client = await provider.client('oidc')
})

test.describe('OpenID Connect Core 1.0 §3.1.2.1 Authentication Request', () => {
  // "Authorization Servers MUST support the use of the HTTP GET and POST methods … at the Authorization Endpoint."
  // "If using the HTTP POST method, the request parameters are serialized using Form Serialization."
  test('accepts the request by GET and as a form by POST', async ({ provider }) => {
    expect((await agent.authorize(client)).code).toBeDefined()
    const posted = await agent.open(provider.discovery.authorization_endpoint, { form: client.request() })
    expect((await agent.finish(posted)).code).toBeDefined()
  })

  // "Communication with the Authorization Endpoint MUST utilize TLS." (§3.1.2)
  test('keeps browsers on TLS with Strict-Transport-Security', async ({ provider }) => {
    const { headers } = await provider.send(await client.authorizationUrl())
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{7,}/)
    expect(headers.get('location')).toMatch(/^https:/)
  })

  // "scope REQUIRED. OpenID Connect requests MUST contain the openid scope value."
  test('refuses a request without the scope openid as invalid_scope', async () => {
    expect(await agent.authorize(client, { scope: 'name' })).toMatchObject({ error: 'invalid_scope' })
    expect(await agent.authorize(client, { scope: undefined })).toMatchObject({ error: 'invalid_scope' })
  })

  // "Scope values used that are not understood by an implementation SHOULD be ignored."
  test('ignores unknown scopes', async () => {
    const answer = await agent.authorize(client, { scope: 'invented openid address phone' })
    expect((await client.exchange(answer)).json().scope).toBe('openid')
  })

  // "response_type REQUIRED"
  test('refuses a missing response_type as invalid_request, and another one as unsupported_response_type', async ({
    provider,
  }) => {
    const refused = { state: 'the state', iss: provider.issuer, error_description: expect.any(String) }
    expect(await agent.authorize(client, { response_type: undefined })).toEqual({
      ...refused,
      error: 'invalid_request',
    })
    for (const response_type of ['token', 'id_token', 'code id_token', 'none', 'Code'])
      expect(await agent.authorize(client, { response_type })).toEqual({
        ...refused,
        error: 'unsupported_response_type',
      })
  })

  // "client_id REQUIRED. OAuth 2.0 Client Identifier valid at the Authorization Server."
  test('shows a page that names client_id when it is missing, unknown or repeated', async () => {
    for (const client_id of [undefined, 'unknown-app', [client.id, client.id]]) {
      const page = await agent.open(await client.authorizationUrl({ client_id }))
      expect([page.isApp, page.status], `${client_id}`).toEqual([false, 400])
      expect(plain(page.text)).toContain('client_id')
    }
  })

  // "redirect_uri REQUIRED. … This URI MUST exactly match one of the Redirection URI values for the Client pre-registered
  // at the OpenID Provider, with the matching performed as described in Section 6.2.1 of [RFC3986] (Simple String
  // Comparison)."
  test('shows a page that names redirect_uri when it is missing or differs in any character', async () => {
    const { redirectUri: uri } = client
    const others = [
      `${uri}/`,
      `${uri}?a=b`,
      `${uri}#a`,
      uri.replace('app.', 'APP.'),
      uri.replace('.example', '.example:443'),
    ]
    const wrong = [undefined, uri.replace('https', 'http'), `${uri}/../callback`, 'https://evil.example/', ...others]
    for (const redirect_uri of wrong) {
      const page = await agent.open(await client.authorizationUrl({ redirect_uri }))
      expect([page.isApp, page.status], `${redirect_uri}`).toEqual([false, 400])
      expect(plain(page.text)).toContain('redirect_uri')
    }
  })

  // "state RECOMMENDED. Opaque value used to maintain state between the request and the callback."
  test('returns state byte for byte, and none when none was sent', async () => {
    for (const state of ['ü "<>\'\\&=+%20#?/\u{1f600} '.repeat(8), 's'.repeat(4096)])
      expect(await agent.authorize(client, { state })).toMatchObject({ state, code: expect.any(String) })
    expect(await agent.authorize(client, { state: undefined })).not.toHaveProperty('state')
  })

  // "display OPTIONAL. … The defined values are: page … popup … touch … wap"
  test('accepts every value of display', async () => {
    for (const display of ['page', 'popup', 'touch', 'wap'])
      expect((await agent.authorize(client, { display })).code, display).toBeDefined()
  })

  // "ui_locales … An error SHOULD NOT result if some or all of the requested locales are not supported."
  test('shows its pages in the first supported language of ui_locales, and ignores the others', async ({
    provider,
  }) => {
    const language = async (ui_locales: string) => {
      const { text, status } = await openAgent(provider).open(await client.authorizationUrl({ ui_locales }))
      return `${status} ${/<html[^>]* lang="([^"]*)"/.exec(text)?.[1]}`
    }
    expect(await language('xx fr ja en')).toBe('200 ja')
    expect(await language('zh-TW')).toBe('200 zh-TW')
    expect(await language('xx-invalid-')).toBe('200 en')
  })

  // "login_hint OPTIONAL. Hint to the Authorization Server about the login identifier the End-User might use to log in"
  test('fills in the sign-in page with login_hint', async ({ provider }) => {
    const page = await openAgent(provider).open(await client.authorizationUrl({ login_hint: 'ada"><b>' }))
    expect(formOf(page, '/signin/submit')?.fields).toContainEqual(['username', 'ada"><b>'])
  })

  // "acr_values OPTIONAL. … The Authentication Context Class satisfied by the authentication performed is returned as the
  // acr Claim Value"
  test('accepts acr_values that it does not know, and returns the acr it reached', async ({ provider }) => {
    const { claims } = await idTokenOf(provider, agent, client, { acr_values: 'urn:x:gold phr' })
    expect(claims.acr).toBe('aal1')
  })

  // "Other parameters MAY be sent."; RFC 6749 §3.1: "The authorization server MUST ignore unrecognized request parameters."
  test('ignores unknown parameters', async () => {
    const answer = await agent.authorize(client, {
      extra: 'foobar',
      claims_locales: 'se',
      registration: '{}',
    })
    expect(answer.code).toBeDefined()
  })

  // RFC 6749 §3.1: "Parameters sent without a value MUST be treated as if they were omitted from the request."
  test('treats a parameter without a value as absent', async () => {
    const empty = { prompt: '', max_age: '', nonce: '', claims: '', request: '', request_uri: '', response_mode: '' }
    expect((await agent.authorize(client, empty)).code).toBeDefined()
  })

  // RFC 6749 §3.1: "Request and response parameters MUST NOT be included more than once."
  test('refuses a repeated parameter as invalid_request', async () => {
    const repeated: Changes[] = [{ scope: ['openid', 'openid'] }, { nonce: ['a', 'b'] }, { prompt: ['none', 'login'] }]
    for (const changes of repeated)
      expect(await agent.authorize(client, changes)).toMatchObject({ error: 'invalid_request', state: 'the state' })
  })
})
