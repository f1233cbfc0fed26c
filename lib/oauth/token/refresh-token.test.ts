import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { refusal, setUpTokens } from '#lib/testing/oauth/tokens'
import { basicAuth, secret } from '#lib/testing/process/postern'

describe('refresh', () => {
  it('returns a successor and new access and ID tokens; the ID token keeps iss, sub, aud and auth_time, without nonce', async () => {
    const { tokens, refresh, later } = await setUpTokens()
    const first = await tokens({ nonce: 'once', maxAge: 100 })
    later(40)
    const second = await (await refresh(first.refresh_token)).json()
    expect(second.refresh_token).not.toBe(first.refresh_token)
    const [before, after] = [decodeJwt(first.id_token), decodeJwt(second.id_token)]
    for (const claim of ['iss', 'sub', 'aud', 'auth_time', 'sid']) expect(after[claim]).toEqual(before[claim])
    expect(after).not.toHaveProperty('nonce')
  })

  it('returns the same successor on a retry within the window', async () => {
    const { tokens, refresh, userinfo } = await setUpTokens()
    const { refresh_token } = await tokens()
    const [one, two] = [await (await refresh(refresh_token)).json(), await (await refresh(refresh_token)).json()]
    expect(two.refresh_token).toBe(one.refresh_token)
    expect(two.access_token).not.toBe(one.access_token)
    expect((await userinfo(two.access_token)).status).toBe(200)
  })

  it('revokes the authorization on a replay after the window', async () => {
    const { tokens, refresh, userinfo, later } = await setUpTokens()
    const first = await tokens()
    const second = await (await refresh(first.refresh_token)).json()
    later(31)
    expect(await refusal(refresh(first.refresh_token))).toBe('400 invalid_grant')
    expect(await refusal(refresh(second.refresh_token))).toBe('400 invalid_grant')
    expect((await userinfo(second.access_token)).status).toBe(401)
  })

  it('revokes the authorization on a replay of a token whose successor was used, also within the window', async () => {
    const { tokens, refresh } = await setUpTokens()
    const first = await tokens()
    const second = await (await refresh(first.refresh_token)).json()
    const third = await (await refresh(second.refresh_token)).json()
    expect(await refusal(refresh(first.refresh_token))).toBe('400 invalid_grant')
    expect(await refusal(refresh(third.refresh_token))).toBe('400 invalid_grant')
  })

  it('allows no retry with REFRESH_RETRY_SECONDS=0', async () => {
    const { tokens, refresh } = await setUpTokens({ env: { REFRESH_RETRY_SECONDS: '0' } })
    const { refresh_token } = await tokens()
    await refresh(refresh_token)
    expect(await refusal(refresh(refresh_token))).toBe('400 invalid_grant')
  })

  it('revokes nothing on junk with a known id, or from another app', async () => {
    const { tokens, refresh } = await setUpTokens()
    const { refresh_token } = await tokens()
    const id = refresh_token.slice(0, refresh_token.indexOf('.'))
    for (const junk of [
      `${id}.junk`,
      `${id}.${'A'.repeat(43)}.${'A'.repeat(22)}`,
      refresh_token.slice(0, -1),
      'rt_',
      'x'.repeat(5000),
    ]) {
      expect(await refusal(refresh(junk))).toBe('400 invalid_grant')
    }
    expect(await refusal(refresh(refresh_token, {}, basicAuth('other-web', secret)))).toBe('400 invalid_grant')
    expect((await refresh(refresh_token)).status).toBe(200)
  })

  it('narrows the access token by scope, never widens it, and keeps the grant', async () => {
    const { tokens, refresh } = await setUpTokens()
    const first = await tokens({ scopes: ['openid', 'name', 'nickname'] })
    const narrow = await (await refresh(first.refresh_token, { scope: 'openid name' })).json()
    expect(narrow.scope).toBe('openid name')
    expect(await refusal(refresh(narrow.refresh_token, { scope: 'openid email' }))).toBe('400 invalid_scope')
    expect((await (await refresh(narrow.refresh_token)).json()).scope).toBe('openid name nickname')
  })

  it('expires when idle, and at its maximum', async () => {
    const { tokens, refresh, later } = await setUpTokens({ env: { REFRESH_IDLE_DAYS: '2', REFRESH_MAX_DAYS: '3' } })
    const idle = await tokens()
    let used = await tokens()
    later(86_400)
    used = await (await refresh(used.refresh_token)).json()
    later(86_400)
    expect(await refusal(refresh(idle.refresh_token))).toBe('400 invalid_grant')
    used = await (await refresh(used.refresh_token)).json()
    later(86_400)
    expect(await refusal(refresh(used.refresh_token))).toBe('400 invalid_grant')
  })

  it('is rejected for a disabled app or person', async () => {
    const { tokens, refresh, context } = await setUpTokens()
    const { refresh_token } = await tokens()
    await context.database.prisma.person.updateMany({ data: { disabledAt: new Date() } })
    expect(await refusal(refresh(refresh_token))).toBe('400 invalid_grant')
  })

  it('is rejected for a public app with unauthorized_client', async () => {
    const { tokens, refresh } = await setUpTokens()
    const { refresh_token } = await tokens()
    expect(await refusal(refresh(refresh_token, { client_id: 'acme-spa' }, {}))).toBe('400 unauthorized_client')
  })
})

it('derives the same successor for a retry with the previous master key', async () => {
  const before = await setUpTokens()
  const { refresh_token } = await before.tokens()
  const first = await (await before.refresh(refresh_token)).json()
  const rotated = {
    ...before.settings,
    SECRET_KEY: Buffer.alloc(32, 2).toString('base64url'),
    SECRET_KEY_PREVIOUS: before.settings.SECRET_KEY,
  }
  const after = await setUpTokens({ env: rotated as Record<string, string>, provision: { teams: [] } })
  const retry = await (await after.refresh(refresh_token)).json()
  expect(retry.refresh_token.split('.')[1]).toBe(first.refresh_token.split('.')[1])
  const strange = await setUpTokens({
    env: { ...before.settings, SECRET_KEY: rotated.SECRET_KEY } as Record<string, string>,
    provision: { teams: [] },
  }).catch((fault: Error) => fault.message)
  expect(strange).toContain('SECRET_KEY does not open')
})
