import { expect, test } from './provider.ts'
import { readIdToken, tokensOf } from './tokens.ts'
import { openAgent } from './user-agent.ts'

test.describe('OpenID Connect Core 1.0 §12 Using Refresh Tokens', () => {
  // §12.1: "the Client MUST authenticate to the Token Endpoint"; RFC 6749 §6: "ensure that the refresh token was issued to
  // the authenticated client"
  test('refreshes for the authenticated app of the token only', async ({ provider }) => {
    const [client, other] = [await provider.client('oidc'), await provider.client('oidc')]
    const { refresh_token } = await tokensOf(openAgent(provider), client)
    const refused = async (answering: ReturnType<typeof client.refresh>) => {
      const answer = await answering
      return `${answer.status} ${answer.json().error}`
    }
    expect(await refused(client.refresh(refresh_token, {}, { authorization: undefined }))).toBe('401 invalid_client')
    expect(await refused(other.refresh(refresh_token))).toBe('400 invalid_grant')
    expect(await refused(client.refresh('unknown'))).toBe('400 invalid_grant')
    expect(await refused(client.token({ grant_type: 'refresh_token' }))).toBe('400 invalid_request')
    expect((await client.refresh(refresh_token)).status).toBe(200)
  })

  // §12.2: iss "MUST be the same", sub "MUST be the same", iat "MUST represent the time that the new ID Token is issued", aud
  // "MUST include the aud … of the original", auth_time "MUST represent the time of the original authentication", "it SHOULD
  // NOT have a nonce Claim", azp "MUST be the same".
  for (const profile of ['standard', 'oidc', 'fapi2'] as const)
    test(`returns an ID token with the claims of the first one and without nonce, profile ${profile}`, async ({
      provider,
    }) => {
      const client = await provider.client(profile)
      const first = await tokensOf(openAgent(provider), client, { max_age: '3600' })
      const answer = await client.refresh(first.refresh_token)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
      const { claims: before } = await readIdToken(provider, client, first.id_token)
      const { claims: after } = await readIdToken(provider, client, answer.json().id_token)
      for (const name of ['iss', 'sub', 'aud', 'auth_time', 'azp', 'acr'])
        expect(after[name], name).toEqual(before[name])
      expect(after.iat).toBeGreaterThanOrEqual(Number(before.iat))
      expect(after).not.toHaveProperty('nonce')
    })

  // RFC 6749 §6: "The requested scope MUST NOT include any scope not originally granted by the resource owner, and if omitted
  // is treated as equal to the scope originally granted"
  test('narrows the scope on request, and refuses a wider one', async ({ provider }) => {
    const client = await provider.client('oidc')
    const { refresh_token } = await tokensOf(openAgent(provider), client, { scope: 'openid name' })
    const wider = await client.refresh(refresh_token, { scope: 'openid name email' })
    expect([wider.status, wider.json().error]).toEqual([400, 'invalid_scope'])
    const narrow = (await client.refresh(refresh_token, { scope: 'openid' })).json()
    expect(narrow.scope).toBe('openid')
    expect((await client.userinfo(narrow.access_token)).json()).not.toHaveProperty('name')
    expect((await client.refresh(narrow.refresh_token)).json().scope).toBe('openid name')
  })
})
