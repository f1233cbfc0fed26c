import { decodeJwt } from 'jose'
import type { Client } from './client.ts'
import { expect, test } from './provider.ts'
import { refusalOf } from './refusal.ts'
import { openAgent, type UserAgent } from './user-agent.ts'

const resource = 'https://api.wire.example/orders'
const team = 'wire-api'
const scope = 'openid name orders_read'
let agent: UserAgent
let bank: Client
let bound: Client
test.beforeAll(async ({ provider }) => {
  const apis = [{ identifier: resource, name: 'Orders', scopes: ['orders_read', 'ordersXread'] }]
  await provider.apply({ teams: [{ id: team, name: 'API', apis }] })
  agent = openAgent(provider)
  bank = await provider.client('fapi2', { team })
  bound = await provider.client('standard', { team, dpop_bound_access_tokens: true })
})

/** Each app whose tokens are bound to a DPoP key. */
const boundApps = [
  ['fapi2', () => bank],
  ['standard with dpop_bound_access_tokens', () => bound],
] as const

test.describe('RFC 8707 Resource Indicators with RFC 9449 DPoP', () => {
  for (const [name, client] of boundApps) {
    test(`binds a token for an API, and its cnf reaches introspection: ${name}`, async () => {
      const app = client()
      const { jkt } = app.proofPair
      const answer = await agent.authorize(app, { resource, scope })
      const tokens = (await app.exchange(answer, { resource })).json()
      expect(tokens).toMatchObject({ token_type: 'DPoP', scope: 'orders_read' })
      expect(decodeJwt(tokens.access_token)).toMatchObject({ aud: resource, cnf: { jkt } })
      const described = { active: true, aud: resource, scope: 'orders_read', token_type: 'DPoP', cnf: { jkt } }
      expect((await app.introspect(tokens.access_token)).json()).toMatchObject(described)
      const refreshed = (await app.refresh(tokens.refresh_token, { resource })).json()
      expect((await app.introspect(refreshed.access_token)).json()).toMatchObject(described)
      expect((await app.userinfo(tokens.access_token)).status).toBe(401)
    })

    test(`refuses a token request for an API without a proof: ${name}`, async () => {
      const app = client()
      const answer = await agent.authorize(app, { resource, scope })
      expect(refusalOf(await app.exchange(answer, { resource }, { dpop: undefined }))).toBe('400 invalid_request')
    })
  }

  test('lists the scopes of the API when a refresh token is introspected', async () => {
    const { refresh_token } = (await bank.exchange(await agent.authorize(bank, { resource, scope }))).json()
    expect((await bank.introspect(refresh_token)).json()).toMatchObject({ active: true, scope })
  })

  test('refuses an API of another team (§2)', async ({ provider }) => {
    const stranger = await provider.client('fapi2')
    expect(refusalOf(await stranger.push(stranger.request({ resource })))).toBe('400 invalid_target')
  })
})
