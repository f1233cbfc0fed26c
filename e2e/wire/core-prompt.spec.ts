import type { Client } from './client.ts'
import { expect, people, test } from './provider.ts'
import { idTokenOf, tokensOf } from './tokens.ts'
import { formOf, openAgent, type UserAgent } from './user-agent.ts'

let agent: UserAgent
let client: Client
test.beforeAll(async ({ provider }) => {
  agent = openAgent(provider)
  client = await provider.client('oidc')
  await agent.authorize(client)
})

test.describe('OpenID Connect Core 1.0 §3.1.2.1 prompt', () => {
  // "none: The Authorization Server MUST NOT display any authentication or consent user interface pages. An error is
  // returned if an End-User is not already Authenticated"
  test('answers prompt=none with login_required and without a page when no person is signed in', async ({
    provider,
  }) => {
    const page = await openAgent(provider).open(await client.authorizationUrl({ prompt: 'none' }))
    expect(page.isApp).toBe(true)
    expect(page.returned).toMatchObject({ error: 'login_required', state: 'the state', iss: provider.issuer })
  })

  // "… or the Client does not have pre-configured consent for the requested Claims"
  test('answers prompt=none with consent_required when the person has not consented', async ({ provider }) => {
    const page = await agent.open(await (await provider.client('oidc')).authorizationUrl({ prompt: 'none' }))
    expect(page.returned).toMatchObject({ error: 'consent_required', state: 'the state' })
  })

  test('answers prompt=none with a code and the same sub and auth_time when both are given', async ({ provider }) => {
    const first = await idTokenOf(provider, agent, client, { max_age: '1000' })
    const page = await agent.open(await client.authorizationUrl({ prompt: 'none', max_age: '1000' }))
    expect(page.isApp).toBe(true)
    const again = await idTokenOf(provider, agent, client, { prompt: 'none', max_age: '1000' })
    expect([again.claims.sub, again.claims.auth_time]).toEqual([first.claims.sub, first.claims.auth_time])
  })

  // "login: The Authorization Server SHOULD prompt the End-User for reauthentication."
  test('asks for a new sign-in with prompt=login', async () => {
    const page = await agent.open(await client.authorizationUrl({ prompt: 'login' }))
    expect(page.url.pathname).toBe('/signin')
    expect((await agent.finish(page)).code).toBeDefined()
  })

  // "consent: The Authorization Server SHOULD prompt the End-User for consent before returning information to the Client."
  test('asks for consent again with prompt=consent', async () => {
    const page = await agent.open(await client.authorizationUrl({ prompt: 'consent' }))
    expect(page.url.pathname).toBe('/consent')
    expect((await agent.finish(page)).code).toBeDefined()
  })

  // "select_account: The Authorization Server SHOULD prompt the End-User to select a user account."
  test('lets the person choose an account with prompt=select_account', async () => {
    const page = await agent.open(await client.authorizationUrl({ prompt: 'select_account' }))
    expect(page.url.pathname).toBe('/choose')
  })

  test('accepts several values of prompt, and does what each asks for', async () => {
    const page = await agent.open(await client.authorizationUrl({ prompt: 'login consent' }))
    expect(page.url.pathname).toBe('/signin')
    expect((await agent.signIn(page)).url.pathname).toBe('/consent')
  })

  // §3.1.2.3: with prompt=login "the Authorization Server MUST reauthenticate the End-User even if the End-User is already
  // authenticated".
  test('asks again when the browser skips the page that prompt or max_age asks for', async () => {
    const asked = { '/signin': [{ prompt: 'login' }, { max_age: '0' }], '/consent': [{ prompt: 'consent' }] }
    for (const [path, requests] of Object.entries(asked))
      for (const changes of requests) {
        const page = await agent.open(await client.authorizationUrl(changes))
        const skipped = await agent.open(new URL(`/continue${page.url.search}`, page.url))
        expect([page.url.pathname, skipped.url.pathname, skipped.returned]).toEqual([path, path, undefined])
      }
  })

  // "If this parameter contains none with any other value, an error is returned."
  test('refuses prompt=none with another value, and an unknown value', async () => {
    for (const prompt of ['none login', 'consent none', 'create'])
      expect(await agent.authorize(client, { prompt }), prompt).toMatchObject({ error: 'invalid_request' })
  })
})

test.describe('OpenID Connect Core 1.0 §3.1.2.1 max_age', () => {
  // "If the elapsed time is greater than this value, the OP MUST attempt to actively re-authenticate the End-User."
  test('asks for a new sign-in when the last one is older than max_age', async ({ provider }) => {
    const agent = openAgent(provider)
    const first = await idTokenOf(provider, agent, client, { max_age: '1000' })
    const { session } = provider.database.prisma
    const { id, authenticatedAt } = await session.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
    await session.update({ where: { id }, data: { authenticatedAt: new Date(authenticatedAt.getTime() - 60_000) } })
    expect(await agent.authorize(client, { max_age: '30', prompt: 'none' })).toMatchObject({ error: 'login_required' })
    const page = await agent.open(await client.authorizationUrl({ max_age: '30' }))
    expect(page.url.pathname).toBe('/signin')
    const { code = '' } = await agent.finish(page)
    expect((await client.exchange({ code })).status).toBe(200)
    // "When max_age is used, the ID Token returned MUST include an auth_time Claim Value."
    const { claims } = await idTokenOf(provider, agent, client, { max_age: '30' })
    expect(claims.auth_time).toBeGreaterThanOrEqual(Number(first.claims.auth_time))
  })

  // "max_age=0 is equivalent to prompt=login"
  test('asks for a new sign-in with max_age=0', async () => {
    expect((await agent.open(await client.authorizationUrl({ max_age: '0' }))).url.pathname).toBe('/signin')
  })

  test('refuses a max_age that is no number of seconds', async () => {
    for (const max_age of ['-1', '1.5', 'ten'])
      expect(await agent.authorize(client, { max_age }), max_age).toMatchObject({
        error: 'invalid_request',
      })
  })
})

test.describe('OpenID Connect Core 1.0 §3.1.2.1 id_token_hint', () => {
  // "If the End-User identified by the ID Token is already logged in …, then the Authorization Server returns a positive
  // response"
  test('answers prompt=none for the person whom the hint names', async () => {
    const { id_token } = await tokensOf(agent, client)
    expect((await agent.authorize(client, { prompt: 'none', id_token_hint: id_token })).code).toBeDefined()
  })

  // "… otherwise, it MUST return an error, such as login_required."
  test('answers login_required for another person than the hint names, with and without prompt=none', async ({
    provider,
  }) => {
    const { id_token } = await tokensOf(agent, client)
    const other = openAgent(provider, { person: people.bob })
    await other.authorize(client)
    const silent = { prompt: 'none', id_token_hint: id_token }
    expect(await other.authorize(client, silent)).toMatchObject({ error: 'login_required' })
    const page = await other.open(await client.authorizationUrl({ id_token_hint: id_token }))
    expect(formOf(page, '/signin/submit')).toBeDefined()
    expect(await other.finish(page)).toMatchObject({ error: 'login_required' })
  })

  // §3.1.2.2: "the OP MUST validate that it was the issuer of the ID Token"
  test('refuses a hint with a changed signature', async () => {
    const { id_token } = await tokensOf(agent, client)
    const [header = '', payload = ''] = id_token.split('.')
    for (const id_token_hint of [`${header}.${payload}.AAAA`, `${header}.${payload}.`, 'x'])
      expect(await agent.authorize(client, { prompt: 'none', id_token_hint })).toMatchObject({
        error: 'invalid_request',
      })
  })
})
