import type { Changes, Client } from './client.ts'
import { expect, type Provider, test } from './provider.ts'
import { refusalOf } from './refusal.ts'
import { formOf, openAgent } from './user-agent.ts'

const prefix = 'urn:ietf:params:oauth:request_uri:'
let web: Client
let browser: Client
let robot: Client
test.beforeAll(async ({ provider }) => {
  web = await provider.client('oidc')
  browser = await provider.client('oidc', { kind: 'public' })
  robot = await provider.client('oidc', { kind: 'assertion' })
})

const pushedBy = async (client: Client, changes: Changes = {}): Promise<string> =>
  (await client.push(client.request(changes))).json().request_uri

const open = (provider: Provider, client: Client, beside: Changes, agent = openAgent(provider)) => {
  const query = new URLSearchParams({ client_id: client.id, ...(beside as Record<string, string>) })
  return agent.open(`${provider.discovery.authorization_endpoint}?${query}`)
}

/** Expects an error page, and nothing sent to the app. */
async function expectErrorPage(provider: Provider, client: Client, request_uri: string) {
  const page = await open(provider, client, { request_uri })
  expect([page.isApp, page.returned, page.status]).toEqual([false, undefined, 400])
}

test.describe('RFC 9126 §2 Pushed Authorization Request Endpoint', () => {
  test('is named in the metadata with an https address (§5)', ({ provider }) => {
    const { pushed_authorization_request_endpoint, require_pushed_authorization_requests } = provider.discovery
    expect(pushed_authorization_request_endpoint).toBe(`${provider.issuer}/oauth2/par`)
    expect(require_pushed_authorization_requests).toBe(false)
  })

  test('authenticates apps by each method of the token endpoint', async ({ provider }) => {
    const post = await provider.client('oidc', { token_endpoint_auth_method: 'client_secret_post' })
    for (const client of [web, post, browser, robot]) expect((await client.push(client.request())).status).toBe(201)
  })

  test('refuses an app that does not authenticate as registered', async () => {
    const none = await web.push(web.request(), { authorization: undefined })
    expect(refusalOf(none)).toBe('401 invalid_client')
    const wrong = Buffer.from(`${web.id}:wrong`).toString('base64')
    expect(refusalOf(await web.push(web.request(), { authorization: `Basic ${wrong}` }))).toBe('401 invalid_client')
  })

  // "the authorization server MUST accept its issuer identifier, token endpoint URL, or pushed authorization request
  // endpoint URL as values that identify it as an intended audience"; FAPI 2.0 §5.3.2.1 replaces this by the issuer alone.
  test('accepts the issuer, the token endpoint and its own URL as the audience of an assertion', async ({
    provider,
  }) => {
    const { token_endpoint, pushed_authorization_request_endpoint } = provider.discovery
    for (const aud of [provider.issuer, token_endpoint, pushed_authorization_request_endpoint])
      expect((await robot.push({ ...robot.request(), client_assertion: await robot.assertion({ aud }) })).status).toBe(
        201,
      )
  })
})

test.describe('RFC 9126 §2.1 Request', () => {
  test('rejects a request with request_uri', async () => {
    const request_uri = await pushedBy(web)
    expect(refusalOf(await web.push(web.request({ request_uri })))).toBe('400 invalid_request')
    expect(refusalOf(await web.push({ request_uri }))).toBe('400 invalid_request')
  })

  // "Validate the pushed request as it would an authorization request sent to the authorization endpoint."
  for (const [name, changes, error] of [
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['no redirect_uri', { redirect_uri: undefined }, 'invalid_request'],
    ['a redirect_uri of another app', { redirect_uri: 'https://evil.example/callback' }, 'invalid_request'],
    ['no openid in scope', { scope: 'name' }, 'invalid_scope'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a repeated parameter', { scope: ['openid', 'openid'] }, 'invalid_request'],
    ['prompt none with login', { prompt: 'none login' }, 'invalid_request'],
  ] as const)
    test(`refuses ${name}`, async () => {
      const form = web.request(changes as Changes)
      expect(refusalOf(await web.push(form))).toBe(`400 ${error}`)
    })

  test('requires the challenge of a public app', async () => {
    const form = browser.request({ code_challenge: undefined, code_challenge_method: undefined })
    expect(refusalOf(await browser.push(form))).toBe('400 invalid_request')
  })
})

test.describe('RFC 9126 §2.2 Successful Response', () => {
  test('answers 201 with request_uri and expires_in in JSON that no cache stores', async () => {
    const answer = await web.push(web.request())
    expect(answer.status).toBe(201)
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(answer.headers.get('cache-control')).toContain('no-store')
    const { request_uri, expires_in, ...more } = answer.json()
    expect(more).toEqual({})
    expect(request_uri.startsWith(prefix)).toBe(true)
    expect(Number.isInteger(expires_in) && expires_in >= 60 && expires_in <= 90).toBe(true)
  })

  test('returns a new reference for each push, with at least 128 random bits (§7.1)', async () => {
    const uris = await Promise.all(Array.from({ length: 4 }, () => pushedBy(web)))
    expect(new Set(uris).size).toBe(4)
    for (const uri of uris) expect(Buffer.from(uri.slice(prefix.length), 'base64url').length).toBeGreaterThanOrEqual(16)
  })

  test('binds the reference to the app that posted it', async ({ provider }) => {
    const uri = await pushedBy(web)
    await expectErrorPage(provider, browser, uri)
    expect((await open(provider, web, { request_uri: uri })).url.pathname).toBe('/signin')
  })
})

test.describe('RFC 9126 §2.3 Error Response', () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'])
    test(`answers 405 to ${method}`, async ({ provider }) => {
      const url = provider.discovery.pushed_authorization_request_endpoint
      const answer = await provider.send(url, { method })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toContain('POST')
    })

  test('answers 413 to a request above the upper bound', async () => {
    // Sends a large Content-Length with a small body: the server answers before it reads the body.
    const answer = await web.push(web.request(), { 'content-length': '200000' })
    expect(answer.status).toBe(413)
    // A second request on this connection would be read as the rest of the body, and never be answered.
    expect(answer.headers.get('connection')).toBe('close')
  })

  test('answers 400 to another content type', async ({ provider }) => {
    const { headers } = await web.credentials()
    const body = JSON.stringify(web.request())
    const sent = { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } }
    const answer = await provider.send(provider.discovery.pushed_authorization_request_endpoint, sent)
    expect(refusalOf(answer)).toBe('400 invalid_request')
  })
})

test.describe('RFC 9126 §3 The "request" Request Parameter', () => {
  test('uses only the parameters of the request object', async ({ provider }) => {
    const request = await robot.requestObject({ state: 'inner', prompt: 'none' })
    const answer = await robot.push({ request, state: 'outer', scope: 'name', redirect_uri: 'https://evil.example/' })
    expect(answer.status).toBe(201)
    const page = await open(provider, robot, { request_uri: answer.json().request_uri })
    expect(page.returned).toMatchObject({ error: 'login_required', state: 'inner' })
  })

  // "the authorization server MUST ... check that the client_id in the request object matches the authenticated client"
  test('refuses a request object of another app', async () => {
    const request = await robot.requestObject({ client_id: web.id, iss: web.id })
    expect(refusalOf(await robot.push({ request }))).toBe('400 invalid_request_object')
  })
})

test.describe('RFC 9126 §4 Authorization Request', () => {
  test('needs client_id and request_uri alone', async ({ provider }) => {
    const agent = openAgent(provider)
    const answer = await agent.finish(await open(provider, web, { request_uri: await pushedBy(web) }, agent))
    expect(answer).toEqual({ code: expect.any(String), state: 'the state', iss: provider.issuer })
    expect((await web.exchange(answer)).status).toBe(200)
  })

  test('ignores every other parameter', async ({ provider }) => {
    const request_uri = await pushedBy(web, { prompt: 'none' })
    const beside = { request_uri, state: 'outer', prompt: 'login', redirect_uri: 'https://evil.example/', scope: 'x' }
    const { url, returned } = await open(provider, web, beside)
    expect(url.href.startsWith(web.redirectUri)).toBe(true)
    expect(returned).toMatchObject({ error: 'login_required', state: 'the state' })
  })

  test('allows a reload before the sign-in, and treats the reference as used afterwards', async ({ provider }) => {
    const request_uri = await pushedBy(web)
    const agent = openAgent(provider)
    await open(provider, web, { request_uri }, agent)
    const page = await open(provider, web, { request_uri }, agent)
    expect((await agent.finish(page)).code).toBeDefined()
    await expectErrorPage(provider, web, request_uri)
  })

  test('treats the reference as used when the person cancels', async ({ provider }) => {
    const request_uri = await pushedBy(web)
    const agent = openAgent(provider)
    const page = await open(provider, web, { request_uri }, agent)
    const back = await agent.submit(formOf(page, '/signin/submit'), { action: 'cancel' })
    expect(back.returned).toMatchObject({ error: 'access_denied', state: 'the state', iss: provider.issuer })
    await expectErrorPage(provider, web, request_uri)
  })

  test('rejects an expired reference', async ({ provider }) => {
    const request_uri = await pushedBy(web)
    const expiresAt = new Date(Date.now() - 1000)
    await provider.database.prisma.pushedRequest.updateMany({ where: { appId: web.id }, data: { expiresAt } })
    await expectErrorPage(provider, web, request_uri)
  })

  test('rejects an unknown reference, and never fetches another URI (§7.2)', async ({ provider }) => {
    await expectErrorPage(provider, web, `${prefix}${'a'.repeat(43)}`)
    await expectErrorPage(provider, web, `${prefix}x`)
    for (const request_uri of ['https://app.example/request.jwt', `${prefix}x`, 'urn:example:x']) {
      const { returned } = await open(provider, web, web.request({ request_uri }))
      expect(returned).toMatchObject({ error: 'request_uri_not_supported', state: 'the state' })
    }
  })
})

test.describe('RFC 9126 §6 Client Metadata', () => {
  test('require_pushed_authorization_requests refuses a request that was not pushed', async ({ provider }) => {
    const strict = await provider.client('oidc', { require_pushed_authorization_requests: true })
    const { returned } = await open(provider, strict, strict.request())
    expect(returned).toMatchObject({ error: 'invalid_request', state: 'the state' })
    const page = await open(provider, strict, { request_uri: await pushedBy(strict) })
    expect(page.url.pathname).toBe('/signin')
  })
})
