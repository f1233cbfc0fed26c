import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { profileScopes } from '#lib/oauth/scope'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { ask } from '#lib/testing/oauth/authorize'
import { refusal } from '#lib/testing/oauth/tokens'
import { acme, basicAuth, callback, secret, verifier } from '#lib/testing/process/postern'

const web = acme.teams[0]?.apps[0]
const nine = [...profileScopes]
const register = (client_id: string, scopes: string[], changed = {}) => ({
  ...web,
  client_id,
  scopes,
  email: scopes.includes('email') ? 'optional' : 'none',
  ...changed,
})
const apps = [
  register('sample', ['openid', 'name', 'email']),
  register('sample-classic', ['openid', 'name', 'email'], { profile: 'oidc' }),
  register('each-of-nine', ['openid', ...nine, 'email']),
  register('bundle', ['openid', 'profile', 'email']),
  register('narrow', ['openid']),
  register('counted', ['openid']),
]
const start = shareFlow({ provision: { ...acme, teams: [...acme.teams, { id: 'samples', name: 'Samples', apps }] } })

/** Signs a person in to an app, and returns the token response and the requests of a client. */
async function signIn(client_id: string, scope: string, ticked: string[] = nine) {
  const { browser, token, failures, userinfo, introspect } = await start()
  const consent = await browser.signIn(await browser.authorize({ client_id, scope }))
  expect(placeOf(consent)).toBe('/consent')
  const { parameters } = await browser.decide(consent, { scope: ticked, email_choice: 'regular' })
  const headers = basicAuth(client_id, secret)
  const form = { grant_type: 'authorization_code', code: parameters.code, redirect_uri: callback }
  const tokens = await (await token({ ...form, code_verifier: verifier }, headers)).json()
  return {
    tokens,
    failures: () => failures(client_id),
    claims: async () => (await userinfo(tokens.access_token)).json(),
    refresh: (scope: string) =>
      token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token, scope }, headers),
    inspect: async () => (await introspect({ token: tokens.access_token }, headers)).json(),
  }
}

const scopesOf = (token: string) => String(decodeJwt(token).scope).split(' ')
const usual = 'openid profile email'

describe('scope "openid profile email", which stock clients send', () => {
  it.each(['sample', 'sample-classic'])(
    'asks for the registered ones of the nine, for the app %s (Core §5.4)',
    async (id) => {
      const { tokens, claims, failures } = await signIn(id, usual)
      expect([tokens.scope, scopesOf(tokens.access_token)]).toEqual(['openid name email', ['openid', 'name', 'email']])
      expect(await claims()).toMatchObject({ name: 'Ada L.', email: 'ada@example.org' })
      expect(await failures()).toEqual([])
    },
  )

  it.each(['each-of-nine', 'bundle'])(
    'is returned as it was sent if all nine are granted, for the app %s (RFC 6749 §5.1)',
    async (id) => {
      const { tokens, refresh, inspect } = await signIn(id, usual)
      expect(tokens.scope).toBe(usual)
      expect(scopesOf(tokens.access_token)).toEqual(['openid', 'profile', ...nine, 'email'])
      expect((await inspect()).scope.split(' ')).toEqual(['openid', 'profile', ...nine, 'email'])
      expect((await (await refresh(usual)).json()).scope).toBe(usual)
    },
  )

  it('lists what is granted if a person unticks one of the nine (RFC 6749 §3.3)', async () => {
    const { tokens, refresh } = await signIn('each-of-nine', usual, nine.slice(1))
    expect(tokens.scope.split(' ')).toEqual(['openid', ...nine.slice(1), 'email'])
    expect(scopesOf(tokens.access_token)).not.toContain('profile')
    expect((await (await refresh(usual)).json()).scope).toBe(tokens.scope)
  })

  it('can be sent again with a refresh (RFC 6749 §6)', async () => {
    const { tokens, refresh } = await signIn('sample', usual)
    expect(await refusal(refresh('openid name gender'))).toBe('400 invalid_scope')
    const next = await (await refresh(usual)).json()
    expect(next.scope).toBe(tokens.scope)
  })
})

describe('a scope that the app did not register', () => {
  it.each([
    ['openid gender', 'gender'],
    ['openid profile', 'profile'],
    [`openid offline_access ${nine.join(' ')} email phone`, `${nine.join(' ')} email`],
  ])('is ignored in "%s", and the recent failures of the app name it (Core §3.1.2.1)', async (scope, left) => {
    const { tokens, failures } = await signIn('narrow', scope)
    expect([tokens.scope, scopesOf(tokens.access_token)]).toEqual(['openid', ['openid']])
    await expect
      .poll(async () => (await failures()).map(({ endpoint, code, detail }) => [endpoint, code, detail]))
      .toContainEqual(['authorize', 'invalid_scope', JSON.stringify({ scopes: left })])
  })

  it('is one recent failure for each set of scopes, in whatever order a request names them', async () => {
    const { context, failures } = await start()
    const scopes = ['openid gender region', 'openid region gender', 'openid region', 'openid gender']
    for (const scope of scopes) await ask(context, { client_id: 'counted', scope })
    const counts = async () => (await failures('counted')).map(({ count }) => count)
    await expect.poll(async () => (await counts()).reduce((sum, count) => sum + count, 0)).toBe(4)
    expect((await counts()).sort()).toEqual([1, 1, 2])
  })

  it('counts as no refusal in the metrics', async () => {
    const { context } = await start()
    const count = async () => await context.metrics.registry.getSingleMetricAsString('postern_refusals_total')
    const before = await count()
    const { accepted } = await ask(context, { client_id: 'narrow', scope: 'openid gender' })
    expect([accepted?.scopes, await count()]).toEqual([['openid'], before])
  })
})
