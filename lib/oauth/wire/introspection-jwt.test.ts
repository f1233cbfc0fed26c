import { createLocalJWKSet, decodeProtectedHeader, type JWK, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { asOther, getTokens } from '#lib/testing/oauth/get-tokens'
import { refusal } from '#lib/testing/oauth/tokens'
import { acme, basicAuth, secret } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'

const [first, ...others] = acme.teams
const [web] = first?.apps ?? []
const apps = [
  { ...web, client_id: 'signed', introspection_signed_response_alg: 'ES256' },
  { ...web, client_id: 'signed-classic', profile: 'oidc', introspection_signed_response_alg: 'RS256' },
]
const teams = [
  { ...first, apps: [...(first?.apps ?? []), ...apps] },
  ...others,
  { id: 'third', name: 'Third', apps: [{ ...apps[0], client_id: 'signed-foreign' }] },
]
const postern = sharePostern({ provision: { ...acme, teams } })
const ask = (token: string, id: string) => postern.introspect({ token }, basicAuth(id, secret))

/** Verifies the answer to an app by the published keys, and returns its header and claims. */
async function verify(answer: Response, audience: string) {
  const keys = createLocalJWKSet({ keys: (await postern.context.oauth.keys.published()) as JWK[] })
  const { issuer } = postern.context.config
  const typ = 'token-introspection+jwt'
  return jwtVerify(await answer.text(), keys, { issuer, audience, typ, currentDate: postern.clock.now })
}

describe('an app with introspection_signed_response_alg', () => {
  it.each([
    ['signed', 'ES256'],
    ['signed-classic', 'RS256'],
  ])('gets a signed answer: %s with %s (RFC 9701 §5)', async (id, alg) => {
    const { access_token } = await getTokens(postern)
    const answer = await ask(access_token, id)
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'application/token-introspection+jwt',
      'no-store',
    ])
    const { payload, protectedHeader } = await verify(answer, id)
    expect(protectedHeader).toMatchObject({ alg, typ: 'token-introspection+jwt' })
    expect(Object.keys(payload)).toEqual(['iss', 'aud', 'iat', 'token_introspection'])
    expect(payload.token_introspection).toEqual(await (await ask(access_token, 'acme-web')).json())
    expect(payload.token_introspection).toMatchObject({ active: true, client_id: 'acme-web' })
  })

  it('gets nothing but inactive for a token of another team (RFC 9701 §5)', async () => {
    const { access_token } = await getTokens(postern)
    const { payload } = await verify(await ask(access_token, 'signed-foreign'), 'signed-foreign')
    expect(payload.token_introspection).toEqual({ active: false })
  })

  it('gets refusals as JSON (RFC 7662 §2.3)', async () => {
    expect(await refusal(postern.introspect({ token: 'x' }, basicAuth('signed', 'wrong')))).toBe('401 invalid_client')
  })

  it('cannot use an answer as an access token (RFC 9701 §8.1)', async () => {
    const { access_token } = await getTokens(postern)
    const jwt = await (await ask(access_token, 'signed')).text()
    expect(decodeProtectedHeader(jwt).typ).toBe('token-introspection+jwt')
    expect((await postern.userinfo(jwt)).status).toBe(401)
    expect(await (await ask(jwt, 'acme-web')).json()).toEqual({ active: false })
  })
})

it('leaves other apps with JSON', async () => {
  const { access_token } = await getTokens(postern)
  expect((await ask(access_token, 'acme-web')).headers.get('content-type')).toBe('application/json')
  expect(await (await postern.introspect({ token: access_token }, asOther)).json()).toEqual({ active: false })
})
