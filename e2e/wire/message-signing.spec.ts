import { createLocalJWKSet, jwtVerify } from 'jose'
import { Flow, type Plan, plans } from './fapi2-flow.ts'
import { expect, test } from './provider.ts'
import { refusalOf } from './refusal.ts'

const plan = plans.find(({ signed }) => signed) as Plan
let first: Flow
let second: Flow
test.beforeAll(async ({ provider }) => {
  first = await Flow.open(provider, plan)
  second = await Flow.openSecond(provider, plan)
})

const minutes = (count: number) => Math.floor(Date.now() / 1000) + count * 60
const refused = '400 invalid_request_object'

/** The modules of the official plan that need a request object. A test of a module has its name. */
test.describe('FAPI 2.0 Message Signing §5.3.1 Requirements for authorization servers', () => {
  for (const [name, claims] of [
    ['ensure-request-object-without-exp-fails', () => ({ exp: undefined })],
    ['ensure-request-object-without-nbf-fails', () => ({ nbf: undefined })],
    ['ensure-expired-request-object-fails', () => ({ exp: minutes(-5) })],
    ['ensure-request-object-with-bad-aud-fails', () => ({ aud: 'https://www.other1.com/' })],
    ['ensure-request-object-with-exp-over-60-fails', () => ({ exp: minutes(70) })],
    ['ensure-request-object-with-nbf-over-60-fails', () => ({ nbf: minutes(-70) })],
    ['an nbf of more than 60 seconds in the future fails', () => ({ nbf: minutes(1) + 10 })],
  ] as const)
    test(name, async () => {
      expect(refusalOf(await first.push({}, { claims: claims() }))).toBe(refused)
    })

  test('ensure-request-object-with-multiple-aud-succeeds', async ({ provider }) => {
    const claims = { aud: ['https://www.other1.com/', provider.issuer] }
    expect(await first.authorize({}, { claims })).toHaveProperty('code')
  })

  test('ensure-request-object-with-nbf-8-seconds-in-the-future-is-accepted', async () => {
    const nbf = Math.floor(Date.now() / 1000) + 8
    expect((await first.push({}, { claims: { nbf } })).status).toBe(201)
  })

  test('accepts exp of an hour after nbf, and the media type in typ', async () => {
    const nbf = minutes(-10)
    expect((await first.push({}, { claims: { nbf, exp: nbf + 3600 } })).status).toBe(201)
    const typ = 'application/oauth-authz-req+jwt'
    expect((await first.push({}, { header: { typ } })).status).toBe(201)
  })

  test('ensure-signed-request-object-with-RS256-fails, signature-algorithm-is-not-none, invalid-signature', async () => {
    const [head = '', claims = '', signature = ''] = (await first.client.requestObject()).split('.')
    const withAlg = (alg: string) => {
      const header = { ...JSON.parse(Buffer.from(head, 'base64url').toString()), alg }
      return Buffer.from(JSON.stringify(header)).toString('base64url')
    }
    const broken = `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`
    for (const request of [
      `${withAlg('RS256')}.${claims}.${signature}`,
      `${withAlg('none')}.${claims}.`,
      `${head}.${claims}.${broken}`,
    ])
      expect(refusalOf(await first.client.push({ request }))).toBe(refused)
  })

  test('ensure-matching-key-in-authorization-request', async () => {
    const { id } = first.client
    const request = await second.client.requestObject({ ...first.client.request(), iss: id, client_id: id })
    expect(refusalOf(await first.client.push({ request }))).toBe(refused)
  })

  test('ensure-unsigned-request-at-par-endpoint-fails', async () => {
    expect(refusalOf(await first.client.push(first.client.request()))).toBe('400 invalid_request')
  })

  test('accepts PS256 beside ES256 (FAPI 2.0 §5.4.1)', async () => {
    expect(second.client.key.publicJwk.kty).toBe('RSA')
    expect(await second.authorize()).toHaveProperty('code')
  })
})

test.describe('FAPI 2.0 Message Signing §5.4 Signed Authorization Responses', () => {
  // "shall support, use, and issue signed authorization responses via JARM"
  test('are issued for response_mode jwt, with a permitted algorithm, errors too', async ({ provider }) => {
    const answer = await first.authorize()
    expect(answer).toEqual({ code: expect.any(String), state: 'the state', iss: provider.issuer })
    const silent = await first.push({ prompt: 'none', scope: 'openid region' })
    const page = await first.open(silent.json().request_uri)
    expect(await first.read(page.returned)).toMatchObject({ error: 'consent_required', state: 'the state' })
  })
})

test.describe('FAPI 2.0 Message Signing §5.5 Signed Introspection Responses (RFC 9701)', () => {
  test('are issued to an app that registers introspection_signed_response_alg', async ({ provider }) => {
    const client = await provider.client('fapi2', { introspection_signed_response_alg: 'ES256' })
    const { access_token } = await first.tokens()
    const answer = await client.introspect(access_token)
    expect(answer.headers.get('content-type')).toContain('application/token-introspection+jwt')
    const keys = createLocalJWKSet((await provider.send(provider.discovery.jwks_uri)).json())
    const checks = { issuer: provider.issuer, audience: client.id, typ: 'token-introspection+jwt' }
    const { payload, protectedHeader } = await jwtVerify(answer.text, keys, checks)
    expect([protectedHeader.alg, typeof payload.iat]).toEqual(['ES256', 'number'])
    const cnf = { jkt: first.client.proofPair.jkt }
    expect(payload.token_introspection).toMatchObject({ active: true, client_id: first.client.id, cnf })
    // RFC 9701 §8.1: no claim of an ID token or access token at the top.
    for (const claim of ['sub', 'exp']) expect(payload).not.toHaveProperty(claim)
    expect(provider.discovery.introspection_signing_alg_values_supported).toContain('ES256')
  })

  test('say inactive for a token that the app may not see (RFC 9701 §5)', async ({ provider }) => {
    const alg = { introspection_signed_response_alg: 'ES256' }
    const stranger = await provider.client('fapi2', { ...alg, team: 'stranger' })
    const { access_token } = await first.tokens()
    const answer = await stranger.introspect(access_token)
    const claims = JSON.parse(Buffer.from(answer.text.split('.')[1] ?? '', 'base64url').toString())
    expect(claims.token_introspection).toEqual({ active: false })
  })
})
