import { createHmac } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { preflight } from '#lib/http/headers'
import { makeAssertionKey, signJwt } from '#lib/testing/oauth/assertions'
import { getTokens } from '#lib/testing/oauth/get-tokens'
import { acme, basic, openPostern } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'
import { answerUserinfo } from './userinfo.ts'

const postern = sharePostern({ provision: { ...acme, people: acme.people.slice(0, 1) } })

const request = (headers: Record<string, string> = {}, init: RequestInit = {}, query = '') =>
  new Request(`${postern.context.config.issuer}/userinfo${query}`, { headers, ...init })
const ask = (...sent: Parameters<typeof request>) => answerUserinfo(postern.context.oauth, request(...sent))
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('a valid token', () => {
  it('is accepted by GET and POST, with the scheme in any case, and answered by uncached JSON', async () => {
    const { access_token } = await getTokens(postern)
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      for (const method of ['GET', 'POST']) {
        const answer = await ask({ authorization: `${scheme} ${access_token}` }, { method })
        expect(answer.status).toBe(200)
        expect(answer.headers.get('content-type')).toBe('application/json')
        expect(answer.headers.get('cache-control')).toBe('no-store')
        expect(await answer.json()).toHaveProperty('sub')
      }
    }
  })

  it('is accepted from any web page, which can read errors too; a preflight allows the header', async () => {
    const { access_token } = await getTokens(postern)
    for (const answer of [await ask(bearer(access_token)), await ask(), await ask(bearer('x'))]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
    }
    const asked = preflight('GET, POST')()
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-headers')).toContain('Authorization')
  })
})

/** Returns the status, and the error code of the challenge if there is one (RFC 6750 §3). */
async function challenge(answering: Response | Promise<Response>) {
  const answer = await answering
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const challenged = answer.headers.get('www-authenticate') ?? ''
  expect(challenged).toMatch(/^Bearer/)
  return `${answer.status} ${/error="([a-z_]+)"/.exec(challenged)?.[1] ?? 'without a code'}`
}

describe('without a token', () => {
  it('returns 401 with a challenge without an error code', async () => {
    const answer = await ask()
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  it('treats another scheme as no token', async () => {
    for (const authorization of [basic.authorization as string, 'Bearer', 'Bearer ', 'Bearerx', 'DPoP abc']) {
      expect(await challenge(ask({ authorization }))).toBe('401 without a code')
    }
  })

  it('ignores a token in the query or the form', async () => {
    const { access_token } = await getTokens(postern)
    expect(await challenge(ask({}, {}, `?access_token=${access_token}`))).toBe('401 without a code')
    const form = { method: 'POST', body: new URLSearchParams({ access_token }) }
    expect(await challenge(ask({}, form))).toBe('401 without a code')
  })
})

describe('401 invalid_token', () => {
  const invalid = async (token: string) => expect(await challenge(ask(bearer(token)))).toBe('401 invalid_token')

  it.each(['x', 'a.b.c', '..', 'a b', 'ünicode', '"quoted"', 'x'.repeat(20_000), 'e30.e30.e30'])(
    'for junk: %.20s',
    async (junk) => {
      await invalid(junk)
    },
  )

  it('from the second of its expiry', async () => {
    const own = await openPostern({ env: { ACCESS_TOKEN_SECONDS: '300' } })
    try {
      own.clock.now = new Date(Math.ceil(own.clock.now.getTime() / 1000) * 1000)
      const { access_token } = await getTokens(own)
      own.later(299)
      expect((await own.userinfo(access_token)).status).toBe(200)
      own.later(1)
      expect(await challenge(own.userinfo(access_token))).toBe('401 invalid_token')
    } finally {
      await own.close()
    }
  })

  it('once it is revoked, while another one of the authorization stays valid', async () => {
    const { access_token, refresh_token } = await getTokens(postern)
    const { access_token: sister } = await (await postern.token({ grant_type: 'refresh_token', refresh_token })).json()
    await postern.revoke({ token: access_token })
    await invalid(access_token)
    expect((await postern.userinfo(sister)).status).toBe(200)
  })

  it('once its authorization is revoked', async () => {
    const { access_token, refresh_token } = await getTokens(postern)
    await postern.revoke({ token: refresh_token })
    await invalid(access_token)
  })

  it('when any part of it was changed', async () => {
    const { access_token } = await getTokens(postern)
    const [header, payload, signature] = access_token.split('.') as [string, string, string]
    const more = Buffer.from(JSON.stringify({ ...decodeJwt(access_token), scope: 'openid email' })).toString(
      'base64url',
    )
    await invalid(`${header}.${more}.${signature}`)
    const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    for (const changed of [flipped, signature.slice(1), `${signature}A`, `${signature}=`, '']) {
      await invalid(`${header}.${payload}.${changed}`)
    }
    await invalid(`${access_token}.x`)
  })

  it('for an ID token, a refresh token and a code', async () => {
    const { id_token, refresh_token } = await getTokens(postern, { scopes: ['openid', 'name'] })
    for (const token of [id_token, refresh_token, await postern.approve()]) await invalid(token)
  })

  it('for alg none, another key under the same kid, and the public key as HMAC secret', async () => {
    const { access_token } = await getTokens(postern)
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const [jwk] = await postern.context.oauth.keys.published()
    const claims = decodeJwt(access_token)
    const header = { typ: 'at+jwt', kid: jwk?.kid }
    await invalid(`${encode({ ...header, alg: 'none' })}.${encode(claims)}.`)
    const foreign = await makeAssertionKey(String(jwk?.kid))
    await invalid(await signJwt(claims, { ...header, alg: 'ES256' }, foreign.privateKey))
    await invalid(await signJwt(claims, { ...header, alg: 'ES256', jwk: foreign.publicJwk }, foreign.privateKey))
    const content = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`
    const mac = createHmac('sha256', JSON.stringify(jwk)).update(content).digest('base64url')
    await invalid(`${content}.${mac}`)
  })

  it('for a token of another issuer, for another audience or without an authorization', async () => {
    const { access_token } = await getTokens(postern)
    const claims = decodeJwt(access_token)
    for (const changed of [
      { iss: 'https://elsewhere.example' },
      { aud: 'acme-web' },
      { aid: 'nobody' },
      { exp: undefined },
    ]) {
      await invalid(await postern.context.oauth.keys.sign('at+jwt', { ...claims, ...changed }))
    }
  })

  it('for a token of another type with the right claims', async () => {
    const { access_token } = await getTokens(postern)
    await invalid(await postern.context.oauth.keys.sign('JWT', decodeJwt(access_token)))
  })

  it.each(['person', 'app'] as const)('while the %s is disabled', async (which) => {
    const { access_token } = await getTokens(postern)
    const { prisma } = postern.context.database
    const setDisabled = (disabledAt: Date | null) =>
      which === 'person'
        ? prisma.person.update({ where: { username: 'ada' }, data: { disabledAt } })
        : prisma.app.update({ where: { id: 'acme-web' }, data: { disabledAt } })
    await setDisabled(new Date())
    await invalid(access_token)
    await setDisabled(null)
    expect((await postern.userinfo(access_token)).status).toBe(200)
  })
})

it('returns 403 insufficient_scope without openid', async () => {
  const { access_token } = await getTokens(postern, { scopes: ['name'] })
  const answer = await ask(bearer(access_token))
  expect(answer.headers.get('www-authenticate')).toContain('scope="openid"')
  expect(await challenge(answer)).toBe('403 insufficient_scope')
})

it('records the exact reason for the app’s developers, under the code that was sent', async () => {
  const { access_token } = await getTokens(postern)
  await postern.revoke({ token: access_token })
  await ask(bearer(access_token))
  await expect
    .poll(() => postern.failures('acme-web'))
    .toContainEqual(
      expect.objectContaining({ endpoint: 'userinfo', code: 'invalid_token', reason: 'revoked access token' }),
    )
})
