import { describe, expect, it } from 'vitest'
import { refusal, setUpTokens } from '#lib/testing/oauth/tokens'
import { basicAuth, callback, secret } from '#lib/testing/process/postern'

describe('the authorization code', () => {
  const wrong: [string, Record<string, string | undefined>, string][] = [
    ['unknown', { code: 'x'.repeat(43) }, '400 invalid_grant'],
    ['with another redirect URI', { redirect_uri: `${callback}/` }, '400 invalid_grant'],
    ['with a wrong verifier', { code_verifier: 'w'.repeat(43) }, '400 invalid_grant'],
    ['with a malformed verifier', { code_verifier: 'too-short' }, '400 invalid_grant'],
    ['with a verifier of 129 characters', { code_verifier: 'v'.repeat(129) }, '400 invalid_grant'],
    ['absent', { code: undefined }, '400 invalid_request'],
    ['empty', { code: '' }, '400 invalid_request'],
    ['without redirect_uri', { redirect_uri: undefined }, '400 invalid_request'],
    ['without code_verifier', { code_verifier: undefined }, '400 invalid_request'],
    ['with another client_id beside Basic', { client_id: 'acme-mail' }, '401 invalid_client'],
  ]
  it.each(wrong)('is rejected with %s, and stays usable by its owner', async (_, changed, expected) => {
    const { approve, exchange } = await setUpTokens()
    const code = await approve()
    expect(await refusal(exchange(code, changed))).toBe(expected)
    expect((await exchange(code, { client_id: 'acme-web' })).status).toBe(200)
  })

  it('is rejected from another app, without effect', async () => {
    const { approve, exchange } = await setUpTokens()
    const code = await approve()
    expect(await refusal(exchange(code, {}, basicAuth('other-web', secret)))).toBe('400 invalid_grant')
    expect((await exchange(code)).status).toBe(200)
  })

  it('expires after its seconds, to the second', async () => {
    const { approve, exchange, later } = await setUpTokens({ env: { CODE_SECONDS: '60' } })
    const [early, late] = [await approve(), await approve()]
    later(59)
    expect((await exchange(early)).status).toBe(200)
    later(1)
    expect(await refusal(exchange(late))).toBe('400 invalid_grant')
  })

  it('revokes its tokens when it is replayed with the right verifier', async () => {
    const { approve, exchange, refresh, userinfo, later } = await setUpTokens()
    const code = await approve()
    const first = await (await exchange(code)).json()
    expect((await userinfo(first.access_token)).status).toBe(200)
    later(90)
    expect(await refusal(exchange(code))).toBe('400 invalid_grant')
    expect((await userinfo(first.access_token)).status).toBe(401)
    expect(await refusal(refresh(first.refresh_token))).toBe('400 invalid_grant')
  })

  it('revokes nothing when it is replayed with a wrong verifier or by another app', async () => {
    const { approve, exchange, userinfo } = await setUpTokens()
    const code = await approve()
    const { access_token } = await (await exchange(code)).json()
    await exchange(code, { code_verifier: 'w'.repeat(43) })
    await exchange(code, {}, basicAuth('other-web', secret))
    expect((await userinfo(access_token)).status).toBe(200)
  })

  it('rejects a verifier if it was issued without a challenge', async () => {
    const { approve, exchange } = await setUpTokens()
    expect(await refusal(exchange(await approve({ challenge: undefined })))).toBe('400 invalid_grant')
  })

  it('is rejected if the person was disabled in the meantime', async () => {
    const { approve, exchange, context } = await setUpTokens()
    const code = await approve()
    await context.database.prisma.person.updateMany({ data: { disabledAt: new Date() } })
    expect(await refusal(exchange(code))).toBe('400 invalid_grant')
  })
})
