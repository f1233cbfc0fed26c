import type { Changes } from './client.ts'
import { PlanRun } from './plan-run.ts'
import { expect, people, test } from './provider.ts'
import { readIdToken } from './tokens.ts'
import { formOf, openAgent, plain } from './user-agent.ts'

/**
 * Declares the modules of the official plan oidcc-basic-certification-test-plan, with its variants client_secret_basic
 * and `parameters` in every authorization request. Each test sends the requests of its module, and expects the same
 * answers.
 */
export function testBasicPlan(parameters: Changes): void {
  let run: PlanRun
  test.beforeAll(async ({ provider }) => {
    const [client, other] = [await provider.client('oidc'), await provider.client('oidc')]
    run = new PlanRun(provider, openAgent(provider), { client, other, parameters })
  })
  testResponses(() => run)
  testScopes(() => run)
  testPrompts(() => run)
  testParameters(() => run)
  testCodes(() => run)
}

type Current = () => PlanRun

/** Returns the request as a request object with the algorithm none. */
function unsignedRequest({ client, parameters }: PlanRun): string {
  const parts = ['{"alg":"none"}', JSON.stringify(client.request(parameters))]
  return `${parts.map((part) => Buffer.from(part).toString('base64url')).join('.')}.`
}

function testResponses(current: Current) {
  test('oidcc-server, oidcc-idtoken-signature: signs in and reads userinfo', async () => {
    await current().signIn()
  })

  test('oidcc-server-client-secret-post: authenticates with the secret in the form', async () => {
    const { client } = current()
    const form = { code_verifier: undefined, client_id: client.id, client_secret: client.secret }
    const answer = await client.exchange(await current().authorize(), form, { authorization: undefined })
    expect(answer.status).toBe(200)
  })

  test('oidcc-response-type-missing: returns invalid_request or unsupported_response_type', async () => {
    expect(await current().authorize({ response_type: undefined })).toEqual({
      error: 'invalid_request',
      error_description: expect.any(String),
      state: 'the state',
      iss: current().provider.issuer,
    })
  })

  test('oidcc-userinfo-get, -post-header, -post-body: returns JSON with the sub of the ID token', async () => {
    const { provider, client } = current()
    const tokens = await current().tokens()
    const { claims } = await readIdToken(provider, client, tokens.id_token)
    const url = provider.discovery.userinfo_endpoint
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    for (const sent of [{ headers }, { headers, method: 'POST' }, { form: { access_token: tokens.access_token } }]) {
      const answer = await provider.send(url, sent)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
      expect(answer.json()).toEqual({ sub: claims.sub })
    }
  })

  test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow: signs in without nonce', async () => {
    expect(await current().signIn({ nonce: undefined })).not.toHaveProperty('nonce')
  })
}

function testScopes(current: Current) {
  const userinfo = async (scope: string) => {
    const { client } = current()
    const tokens = await current().tokens({ scope })
    const { claims } = await readIdToken(current().provider, client, tokens.id_token)
    // OpenID Connect Core §5.4: these claims come from userinfo when there is an access token.
    for (const name of ['name', 'email', 'email_verified']) expect(claims).not.toHaveProperty(name)
    return { scope: tokens.scope, ...(await client.userinfo(tokens.access_token)).json() }
  }
  const { name, nickname, gender, birthdate, locale, username, email } = people.ada

  test('oidcc-scope-profile: returns the claims of the profile that the specification has', async () => {
    expect(await userinfo('openid profile')).toMatchObject({
      scope: 'openid profile',
      ...{ name, nickname, gender, birthdate, locale, preferred_username: username, updated_at: expect.any(Number) },
    })
  })

  test('oidcc-scope-email: returns email and email_verified, and no name', async () => {
    const claims = { sub: expect.any(String), email, email_verified: true }
    expect(await userinfo('openid email')).toEqual({ scope: 'openid email', ...claims })
  })

  test('oidcc-scope-address, -phone, -all: lists no address and phone, which skips these modules', ({ provider }) => {
    const scopes = provider.discovery.scopes_supported as string[]
    expect(scopes.filter((scope) => ['address', 'phone'].includes(scope))).toEqual([])
  })

  test('oidcc-alternate-happy-flow: accepts scopes and parameters in another order', async () => {
    const { client, agent } = current()
    const url = await client.authorizationUrl({ ...current().parameters, scope: 'email openid' })
    url.search = new URLSearchParams([...url.searchParams].reverse()).toString()
    const answer = await agent.finish(await agent.open(url))
    expect((await current().exchange(answer)).status).toBe(200)
  })

  test('oidcc-claims-essential: returns the essential name in userinfo, and not in the ID token', async () => {
    const client = await current().provider.client('oidc')
    const tokens = await current().tokens({ claims: '{"userinfo":{"name":{"essential":true}}}' }, client)
    expect((await client.userinfo(tokens.access_token)).json().name).toBe(name)
    const { claims } = await readIdToken(current().provider, client, tokens.id_token)
    expect(claims).not.toHaveProperty('name')
  })
}

function testPrompts(current: Current) {
  test('oidcc-display-page, -popup: signs in with display', async () => {
    for (const display of ['page', 'popup']) await current().signIn({ display })
  })

  test('oidcc-prompt-login: shows the sign-in page a second time', async () => {
    const { agent } = current()
    await current().signIn()
    const page = await current().open({ prompt: 'login' })
    expect(formOf(page, '/signin/submit')).toBeDefined()
    const answer = await agent.finish(page)
    expect((await current().exchange(answer)).status).toBe(200)
  })

  test('oidcc-prompt-none-not-logged-in: returns an error', async ({ provider }) => {
    const { client, parameters } = current()
    const page = await openAgent(provider).open(await client.authorizationUrl({ ...parameters, prompt: 'none' }))
    expect(page.returned).toMatchObject({ error: 'login_required', state: 'the state' })
  })

  test('oidcc-prompt-none-logged-in, oidcc-id-token-hint: returns the same person at once', async () => {
    const { client } = current()
    const first = await current().tokens()
    const { claims } = await readIdToken(current().provider, client, first.id_token)
    for (const hint of [{}, { id_token_hint: first.id_token }]) {
      const page = await current().open({ prompt: 'none', ...hint })
      const tokens = await current().exchange(page.returned ?? {})
      const again = await readIdToken(current().provider, client, tokens.json().id_token)
      expect([again.claims.sub, again.claims.auth_time]).toEqual([claims.sub, claims.auth_time])
    }
  })

  test('oidcc-max-age-1: asks for a new sign-in and returns a later auth_time', async ({ provider }) => {
    const { client, agent } = current()
    const first = await current().signIn({ max_age: '1000' })
    const ago = (time: unknown) => new Date((Number(time) - 10) * 1000)
    await provider.database.prisma.session.updateMany({ data: { authenticatedAt: ago(first.auth_time) } })
    const page = await current().open({ max_age: '1' })
    expect(formOf(page, '/signin/submit')).toBeDefined()
    const answer = await current().exchange(await agent.finish(page))
    const { claims } = await readIdToken(provider, client, answer.json().id_token)
    expect(claims.auth_time).toBeGreaterThan(Number(first.auth_time) - 10)
    expect(Math.abs(Date.now() / 1000 - Number(claims.auth_time))).toBeLessThan(60)
  })

  test('oidcc-max-age-10000: returns at once with the same auth_time', async () => {
    const first = await current().signIn({ max_age: '15000' })
    const again = await current().signIn({ max_age: '10000', prompt: 'none' })
    expect([again.sub, again.auth_time]).toEqual([first.sub, first.auth_time])
  })
}

function testParameters(current: Current) {
  // The suite asks for all of acr_values_supported, and warns if acr is none of them.
  test('oidcc-ensure-request-with-acr-values-succeeds: returns one of the requested classes', async ({ provider }) => {
    const classes = provider.discovery.acr_values_supported as string[]
    expect(classes).toContain((await current().signIn({ acr_values: classes.join(' ') })).acr)
  })

  test('oidcc-ensure-request-with-unknown-parameter-succeeds, and with login_hint, ui_locales and claims_locales', async () => {
    const extra = { extra: 'foobar', login_hint: 'buffy@example.com', ui_locales: 'se', claims_locales: 'se' }
    for (const [name, value] of Object.entries(extra)) await current().signIn({ [name]: value })
  })

  test('oidcc-ensure-registered-redirect-uri: shows an error page', async () => {
    const redirect_uri = `${current().client.redirectUri}/${'x'.repeat(10)}`
    const page = await current().open({ redirect_uri })
    expect([page.isApp, page.returned, plain(page.text).includes('redirect_uri')]).toEqual([false, undefined, true])
  })

  test('oidcc-ensure-post-request-succeeds: accepts the request as a form', async () => {
    const { agent, client, parameters, provider } = current()
    const form = client.request(parameters)
    const answer = await agent.finish(await agent.open(provider.discovery.authorization_endpoint, { form }))
    expect((await current().exchange(answer)).status).toBe(200)
  })

  test('oidcc-unsigned-request-object…: returns request_not_supported, and does not list none', async ({
    provider,
  }) => {
    expect(await current().authorize({ request: unsignedRequest(current()) })).toMatchObject({
      error: 'request_not_supported',
    })
    expect(provider.discovery.request_object_signing_alg_values_supported).not.toContain('none')
  })

  test('oidcc-ensure-request-object-with-redirect-uri: sends nothing to the wrong redirect URI outside', async () => {
    const request = unsignedRequest(current())
    const answer = await current().open({ redirect_uri: 'https://app.example/other', request })
    // The suite skips this module if the server does not list the algorithm none.
    expect(answer.returned).toMatchObject({ error: 'request_not_supported' })
    expect([answer.url, ...answer.forms.map(({ action }) => action)].join()).not.toContain('https://app.example/other')
  })

  test('oidcc-ensure-request-with-valid-pkce-succeeds: accepts S256', async () => {
    const { agent, client, parameters } = current()
    const { code_challenge, code_challenge_method } = client.request()
    const answer = await agent.authorize(client, { ...parameters, code_challenge, code_challenge_method })
    expect((await client.exchange(answer)).status).toBe(200)
  })
}

function testCodes(current: Current) {
  for (const [module, seconds] of Object.entries({ 'oidcc-codereuse': 0, 'oidcc-codereuse-30seconds': 31 }))
    test(`${module}: refuses the second use, and ends the access token`, async ({ provider }) => {
      const { client } = current()
      const answer = await current().authorize()
      const tokens = (await current().exchange(answer)).json()
      const { authorization } = provider.database.prisma
      const { id, codeSpentAt } = await authorization.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
      const spentAt = new Date(Number(codeSpentAt) - seconds * 1000)
      await authorization.update({ where: { id }, data: { codeSpentAt: spentAt } })
      const again = await current().exchange(answer)
      expect([again.status, again.json().error]).toEqual([400, 'invalid_grant'])
      expect((await client.userinfo(tokens.access_token)).status).toBe(401)
    })

  test('oidcc-refresh-token: refreshes with the same claims, and refuses the token of another app', async () => {
    const { client, other, provider } = current()
    const first = await current().tokens()
    expect(first.refresh_token).toMatch(/^[\x20-\x7e]+$/)
    const refreshed = (await client.refresh(first.refresh_token)).json()
    expect(refreshed.access_token).not.toBe(first.access_token)
    const before = (await readIdToken(provider, client, first.id_token)).claims
    const after = (await readIdToken(provider, client, refreshed.id_token)).claims
    expect([after.iss, after.sub, after.aud]).toEqual([before.iss, before.sub, before.aud])
    expect(after.auth_time).toBe(before.auth_time)
    expect(after.iat).toBeGreaterThanOrEqual(Number(before.iat))
    expect((await client.userinfo(refreshed.access_token)).status).toBe(200)
    const foreign = await current().tokens({}, other)
    const refused = await client.refresh(foreign.refresh_token)
    expect([refused.status, refused.json().error]).toEqual([400, 'invalid_grant'])
  })
}
