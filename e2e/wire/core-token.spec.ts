import { createHash } from 'node:crypto'
import type { Client } from './client.ts'
import { expect, type Provider, test } from './provider.ts'
import { idTokenOf, readIdToken, tokensOf } from './tokens.ts'
import { openAgent, type UserAgent } from './user-agent.ts'

let agent: UserAgent
let client: Client
test.beforeAll(async ({ provider }) => {
  agent = openAgent(provider)
  client = await provider.client('oidc')
})

const refused = (answer: { status: number; headers: Headers; json: () => { error: string } }) => {
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  return `${answer.status} ${answer.json().error}`
}

const send = (provider: Provider, form: Record<string, string>, headers = {}) =>
  provider.send(provider.discovery.token_endpoint, { form, headers })

test.describe('OpenID Connect Core 1.0 §3.1.3.1 Token Request', () => {
  // RFC 6749 §3.2: "The client MUST use the HTTP 'POST' method"
  test('answers POST only', async ({ provider }) => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await provider.send(provider.discovery.token_endpoint, { method })
      expect([answer.status, answer.headers.get('allow')?.includes('POST')], method).toEqual([405, true])
    }
  })

  // "If the Client is a Confidential Client, then it MUST authenticate to the Token Endpoint using the authentication
  // method registered for its client_id"; RFC 6749 §5.2: invalid_client.
  test('refuses missing and wrong credentials, and other methods than the registered one', async ({ provider }) => {
    const basic = await provider.client('oidc', { token_endpoint_auth_method: 'client_secret_basic' })
    const post = await provider.client('oidc', { token_endpoint_auth_method: 'client_secret_post' })
    const answer = await agent.authorize(basic)
    const form = { grant_type: 'authorization_code', code: answer.code ?? '', redirect_uri: basic.redirectUri }
    const authorization = (id: string, secret: string) => ({
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    })
    expect(refused(await send(provider, { ...form, client_id: basic.id }))).toBe('401 invalid_client')
    expect(refused(await send(provider, form))).toBe('401 invalid_client')
    expect(refused(await send(provider, { ...form, client_id: basic.id, client_secret: basic.secret }))).toBe(
      '401 invalid_client',
    )
    expect(refused(await send(provider, form, authorization(post.id, post.secret)))).toBe('401 invalid_client')
    // RFC 6749 §5.2: "the authorization server MUST … include the 'WWW-Authenticate' response header field matching the
    // authentication scheme used by the client."
    const wrong = await send(provider, form, authorization(basic.id, `${basic.secret}x`))
    expect(refused(wrong)).toBe('401 invalid_client')
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Basic /)
    // RFC 6749 §2.3: "The client MUST NOT use more than one authentication method in each request."
    const both = { ...form, client_id: basic.id, client_secret: basic.secret }
    expect(refused(await send(provider, both, authorization(basic.id, basic.secret)))).toBe('400 invalid_request')
    expect((await basic.exchange(answer)).status).toBe(200)
  })
})

test.describe('RFC 6749 §2.3.1 client credentials', () => {
  // "The parameters can only be transmitted in the request-body and MUST NOT be included in the request URI."
  test('ignores credentials and parameters in the query', async ({ provider }) => {
    const post = await provider.client('oidc', { token_endpoint_auth_method: 'client_secret_post' })
    const { code = '' } = await agent.authorize(post)
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: post.redirectUri,
      code_verifier: post.verifier,
    }
    const credentials = { client_id: post.id, client_secret: post.secret }
    const url = new URL(provider.discovery.token_endpoint)
    url.search = new URLSearchParams(credentials).toString()
    expect(refused(await provider.send(url, { form }))).toBe('401 invalid_client')
    url.search = new URLSearchParams(form).toString()
    expect(refused(await provider.send(url, { form: credentials }))).toBe('400 invalid_request')
    expect((await send(provider, { ...form, ...credentials })).status).toBe(200)
  })

  // RFC 7235 §2.1: the scheme is case-insensitive.
  test('reads the scheme Basic in any case', async () => {
    const { headers } = await client.credentials()
    const authorization = String(headers.authorization).replace('Basic', 'bASIC')
    expect((await client.exchange(await agent.authorize(client), {}, { authorization })).status).toBe(200)
  })
})

test.describe('OpenID Connect Core 1.0 §3.1.3.2 Token Request Validation', () => {
  // "Ensure the Authorization Code was issued to the authenticated Client."
  test('refuses the code of another app, which its own app can still use', async ({ provider }) => {
    const other = await provider.client('oidc')
    const answer = await agent.authorize(client)
    const changes = { redirect_uri: client.redirectUri, code_verifier: client.verifier }
    expect(refused(await other.exchange(answer, changes))).toBe('400 invalid_grant')
    expect((await client.exchange(answer)).status).toBe(200)
  })

  // "Verify that the Authorization Code is valid."
  test('refuses an unknown, a changed and an expired code', async ({ provider }) => {
    const { code = '' } = await agent.authorize(client)
    expect(refused(await client.exchange({ code: 'unknown' }))).toBe('400 invalid_grant')
    expect(refused(await client.exchange({ code: `${code}x` }))).toBe('400 invalid_grant')
    const { code: other = '' } = await agent.authorize(client)
    const mixed = `${code.split('.')[0]}.${other.split('.')[1]}`
    expect(refused(await client.exchange({ code: mixed }))).toBe('400 invalid_grant')
    const codeHash = createHash('sha256').update(code).digest('base64url')
    await provider.database.prisma.authorization.update({ where: { codeHash }, data: { codeExpiresAt: new Date() } })
    expect(refused(await client.exchange({ code }))).toBe('400 invalid_grant')
  })

  // "If possible, verify that the Authorization Code has not been previously used."; RFC 6749 §4.1.2: "MUST deny the request
  // and SHOULD revoke (when possible) all tokens previously issued based on that authorization code."
  test('refuses a used code, and ends the tokens of its first use', async () => {
    const answer = await agent.authorize(client)
    const tokens = (await client.exchange(answer)).json()
    expect((await client.userinfo(tokens.access_token)).status).toBe(200)
    expect(refused(await client.exchange(answer))).toBe('400 invalid_grant')
    expect((await client.userinfo(tokens.access_token)).status).toBe(401)
    expect(refused(await client.refresh(tokens.refresh_token))).toBe('400 invalid_grant')
  })

  test('gives tokens for a code to one of eight requests at once', async () => {
    const answer = await agent.authorize(client)
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.exchange(answer)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)])
  })

  // "Ensure that the redirect_uri parameter value is identical to the redirect_uri parameter value that was included in the
  // initial Authorization Request."
  test('refuses a redirect_uri that differs or is absent', async () => {
    const answer = await agent.authorize(client)
    const { redirectUri } = client
    for (const redirect_uri of [`${redirectUri}/`, 'https://evil.example/'])
      expect(refused(await client.exchange(answer, { redirect_uri }))).toBe('400 invalid_grant')
    expect(refused(await client.exchange(answer, { redirect_uri: undefined }))).toBe('400 invalid_request')
    expect((await client.exchange(answer)).status).toBe(200)
  })

  // RFC 7636 §4.6: "If the values are not equal, an error response indicating 'invalid_grant' … MUST be returned."
  test('refuses a code_verifier that differs or is absent', async () => {
    const answer = await agent.authorize(client)
    for (const code_verifier of ['v'.repeat(43), 'short', undefined])
      expect(refused(await client.exchange(answer, { code_verifier }))).toBe('400 invalid_grant')
    expect((await client.exchange(answer)).status).toBe(200)
  })
})

test.describe('OpenID Connect Core 1.0 §3.1.3.3 Successful Token Response', () => {
  // "The OAuth 2.0 token_type response parameter value MUST be Bearer"; "id_token"; "All Token Responses that contain tokens,
  // secrets, or other sensitive information MUST include … Cache-Control no-store"; "application/json"
  test('answers JSON that no cache stores, with an ID token and a Bearer token', async () => {
    const answer = await client.exchange(await agent.authorize(client, { scope: 'openid name' }))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.json()).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      id_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'openid name',
    })
  })

  // RFC 6749 §3.2: "The authorization server MUST ignore unrecognized request parameters."
  test('ignores unknown parameters', async () => {
    const answer = await agent.authorize(client)
    expect((await client.exchange(answer, { audience: 'x', scope: 'openid email' })).json().scope).toBe('openid')
  })
})

test.describe('OpenID Connect Core 1.0 §3.1.3.4 Token Error Response', () => {
  // "If the Token Request is invalid or unauthorized, the Authorization Server constructs the error response"; RFC 6749 §5.2
  test('answers 400 with the error of RFC 6749 §5.2 as JSON', async ({ provider }) => {
    const { headers } = await client.credentials()
    const wrong: [string, Record<string, string>][] = [
      ['invalid_request', {}],
      ['invalid_request', { grant_type: 'authorization_code', redirect_uri: client.redirectUri }],
      ['invalid_request', { grant_type: 'authorization_code', code: '', redirect_uri: client.redirectUri }],
      ['unsupported_grant_type', { grant_type: 'password', username: 'ada', password: 'x' }],
      ['unsupported_grant_type', { grant_type: 'client_credentials' }],
    ]
    for (const [error, form] of wrong) {
      const answer = await send(provider, form, headers)
      expect(refused(answer), JSON.stringify(form)).toBe(`400 ${error}`)
      expect(answer.json().error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
    }
  })

  test('refuses a repeated parameter, and any other content type', async ({ provider }) => {
    const answer = await agent.authorize(client)
    expect(refused(await client.token({ grant_type: ['authorization_code', 'authorization_code'], ...answer }))).toBe(
      '400 invalid_request',
    )
    const headers = { ...(await client.credentials()).headers, 'content-type': 'application/json' }
    const body = JSON.stringify({ grant_type: 'authorization_code', code: answer.code })
    const json = await provider.send(provider.discovery.token_endpoint, { method: 'POST', headers, body })
    expect(refused(json)).toBe('400 invalid_request')
  })
})

test.describe('OpenID Connect Core 1.0 §3.1.3.6 to §3.1.3.8 ID Token of the code flow', () => {
  // §3.1.3.6: "at_hash … the base64url encoding of the left-most half of the hash of the octets of the ASCII representation
  // of the access_token value"
  test('has the at_hash of the access token', async ({ provider }) => {
    const tokens = await tokensOf(agent, client)
    const hash = createHash('sha256').update(tokens.access_token).digest()
    const { claims } = await readIdToken(provider, client, tokens.id_token)
    expect(claims.at_hash).toBe(hash.subarray(0, 16).toString('base64url'))
  })

  // §3.1.3.7 7: "The alg value SHOULD be the default of RS256 or the algorithm sent by the Client in the
  // id_token_signed_response_alg parameter during Registration."
  test('is signed with the registered algorithm, RS256 by default with profile oidc', async ({ provider }) => {
    for (const [alg, changes] of [
      ['RS256', {}],
      ['ES256', { id_token_signed_response_alg: 'ES256' }],
    ] as const) {
      const app = await provider.client('oidc', changes)
      expect((await idTokenOf(provider, agent, app)).header.alg).toBe(alg)
    }
  })

  // §3.1.3.7 2: "The Issuer Identifier … MUST exactly match the value of the iss (issuer) Claim."
  test('has the issuer of the discovery document and of the authorization answer', async ({ provider }) => {
    const answer = await agent.authorize(client)
    const { claims } = await readIdToken(provider, client, (await client.exchange(answer)).json().id_token)
    expect([claims.iss, answer.iss]).toEqual([provider.discovery.issuer, provider.discovery.issuer])
  })
})
