import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { asBrowser, asMail, asOther, getTokens } from '#lib/testing/oauth/get-tokens'
import { refusal } from '#lib/testing/oauth/tokens'
import { acme, basic, basicAuth, callback, verifier } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'

const postern = sharePostern({ provision: { ...acme, people: acme.people.slice(0, 1) } })

const refresh = (refresh_token: string, headers = basic) =>
  postern.token({ grant_type: 'refresh_token', refresh_token }, headers)
const lives = async (token: string) => (await postern.userinfo(token)).status === 200
const revoke = (token: string) => postern.revoke({ token })
const introspect = async (token: string, headers = basic, form = {}) => {
  const answer = await postern.introspect({ token, ...form }, headers)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  return answer.json()
}
const inactive = { active: false }
const hints = ['access_token', 'refresh_token', 'id_token', 'nonsense', '']

describe('introspection', () => {
  it('describes a valid access token, with the pairwise sub only', async () => {
    const { access_token } = await getTokens(postern, { scopes: ['openid', 'name', 'email'] })
    const { exp, iat, sub, jti } = decodeJwt(access_token)
    expect(await introspect(access_token)).toStrictEqual({
      active: true,
      scope: 'openid name email',
      client_id: 'acme-web',
      token_type: 'Bearer',
      acr: 'aal1',
      auth_time: iat,
      exp,
      iat,
      sub,
      aud: postern.context.config.issuer,
      iss: postern.context.config.issuer,
      jti,
    })
  })

  it('describes the current refresh token, with the expiry of an unused one', async () => {
    const { access_token, refresh_token } = await getTokens(postern, { scopes: ['openid', 'name'] })
    const description = await introspect(refresh_token)
    const { sub, iss } = decodeJwt(access_token)
    const iat = Math.floor(postern.clock.now.getTime() / 1000)
    expect(description).toStrictEqual({
      active: true,
      scope: 'openid name',
      client_id: 'acme-web',
      token_type: 'refresh_token',
      exp: iat + postern.context.config.lifetimes.refreshIdle,
      iat,
      sub,
      aud: iss,
      iss,
      jti: expect.stringMatching(/^[\w-]{22}$/),
    })
    const successor = (await (await refresh(refresh_token)).json()).refresh_token
    expect((await introspect(successor)).jti).not.toBe(description.jti)
  })

  it('describes tokens of another app of the same team', async () => {
    const { access_token, refresh_token } = await getTokens(postern)
    expect(await introspect(access_token, asMail)).toMatchObject({ active: true, client_id: 'acme-web' })
    expect(await introspect(refresh_token, asMail)).toMatchObject({ active: true, client_id: 'acme-web' })
    const browser = await getTokens(postern, { clientId: 'acme-spa' }, {}, asBrowser)
    expect(await introspect(browser.access_token)).toMatchObject({ active: true, client_id: 'acme-spa' })
  })

  it('reports tokens of another team as inactive only', async () => {
    const { access_token, refresh_token } = await getTokens(postern)
    for (const token of [access_token, refresh_token]) expect(await introspect(token, asOther)).toStrictEqual(inactive)
  })

  it('reports ID tokens, codes and junk as inactive only', async () => {
    const { id_token } = await getTokens(postern)
    const junk = [
      'x',
      '..',
      'rt_',
      `rt_${'A'.repeat(22)}.${'A'.repeat(43)}.${'A'.repeat(22)}`,
      'ü€😀',
      'x'.repeat(20_000),
    ]
    for (const token of [id_token, await postern.approve(), ...junk]) {
      expect(await introspect(token)).toStrictEqual(inactive)
    }
  })

  it('reports revoked and expired tokens as inactive', async () => {
    const [alone, whole, expired] = [await getTokens(postern), await getTokens(postern), await getTokens(postern)]
    await revoke(alone.access_token)
    await revoke(whole.refresh_token)
    for (const token of [alone.access_token, whole.access_token, whole.refresh_token]) {
      expect(await introspect(token)).toStrictEqual(inactive)
    }
    postern.later(300)
    expect(await introspect(expired.access_token)).toStrictEqual(inactive)
    expect(await introspect(expired.refresh_token)).toMatchObject({ active: true })
    postern.later(postern.context.config.lifetimes.refreshIdle)
    expect(await introspect(expired.refresh_token)).toStrictEqual(inactive)
  })

  it('reports tokens of a disabled person as inactive', async () => {
    const { access_token, refresh_token } = await getTokens(postern)
    const { person } = postern.context.database.prisma
    await person.updateMany({ data: { disabledAt: new Date() } })
    for (const token of [access_token, refresh_token]) expect(await introspect(token)).toStrictEqual(inactive)
    await person.updateMany({ data: { disabledAt: null } })
    expect(await introspect(access_token)).toMatchObject({ active: true })
  })

  it('reports a rotated refresh token as inactive, without revoking', async () => {
    const first = await getTokens(postern)
    const second = await (await refresh(first.refresh_token)).json()
    const third = await (await refresh(second.refresh_token)).json()
    postern.later(60)
    for (const token of [first.refresh_token, second.refresh_token, first.refresh_token]) {
      expect(await introspect(token)).toStrictEqual(inactive)
    }
    expect(await introspect(third.refresh_token)).toMatchObject({ active: true })
    expect(await lives(third.access_token)).toBe(true)
    expect((await refresh(third.refresh_token)).status).toBe(200)
  })

  it('spends no code and revokes no token', async () => {
    const code = await postern.approve()
    await introspect(code)
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
    expect((await postern.token(form)).status).toBe(200)
  })

  it.each(hints)('accepts the hint %j', async (token_type_hint) => {
    const { access_token, refresh_token } = await getTokens(postern)
    for (const token of [access_token, refresh_token]) {
      expect(await introspect(token, basic, { token_type_hint })).toEqual(await introspect(token))
    }
  })

  it('reports the narrowed scope of a narrowed token', async () => {
    const { refresh_token } = await getTokens(postern, { scopes: ['openid', 'name', 'region'] })
    const form = { grant_type: 'refresh_token', refresh_token, scope: 'openid region' }
    const { access_token } = await (await postern.token(form)).json()
    expect(await introspect(access_token)).toMatchObject({ scope: 'openid region' })
  })

  it('rejects a public app with 401 invalid_client, also for its own token', async () => {
    const { access_token } = await getTokens(postern, { clientId: 'acme-spa' }, {}, asBrowser)
    expect(await refusal(postern.introspect({ token: access_token, ...asBrowser }, {}))).toBe('401 invalid_client')
    expect(await refusal(postern.introspect({ token: access_token }, {}))).toBe('401 invalid_client')
    expect(await refusal(postern.introspect({ token: access_token }, basicAuth('acme-web', 'x')))).toBe(
      '401 invalid_client',
    )
  })
})
