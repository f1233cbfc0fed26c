import { describe, expect, it } from 'vitest'
import { sha256 } from '#lib/crypto/hash'
import { refusal, setUpTokens } from '#lib/testing/oauth/tokens'
import { basicAuth, callback, secret } from '#lib/testing/process/postern'

describe('the authorization code', () => {
  const wrong: [string, Record<string, string | undefined>, string][] = [
    ['unknown', { code: 'x'.repeat(43) }, '400 invalid_grant'],
    ['of an unknown request', { code: `${'r'.repeat(22)}.${'x'.repeat(43)}` }, '400 invalid_grant'],
    ['that has a NUL', { code: `${'r'.repeat(21)}\0.${'x'.repeat(43)}` }, '400 invalid_request'],
    ['of 20,000 characters', { code: `${'r'.repeat(22)}.${'x'.repeat(20_000)}` }, '400 invalid_grant'],
    ['that is hostile text', { code: `' OR "codeHash" LIKE '%.<script>` }, '400 invalid_grant'],
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
  it.each(wrong)('is rejected: %s; and stays usable by its owner', async (_, changed, expected) => {
    const { approve, exchange } = await setUpTokens()
    const code = await approve()
    expect(await refusal(exchange(code, changed))).toBe(expected)
    expect((await exchange(code, { client_id: 'acme-web' })).status).toBe(200)
  })

  it('is rejected with the secret of another code, and both stay usable', async () => {
    const { approve, exchange } = await setUpTokens()
    const codes = [await approve(), await approve()]
    const [one = [], other = []] = codes.map((code) => code.split('.'))
    for (const mixed of [
      [one[0], other[1]],
      [other[0], one[1]],
      [one[0], ''],
      ['', one[1]],
    ])
      expect(await refusal(exchange(mixed.join('.')))).toBe('400 invalid_grant')
    for (const code of codes) expect((await exchange(code)).status).toBe(200)
  })

  it('is exchanged once in the form of version 0.1.0, whose codes name no request', async () => {
    const { approve, exchange, context } = await setUpTokens()
    await approve()
    const code = 'c'.repeat(43)
    await context.database.prisma.authorization.updateMany({ data: { codeHash: sha256(code) } })
    expect((await exchange(code)).status).toBe(200)
    expect(await refusal(exchange(code))).toBe('400 invalid_grant')
    expect(await context.database.prisma.authorization.count({ where: { revokedAt: { not: null } } })).toBe(1)
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

describe('the row of an authorization', () => {
  const days = (count: number) => count * 86_400_000
  const setUp = async (approval = {}) => {
    const made = await setUpTokens({ env: { REFRESH_MAX_DAYS: '90' } })
    const code = await made.approve(approval)
    const { prisma } = made.context.database
    const keepUntil = async () => (await prisma.authorization.findFirstOrThrow()).keepUntil.getTime()
    return { ...made, code, prisma, keepUntil }
  }

  it('is stored from the approval until after its last refresh token, which an exchange does not change', async () => {
    const { code, exchange, keepUntil, later, context } = await setUp()
    const foreseen = await keepUntil()
    later(59)
    expect((await exchange(code)).status).toBe(200)
    expect(await keepUntil()).toBe(foreseen)
    expect(foreseen).toBeGreaterThan(context.now().getTime() + days(90) + 3_600_000)
  })

  it('is stored for longer by the exchange if the approval did not foresee its tokens, as in version 0.1.0', async () => {
    const { code, exchange, keepUntil, prisma, context } = await setUp()
    const twoHours = new Date(context.now().getTime() + 7_200_000)
    await prisma.authorization.updateMany({ data: { keepUntil: twoHours } })
    expect((await exchange(code)).status).toBe(200)
    expect(await keepUntil()).toBeGreaterThan(context.now().getTime() + days(90) + 3_600_000)
  })

  it('of a public app outlives the session only if the app has a logout address', async () => {
    const { approve, context } = await setUpTokens()
    const { prisma } = context.database
    const keptFor = async (clientId: string, backchannel_logout_uri: string | undefined) => {
      const registration = JSON.stringify({ backchannel_logout_uri })
      await prisma.app.update({ where: { id: clientId }, data: { registration } })
      await approve({ clientId })
      const row = await prisma.authorization.findFirstOrThrow({ where: { appId: clientId } })
      return row.keepUntil.getTime() - row.createdAt.getTime()
    }
    await prisma.app.update({ where: { id: 'other-web' }, data: { kind: 'public' } })
    expect(await keptFor('acme-spa', undefined)).toBeLessThan(7_200_000)
    const session = context.oauth.lifetimes.session * 1000
    expect(await keptFor('other-web', 'https://app.example/logout')).toBeGreaterThan(session)
  })
})
