import { describe, expect, it } from 'vitest'
import { asBrowser, asMail, asOther, getTokens } from '#lib/testing/oauth/get-tokens'
import { refusal } from '#lib/testing/oauth/tokens'
import { acme, basic, basicAuth, callback, verifier } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'

const postern = sharePostern({ provision: { ...acme, people: acme.people.slice(0, 1) } })

const refresh = (refresh_token: string, headers = basic) =>
  postern.token({ grant_type: 'refresh_token', refresh_token }, headers)
const lives = async (token: string) => (await postern.userinfo(token)).status === 200
const revoke = async (token: string, headers: Record<string, string> = basic, form = {}) => {
  const answer = await postern.revoke({ token, ...form }, headers)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe('')
  return answer
}
const hints = ['access_token', 'refresh_token', 'id_token', 'nonsense', '']

describe('revocation', () => {
  it('ends the access tokens of a refresh token', async () => {
    const first = await getTokens(postern)
    const second = await (await refresh(first.refresh_token)).json()
    await revoke(second.refresh_token)
    for (const { access_token, refresh_token } of [first, second]) {
      expect(await lives(access_token)).toBe(false)
      expect(await refusal(refresh(refresh_token))).toBe('400 invalid_grant')
    }
  })

  it('ends the authorization of a rotated or expired refresh token too', async () => {
    const first = await getTokens(postern)
    const second = await (await refresh(first.refresh_token)).json()
    postern.later(60)
    await revoke(first.refresh_token)
    expect(await lives(second.access_token)).toBe(false)
    expect(await refusal(refresh(second.refresh_token))).toBe('400 invalid_grant')
    const { refresh_token } = await getTokens(postern)
    postern.later(postern.context.config.lifetimes.refreshMax)
    await revoke(refresh_token)
    expect(await postern.context.database.prisma.authorization.count({ where: { revokedAt: postern.clock.now } })).toBe(
      1,
    )
  })

  it('ends an access token alone', async () => {
    const first = await getTokens(postern)
    const second = await (await refresh(first.refresh_token)).json()
    await revoke(first.access_token)
    expect(await lives(first.access_token)).toBe(false)
    expect(await lives(second.access_token)).toBe(true)
    expect((await refresh(second.refresh_token)).status).toBe(200)
  })

  it('answers 200 to a repetition', async () => {
    const { access_token, refresh_token } = await getTokens(postern)
    for (const token of [access_token, access_token, refresh_token, refresh_token]) await revoke(token)
  })

  it('succeeds for eight concurrent requests', async () => {
    const { access_token, refresh_token } = await getTokens(postern)
    await Promise.all(Array.from({ length: 8 }, () => revoke(access_token)))
    await Promise.all(Array.from({ length: 8 }, () => revoke(refresh_token)))
    expect(await lives(access_token)).toBe(false)
  })

  it('answers 200 without effect for tokens of another app, also of the same team', async () => {
    const { access_token, refresh_token } = await getTokens(postern)
    for (const headers of [asMail, asOther]) {
      for (const token of [access_token, refresh_token]) await revoke(token, headers)
    }
    await revoke(refresh_token, {}, asBrowser)
    expect(await lives(access_token)).toBe(true)
    expect((await refresh(refresh_token)).status).toBe(200)
  })

  it('answers 200 without effect for unknown tokens, ID tokens and codes', async () => {
    const { access_token, id_token, refresh_token } = await getTokens(postern)
    const id = refresh_token.slice(0, refresh_token.indexOf('.'))
    const junk = [
      'x',
      id,
      `${id}.${'A'.repeat(43)}.${'A'.repeat(22)}`,
      refresh_token.slice(0, -1),
      '😀',
      'x'.repeat(20_000),
    ]
    for (const token of [id_token, ...junk]) await revoke(token)
    expect(await lives(access_token)).toBe(true)
    expect((await refresh(refresh_token)).status).toBe(200)
    const code = await postern.approve()
    await revoke(code)
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
    expect((await postern.token(form)).status).toBe(200)
  })

  it.each(hints)('accepts the hint %j', async (token_type_hint) => {
    const { access_token, refresh_token } = await getTokens(postern)
    await revoke(access_token, basic, { token_type_hint })
    expect(await lives(access_token)).toBe(false)
    await revoke(refresh_token, basic, { token_type_hint })
    expect(await refusal(refresh(refresh_token))).toBe('400 invalid_grant')
  })

  it('accepts a public app for its own tokens', async () => {
    const { access_token } = await getTokens(postern, { clientId: 'acme-spa' }, {}, asBrowser)
    await revoke(access_token, {}, asBrowser)
    expect(await lives(access_token)).toBe(false)
  })

  it('rejects a request without a client with 401 invalid_client', async () => {
    const { access_token, refresh_token } = await getTokens(postern)
    for (const token of [access_token, refresh_token]) {
      expect(await refusal(postern.revoke({ token }, {}))).toBe('401 invalid_client')
      expect(await refusal(postern.revoke({ token }, basicAuth('acme-web', 'x')))).toBe('401 invalid_client')
    }
    expect(await lives(access_token)).toBe(true)
  })
})

describe.each(['introspect', 'revoke'] as const)('a request to %s', (endpoint) => {
  it.each([
    ['without a token', '', {}],
    ['with an empty token', 'token=', {}],
    ['with two tokens', 'token=a&token=b', {}],
    ['with broken encoding', 'token=%zz', {}],
    ['with NUL', 'token=a%00b', {}],
    ['as JSON', '{"token":"x"}', { 'content-type': 'application/json' }],
  ])('is rejected with 400 invalid_request %s', async (_, body, headers) => {
    expect(await refusal(postern[endpoint](body, { ...basic, ...headers }))).toBe('400 invalid_request')
  })

  it('may have unknown parameters, also repeated ones', async () => {
    expect((await postern[endpoint]('token=x&y=1&y=2', basic)).status).toBe(200)
  })

  it('is open to web pages of any origin, without cookies', async () => {
    const { headers } = await postern[endpoint]('token=x', basic)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.has('access-control-allow-credentials')).toBe(false)
  })
})
