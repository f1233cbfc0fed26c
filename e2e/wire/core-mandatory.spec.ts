import type { Client } from './client.ts'
import { expect, test } from './provider.ts'
import { idTokenOf } from './tokens.ts'
import { openAgent, type UserAgent } from './user-agent.ts'

let client: Client
/** The browser in which Ada is signed in. */
let ada: UserAgent
test.beforeAll(async ({ provider }) => {
  client = await provider.client('oidc')
  ada = openAgent(provider)
})

test.describe('OpenID Connect Core 1.0 §15.1 Mandatory to Implement Features for All OpenID Providers', () => {
  // "Signing ID Tokens with RSA SHA-256: OPs MUST support signing ID Tokens with the RSA SHA-256 algorithm (an alg value of
  // RS256)"
  test('signs ID tokens with RS256', async ({ provider }) => {
    const { header } = await idTokenOf(provider, ada, client)
    expect(header).toMatchObject({ alg: 'RS256', kid: expect.any(String) })
    const { keys } = (await provider.send(provider.discovery.jwks_uri)).json()
    expect(keys).toContainEqual(expect.objectContaining({ kid: header.kid, kty: 'RSA', use: 'sig' }))
  })

  // "Prompt Parameter: OPs MUST support the prompt parameter, as defined in Section 3.1.2, including the specified user
  // interface behaviors such as none and login."
  test('shows nothing with prompt=none, and the sign-in page with prompt=login', async ({ provider }) => {
    const agent = openAgent(provider)
    expect(await agent.authorize(client, { prompt: 'none' })).toMatchObject({ error: 'login_required' })
    await agent.authorize(client)
    expect((await agent.authorize(client, { prompt: 'none' })).code).toBeDefined()
    const page = await agent.open(await client.authorizationUrl({ prompt: 'login' }))
    expect([page.isApp, page.url.pathname]).toEqual([false, '/signin'])
  })

  // "Display Parameter: OPs MUST support the display parameter … the minimum level of support required for this parameter
  // is simply to have its use not result in an error."
  // "Preferred Locales: OPs MUST support requests for preferred languages and scripts for the user interface and for Claims
  // via the ui_locales and claims_locales request parameters … not result in an error."
  // "Authentication Context Class Reference: OPs MUST support requests for specific Authentication Context Class Reference
  // values via the acr_values parameter … not result in an error."
  for (const [name, value] of [
    ['display', 'popup'],
    ['ui_locales', 'se'],
    ['claims_locales', 'se'],
    ['acr_values', '1 2'],
  ] as const)
    test(`accepts ${name}=${value}`, async () => {
      expect((await ada.authorize(client, { [name]: value })).code).toBeDefined()
    })

  // "Authentication Time: OPs MUST support returning the time at which the End-User authenticated via the auth_time Claim,
  // when requested."
  test('returns auth_time when it is requested, by max_age or as a claim', async ({ provider }) => {
    const claims = JSON.stringify({ id_token: { auth_time: { essential: true } } })
    for (const asked of [{ max_age: '10000' }, { claims }]) {
      const { claims: idToken } = await idTokenOf(provider, ada, client, asked)
      expect(Math.abs(Number(idToken.auth_time) - Date.now() / 1000)).toBeLessThan(600)
    }
  })

  // "Maximum Authentication Age: OPs MUST support enforcing a maximum authentication age via the max_age parameter."
  test('asks for a new sign-in when max_age has passed', async ({ provider }) => {
    const agent = openAgent(provider)
    await agent.authorize(client)
    const { session } = provider.database.prisma
    const { id, authenticatedAt } = await session.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
    await session.update({ where: { id }, data: { authenticatedAt: new Date(authenticatedAt.getTime() - 5000) } })
    expect((await agent.authorize(client, { max_age: '10000' })).code).toBeDefined()
    const page = await agent.open(await client.authorizationUrl({ max_age: '1' }))
    expect([page.isApp, page.url.pathname]).toEqual([false, '/signin'])
  })
})
