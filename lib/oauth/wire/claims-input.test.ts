import { describe, expect, it } from 'vitest'
import { ask, type Outcome } from '#lib/testing/oauth/authorize'
import { requestSigner, signingProvision } from '#lib/testing/oauth/request-objects'
import { basicAuth, callback, secret } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'

const app = {
  kind: 'confidential',
  client_secret: secret,
  redirect_uris: [callback],
  scopes: ['openid', 'name', 'email'],
  email: 'optional',
}
const apps = [
  { ...app, client_id: 'asking', name: 'Asking', profile: 'oidc' },
  { ...app, client_id: 'ignored', name: 'Ignored' },
]
const teams = [...signingProvision.teams, { id: 'claims', name: 'Claims', apps }]
const postern = sharePostern({ provision: { ...signingProvision, teams } })

const asked = (claims: string, changed = {}) => ({ client_id: 'asking', scope: 'openid', claims, ...changed })

describe('a parameter claims that is', () => {
  const errorOf = ({ returned, accepted }: Outcome) => returned?.error ?? (accepted && 'accepted')

  it.each([
    ['no JSON', '{'],
    ['JSON with a comma too many', '{"userinfo":{},}'],
    ['a text', '"userinfo"'],
    ['a number', '1'],
    ['null', 'null'],
    ['a list', '[]'],
    ['an object with a list as member', '{"userinfo":[]}'],
    ['an object with a text as member', '{"id_token":"name"}'],
    ['an object with a claim that is a text', '{"id_token":{"name":"essential"}}'],
    ['an object with a claim that is true', '{"userinfo":{"name":true}}'],
    ['longer than 4096 characters', JSON.stringify({ x: 'x'.repeat(4096) })],
    ['nested without end', `{"userinfo":${'['.repeat(4000)}`],
  ])('%s is refused with invalid_request', async (_, claims) => {
    const outcome = await ask(postern.context, asked(claims))
    expect([errorOf(outcome), outcome.returned?.state]).toEqual(['invalid_request', 'state'])
  })

  it('repeated is refused with invalid_request (RFC 6749 §3.1)', async () => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'asking',
      redirect_uri: callback,
      scope: 'openid',
    })
    expect(errorOf(await ask(postern.context, `${query}&claims={}&claims={}`))).toBe('invalid_request')
  })

  it.each([
    ['empty', ''],
    ['an empty object', '{}'],
    ['an object with null as member', '{"userinfo":null}'],
    ['an object with unknown members (§5.5: MUST be ignored)', '{"other":[1],"userinfo":{"name":{"other":[]}}}'],
    ['deep in members that are ignored', `{"other":${'['.repeat(1500)}${']'.repeat(1500)}}`],
    [
      'full of names of Object.prototype',
      '{"__proto__":{"userinfo":1},"constructor":null,"id_token":{"toString":null}}',
    ],
    ['an object with a name twice', '{"userinfo":{"email":1},"userinfo":{"name":null}}'],
  ])('%s is accepted', async (_, claims) => {
    expect(errorOf(await ask(postern.context, asked(claims)))).toBe('accepted')
    expect(({} as Record<string, unknown>).userinfo).toBeUndefined()
  })

  it('pushed is checked and kept (RFC 9126 §2.1)', async () => {
    const parameters = { response_type: 'code', redirect_uri: callback, scope: 'openid' }
    const refused = await postern.push({ ...parameters, claims: '[]' }, basicAuth('asking', secret))
    expect([refused.status, (await refused.json()).error]).toEqual([400, 'invalid_request'])
    const kept = await postern.push(
      { ...parameters, claims: '{"userinfo":{"name":null}}' },
      basicAuth('asking', secret),
    )
    const { request_uri } = await kept.json()
    const { accepted } = await ask(postern.context, `client_id=asking&request_uri=${request_uri}`)
    expect(accepted?.scopes).toEqual(['openid', 'name'])
  })

  it('in a signed request object counts, and not the one beside it (Core §6.1, RFC 9101 §6.3)', async () => {
    const { sign, send } = requestSigner(postern)
    const claims = { userinfo: { email: null }, id_token: { auth_time: { essential: true } } }
    const { accepted } = await send('oidc-app', await sign('oidc-app', { scope: 'openid', claims }), { claims: '[]' })
    expect([accepted?.scopes, accepted?.claims?.authTime]).toEqual([['openid', 'email'], true])
  })

  it('sent by an app of profile standard is ignored, as the specification has no such parameter', async () => {
    for (const claims of ['{', '{"userinfo":{"name":null},"id_token":{"acr":{"essential":true,"value":"aal2"}}}']) {
      const { accepted } = await ask(postern.context, asked(claims, { client_id: 'ignored' }))
      expect([accepted?.scopes, accepted?.claims]).toEqual([['openid'], undefined])
    }
  })
})
