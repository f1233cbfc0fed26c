import { createHash, createPublicKey, verify } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { setUpTokens } from '#lib/testing/oauth/tokens'
import { basicAuth, secret } from '#lib/testing/process/postern'

describe('the token response', () => {
  it('has exactly the fields of the specification for a confidential app', async () => {
    const { tokens } = await setUpTokens()
    const body = await tokens({ scopes: ['openid', 'name'] })
    expect(Object.keys(body).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'refresh_token',
      'scope',
      'token_type',
    ])
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 300, scope: 'openid name' })
  })

  it.each([
    ['spendCode', 8],
    ['rotateRefresh', 8],
    ['rotateRefresh', 1.5],
  ] as const)('counts lifetimes from the end of a slow write (%s, %d s)', async (write, seconds) => {
    const { approve, exchange, refresh, context, clock, later } = await setUpTokens()
    const store = context.oauth.store as unknown as Record<string, (change: never) => Promise<boolean>>
    const code = await approve()
    const makeSlow = () => {
      const change = store[write]
      store[write] = async (values) => {
        const changed = await change?.(values)
        later(seconds)
        return changed === true
      }
    }
    if (write === 'spendCode') makeSlow()
    const first = await (await exchange(code)).json()
    if (write === 'rotateRefresh') makeSlow()
    const body = write === 'spendCode' ? first : await (await refresh(first.refresh_token)).json()
    for (const token of [body.access_token, body.id_token])
      expect(decodeJwt(token).iat).toBe(Math.floor(clock.now.getTime() / 1000))
    const hash = createHash('sha256').update(body.access_token).digest().subarray(0, 16)
    expect(decodeJwt(body.id_token).at_hash).toBe(hash.toString('base64url'))
  })

  it('returns the tokens from before a slow write if they cannot be signed again', async () => {
    const { approve, exchange, context, clock, later } = await setUpTokens()
    const { keys, store } = context.oauth
    const { beginTokenPair } = keys
    const { spendCode } = store
    const begun = clock.now
    store.spendCode = async (values) => {
      const isSpent = await spendCode(values)
      later(8)
      keys.beginTokenPair = () => Promise.reject(new Error('the keys cannot be read'))
      return isSpent
    }
    const answer = await exchange(await approve())
    keys.beginTokenPair = beginTokenPair
    expect(answer.status).toBe(200)
    expect(decodeJwt((await answer.json()).id_token).iat).toBe(Math.floor(begun.getTime() / 1000))
  })

  it('has no refresh token for a public app', async () => {
    const { approve, exchange } = await setUpTokens()
    const code = await approve({ clientId: 'acme-spa' })
    const answer = await exchange(code, { client_id: 'acme-spa' }, {})
    expect(answer.status).toBe(200)
    expect(await answer.json()).not.toHaveProperty('refresh_token')
  })

  it('has an RFC 9068 access token: at+jwt, issuer as audience, pairwise sub', async () => {
    const { tokens, context } = await setUpTokens()
    const { access_token, id_token } = await tokens()
    expect(decodeProtectedHeader(access_token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) })
    const claims = decodeJwt(access_token)
    expect(claims).toMatchObject({
      iss: context.config.issuer,
      aud: context.config.issuer,
      client_id: 'acme-web',
      scope: 'openid',
    })
    expect(claims.sub).toBe(decodeJwt(id_token).sub)
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300)
  })

  it('has an ID token that verifies against the JWKS, with issuer, app and nonce, but no profile', async () => {
    const { tokens, context } = await setUpTokens()
    const { id_token } = await tokens({ nonce: 'n-ü', scopes: ['openid', 'name', 'email', 'locale'] })
    const { kid } = decodeProtectedHeader(id_token)
    const jwk = (await context.oauth.keys.published()).find((key) => key.kid === kid)
    expect(jwk).not.toHaveProperty('d')
    const [header, payload, signature] = id_token.split('.')
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
    const bytes = Buffer.from(signature, 'base64url')
    expect(verify('sha256', Buffer.from(`${header}.${payload}`), { key, dsaEncoding: 'ieee-p1363' }, bytes)).toBe(true)
    expect(Object.keys(decodeJwt(id_token)).sort()).toEqual([
      'acr',
      'amr',
      'at_hash',
      'aud',
      'exp',
      'iat',
      'iss',
      'locale',
      'nonce',
      'sid',
      'sub',
    ])
    expect(decodeJwt(id_token)).toMatchObject({
      iss: context.config.issuer,
      aud: 'acme-web',
      nonce: 'n-ü',
      locale: 'ja',
      amr: ['pwd'],
    })
  })

  it('has auth_time only for max_age or a fresh sign-in, and a nonce only if one was sent', async () => {
    const { tokens } = await setUpTokens()
    expect(decodeJwt((await tokens()).id_token)).not.toHaveProperty('auth_time')
    expect(decodeJwt((await tokens()).id_token)).not.toHaveProperty('nonce')
    expect(decodeJwt((await tokens({ maxAge: 60 })).id_token)).toHaveProperty('auth_time')
    expect(decodeJwt((await tokens({ prompt: ['login'] })).id_token)).toHaveProperty('auth_time')
    expect(decodeJwt((await tokens({ prompt: ['consent'] })).id_token)).not.toHaveProperty('auth_time')
  })

  it('has no locale in the ID token if it is not granted or not set', async () => {
    const { tokens } = await setUpTokens()
    expect(decodeJwt((await tokens()).id_token)).not.toHaveProperty('locale')
    expect(decodeJwt((await tokens({ username: 'bob', scopes: ['openid', 'locale'] })).id_token)).not.toHaveProperty(
      'locale',
    )
  })

  it('has the same sub and sid for apps of one team, and others for another team', async () => {
    const { approve, exchange } = await setUpTokens()
    const idToken = async (clientId: string, password: string) => {
      const answer = await exchange(await approve({ clientId }), {}, basicAuth(clientId, password))
      return decodeJwt((await answer.json()).id_token)
    }
    const [web, mail, other] = [
      await idToken('acme-web', secret),
      await idToken('acme-mail', `${secret}!`),
      await idToken('other-web', secret),
    ]
    expect(web.sub).toBe(mail.sub)
    expect(web.sub).not.toBe(other.sub)
    expect(web.sid).toBe(mail.sid)
    expect(web.sid).not.toBe(other.sid)
  })
})
