import { expect, people, test } from './provider.ts'
import { openAgent } from './user-agent.ts'

test.describe('the wire harness', () => {
  for (const profile of ['standard', 'oidc', 'fapi2'] as const)
    test(`signs in at an app of profile ${profile}`, async ({ provider }) => {
      const client = await provider.client(profile)
      const agent = openAgent(provider)
      const answer = await agent.authorize(client, { scope: 'openid name email' })
      expect(answer).toEqual({ code: expect.any(String), state: 'the state', iss: provider.issuer })
      const tokens = await client.exchange(answer)
      expect(tokens.status).toBe(200)
      const userinfo = await client.userinfo(tokens.json().access_token)
      expect(userinfo.json()).toMatchObject({ name: people.ada.name, email: people.ada.email })
      expect(await client.introspect(tokens.json().access_token).then(({ json }) => json())).toMatchObject({
        active: true,
      })
      expect((await agent.authorize(client, { prompt: 'none' })).code).toBeDefined()
    })

  test('reads the parameters of response_mode=form_post', async ({ provider }) => {
    const client = await provider.client('oidc')
    const answer = await openAgent(provider).authorize(client, { response_mode: 'form_post' })
    expect(answer).toEqual({ code: expect.any(String), state: 'the state', iss: provider.issuer })
  })
})
