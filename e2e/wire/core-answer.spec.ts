import { expect, people, test } from './provider.ts'
import { idTokenOf, tokensOf } from './tokens.ts'
import { formOf, openAgent, plain } from './user-agent.ts'

test.describe('OpenID Connect Core 1.0 §3.1.2.2 Authentication Request Validation', () => {
  // "The OP SHOULD accept ID Tokens when the RP identified by the ID Token has a current session or had a recent session at
  // the OP"
  test('accepts an ID token of another app of the team as a hint for the same person', async ({ provider }) => {
    const agent = openAgent(provider)
    const client = await provider.client('oidc')
    const { id_token } = await tokensOf(agent, await provider.client('oidc'))
    expect((await agent.authorize(client, { id_token_hint: id_token })).code).toBeDefined()
  })

  // "If the sub (subject) Claim is requested with a specific value for the ID Token, the Authorization Server MUST only
  // send a positive response if the End-User identified by that sub value has an active session … MUST NOT reply with an
  // ID Token or Access Token for a different user, even if they have an active session".
  test('answers a requested sub for that person only', async ({ provider }) => {
    const client = await provider.client('oidc')
    const agent = openAgent(provider)
    const { claims } = await idTokenOf(provider, agent, client)
    const asked = { claims: JSON.stringify({ id_token: { sub: { value: claims.sub } } }) }
    expect((await idTokenOf(provider, agent, client, asked)).claims.sub).toBe(claims.sub)
    const other = openAgent(provider, { person: people.bob })
    await other.authorize(client)
    expect(await other.authorize(client, { ...asked, prompt: 'none' })).toMatchObject({ error: 'login_required' })
    expect(await other.authorize(client, asked)).toMatchObject({ error: 'login_required' })
  })
})

test.describe('OpenID Connect Core 1.0 §3.1.2.3 Authorization Server Authenticates End-User', () => {
  // "The Authorization Server MUST attempt to Authenticate the End-User [when] the End-User is not already Authenticated."
  test('shows the sign-in page to a browser without a session', async ({ provider }) => {
    const page = await openAgent(provider).open(await (await provider.client('oidc')).authorizationUrl())
    expect([page.status, page.url.pathname]).toEqual([200, '/signin'])
    expect(formOf(page, '/signin/submit')?.method).toBe('POST')
  })

  // "the Authorization Server MUST employ appropriate measures against Cross-Site Request Forgery and Clickjacking"
  test('refuses forms of other sites, and framing, on the pages of sign-in and consent', async ({ provider }) => {
    const client = await provider.client('oidc')
    const agent = openAgent(provider)
    const signIn = await agent.open(await client.authorizationUrl())
    const consent = await agent.signIn(signIn)
    for (const { headers } of [signIn, consent]) {
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('x-frame-options')).toBe('DENY')
    }
    const form = formOf(consent, '/consent/submit')
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const forged = await agent.open(form?.action ?? '', { form: new URLSearchParams(form?.fields), headers: foreign })
    expect([forged.isApp, forged.returned]).toEqual([false, undefined])
    expect((await agent.submit(form)).returned).toMatchObject({ code: expect.any(String) })
  })
})

test.describe('OpenID Connect Core 1.0 §3.1.2.4 Authorization Server Obtains End-User Consent/Authorization', () => {
  // "the Authorization Server MUST obtain an authorization decision before releasing information to the Relying Party"
  test('asks for consent before it answers an app', async ({ provider }) => {
    const client = await provider.client('oidc')
    const agent = openAgent(provider)
    const consent = await agent.signIn(await agent.open(await client.authorizationUrl({ scope: 'openid name' })))
    expect([consent.isApp, consent.url.pathname]).toEqual([false, '/consent'])
    expect(formOf(consent, '/consent/submit')?.fields).toContainEqual(['scope', 'name'])
    const denied = await agent.submit(formOf(consent, '/consent/submit'), { action: 'cancel' })
    expect(denied.returned).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state: 'the state',
      iss: provider.issuer,
    })
  })

  test('releases only the claims that the person ticked', async ({ provider }) => {
    const client = await provider.client('oidc')
    const agent = openAgent(provider)
    const url = await client.authorizationUrl({ scope: 'openid name nickname' })
    const consent = await agent.signIn(await agent.open(url))
    const { returned = {} } = await agent.submit(formOf(consent, '/consent/submit'), { scope: 'nickname' })
    const tokens = (await client.exchange(returned)).json()
    expect(tokens.scope).toBe('openid nickname')
    expect(await client.userinfo(tokens.access_token).then(({ json }) => json())).not.toHaveProperty('name')
  })
})

test.describe('OpenID Connect Core 1.0 §3.1.2.5 Successful Authentication Response', () => {
  // "adding [the parameters] as query parameters to the redirect_uri specified in the Authorization Request using the
  // application/x-www-form-urlencoded format, unless a different Response Mode was specified"
  test('adds code, state and iss to the query of the redirect URI, and keeps its own query', async ({ provider }) => {
    const redirectUri = 'https://app.example/callback?own=a%20b&empty='
    const client = await provider.client('oidc', { redirect_uris: [redirectUri] })
    const agent = openAgent(provider)
    const page = await agent.open(await client.authorizationUrl({ redirect_uri: redirectUri }))
    await agent.finish(page)
    const { url, status } = await agent.open(
      await client.authorizationUrl({ redirect_uri: redirectUri, prompt: 'none', state: 'a b' }),
    )
    expect(status).toBe(303)
    expect(url.href.startsWith(redirectUri)).toBe(true)
    expect([...url.searchParams.keys()]).toEqual(['own', 'empty', 'code', 'state', 'iss'])
    expect(url.searchParams.get('state')).toBe('a b')
    expect(url.hash).toBe('')
  })
})

test.describe('RFC 9700 §4.12 redirects with credentials', () => {
  // "Authorization servers which redirect a request that potentially contains the user's credentials MUST NOT use the HTTP 307
  // status code"; "the status code 303 … is RECOMMENDED"
  test('redirects with 303, and lets no cache store the address with the code', async ({ provider }) => {
    const client = await provider.client('oidc')
    const agent = openAgent(provider)
    const consent = await agent.signIn(await agent.open(await client.authorizationUrl()))
    const form = formOf(consent, '/consent/submit')
    const cookie = [...(agent.cookies.get(new URL(provider.accountUrl).host) ?? [])]
      .map((pair) => pair.join('='))
      .join('; ')
    const headers = { cookie, origin: provider.accountUrl, 'sec-fetch-site': 'same-origin' }
    let answer = await provider.send(form?.action ?? '', { form: new URLSearchParams(form?.fields), headers })
    while (
      answer.headers.get('location')?.startsWith('/') ||
      answer.headers.get('location')?.startsWith(provider.accountUrl)
    ) {
      expect(answer.status).toBe(303)
      answer = await provider.send(new URL(answer.headers.get('location') ?? '', provider.accountUrl), {
        headers: { cookie },
      })
    }
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([303, 'no-store'])
    expect(answer.headers.get('location')).toContain('code=')
    expect(answer.headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/)
  })
})

test.describe('OpenID Connect Core 1.0 §3.1.2.6 Authentication Error Response', () => {
  // "If the End-User denies the request or the End-User authentication fails, the OP … informs the RP by using the Error
  // Response parameters defined in Section 4.1.2.1 of OAuth 2.0": error REQUIRED, state "REQUIRED if a state parameter
  // was present"; error_description of %x20-21 / %x23-5B / %x5D-7E.
  test('returns errors in the query with state and iss and nothing else', async ({ provider }) => {
    const client = await provider.client('oidc')
    const agent = openAgent(provider)
    const state = 'ü &='
    const wrong = {
      invalid_request: { prompt: 'none login' },
      invalid_scope: { scope: 'x' },
      unsupported_response_type: { response_type: 'token' },
      login_required: { prompt: 'none' },
      request_uri_not_supported: { request_uri: 'https://app.example/request' },
      request_not_supported: { request: 'e30.e30.' },
    }
    for (const [error, changes] of Object.entries(wrong)) {
      const { url, returned } = await agent.open(await client.authorizationUrl({ state, ...changes }))
      expect(returned).toEqual({ error, error_description: expect.any(String), state, iss: provider.issuer })
      expect(returned?.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
      expect(url.href.startsWith(`${client.redirectUri}?`) && url.hash === '').toBe(true)
    }
  })

  // "… unless a different Response Mode was specified": an unknown mode counts as not specified.
  test('delivers the error about an unknown response_mode in the query', async ({ provider }) => {
    const client = await provider.client('oidc')
    for (const response_mode of ['fragment', 'web_message', 'x'])
      expect(await openAgent(provider).authorize(client, { response_mode })).toMatchObject({
        error: 'invalid_request',
        state: 'the state',
      })
  })

  // "Unless the Redirection URI is invalid, the Authorization Server returns the Client to the Redirection URI"; RFC 6749
  // §4.1.2.1: "MUST NOT automatically redirect the user-agent to the invalid redirection URI"
  test('does not redirect to an invalid redirect URI, also when other parameters are wrong', async ({ provider }) => {
    const client = await provider.client('oidc')
    const redirect_uri = 'https://evil.example/callback'
    for (const changes of [
      { response_type: 'token' },
      { prompt: 'none' },
      { scope: '' },
      { client_id: 'unknown-app' },
    ]) {
      const page = await openAgent(provider).open(await client.authorizationUrl({ redirect_uri, ...changes }))
      expect([page.isApp, page.status, page.headers.get('location')]).toEqual([false, 400, null])
      expect(page.text).not.toContain('href="https://evil.example')
      expect(plain(page.text)).toMatch(/redirect_uri|client_id/)
    }
  })
})
