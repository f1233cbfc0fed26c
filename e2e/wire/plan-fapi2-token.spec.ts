import { generateKeyPairSync } from 'node:crypto'
import { assertionClaims, signJwt } from '#lib/testing/oauth/assertions'
import { makeProofPair, signProof } from '#lib/testing/oauth/proofs'
import type { Changes } from './client.ts'
import { Flow, plans } from './fapi2-flow.ts'
import { expect, test } from './provider.ts'
import { refusalOf } from './refusal.ts'

const seconds = () => Math.floor(Date.now() / 1000)
const past = { codeExpiresAt: new Date(0) }

/**
 * The modules of the official plans about client authentication, tokens and DPoP. The tests have the names of the
 * modules.
 */
for (const plan of plans)
  test.describe(plan.name, () => {
    let first: Flow
    let second: Flow
    test.beforeAll(async ({ provider }) => {
      first = await Flow.open(provider, plan)
      second = await Flow.openSecond(provider, plan)
    })

    /** Signs in, and exchanges the code with changed claims of the assertion; without client_id in the form. */
    const exchangeWith = async (claims: Record<string, unknown>) => {
      const client_assertion = await first.client.assertion(claims)
      return first.exchange(await first.authorize(), { client_id: undefined, client_assertion })
    }

    test('ensure-client-id-in-token-endpoint', async () => {
      const { id } = second.client
      const client_assertion = await first.client.assertion({ iss: id, sub: id })
      const answer = await first.exchange(await first.authorize(), { client_id: id, client_assertion })
      expect(refusalOf(answer)).toBe('401 invalid_client')
    })

    test('ensure-holder-of-key-required', async () => {
      const answer = await first.exchange(await first.authorize(), {}, { dpop: undefined })
      expect(refusalOf(answer)).toBe('400 invalid_request')
    })

    test('ensure-authorization-code-is-bound-to-client', async () => {
      const answer = await second.client.exchange(await first.authorize(), {
        redirect_uri: first.redirectUri,
        code_verifier: first.client.verifier,
      })
      expect(refusalOf(answer)).toBe('400 invalid_grant')
    })

    test('attempt-reuse-authorization-code-after-one-second', async () => {
      const answer = await first.authorize()
      const { access_token } = (await first.exchange(answer)).json()
      expect((await first.client.userinfo(access_token)).status).toBe(200)
      expect(refusalOf(await first.exchange(answer))).toBe('400 invalid_grant')
      // "SHOULD revoke ... all tokens previously issued based on that authorization code" (RFC 6749 §4.1.2)
      expect((await first.client.userinfo(access_token)).status).toBe(401)
    })

    test('ensure-token-endpoint-fails-with-expired-auth-code', async ({ provider }) => {
      const answer = await first.authorize()
      const where = { appId: first.client.id, codeSpentAt: null }
      const { codeExpiresAt, createdAt } = await provider.database.prisma.authorization.findFirstOrThrow({
        where,
        orderBy: { createdAt: 'desc' },
      })
      expect(codeExpiresAt.getTime() - createdAt.getTime()).toBeLessThanOrEqual(60_000)
      await provider.database.prisma.authorization.updateMany({ where, data: past })
      expect(refusalOf(await first.exchange(answer))).toBe('400 invalid_grant')
    })

    test('ensure-signed-client-assertion-with-RS256-fails', async ({ provider }) => {
      const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'rsa' }] }
      const client = await provider.client('fapi2', { jwks })
      const signed = (alg: string) =>
        signJwt(assertionClaims(client.id, provider.issuer, new Date()), { alg, kid: 'rsa' }, privateKey)
      const pushed = async (alg: string) => client.push({ ...client.request(), client_assertion: await signed(alg) })
      expect(refusalOf(await pushed('RS256'))).toBe('401 invalid_client')
      expect((await pushed('PS256')).status).toBe(201)
    })

    test('ensure-client-assertion-in-token-endpoint', async () => {
      const none = { client_assertion: undefined, client_assertion_type: undefined }
      expect(refusalOf(await first.exchange(await first.authorize(), none))).toBe('401 invalid_client')
    })

    for (const [name, claims] of [
      ['ensure-client-assertion-with-exp-is-5-minutes-in-past-fails', () => ({ exp: seconds() - 300 })],
      ['ensure-client-assertion-with-wrong-aud-fails', () => ({ aud: 'https://www.other1.com/' })],
      ['ensure-client-assertion-with-no-sub-fails', () => ({ sub: undefined })],
    ] as const)
      test(name, async () => {
        expect(refusalOf(await exchangeWith(claims()))).toBe('401 invalid_client')
      })

    test('ensure-invalid-client-assertions-fail, one after the other from one address', async ({ provider }) => {
      const { token_endpoint, pushed_authorization_request_endpoint: par } = provider.discovery
      const headers = { 'x-forwarded-for': provider.newAddress() }
      const push = (beside: Changes) => first.push({}, { beside, headers })
      const late = { iat: seconds() + 70, nbf: seconds() + 70, exp: seconds() + 130 }
      const wrongClaims = [
        ...[{ sub: undefined }, { sub: 'wrong' }, { iss: undefined }, { iss: 'wrong' }, { aud: undefined }],
        ...[{ aud: 'https://www.other1.com/' }, { aud: par }, { aud: token_endpoint }, { aud: [provider.issuer, 'x'] }],
        ...[{ exp: seconds() - 300 }, late],
      ]
      const assertions = await Promise.all(wrongClaims.map((claims) => first.client.assertion(claims)))
      const [head = '', claims = '', signature = ''] = (await first.client.assertion()).split('.')
      const none = JSON.stringify({ ...JSON.parse(Buffer.from(head, 'base64url').toString()), alg: 'none' })
      const unsigned = `${Buffer.from(none).toString('base64url')}.${claims}.`
      const broken = `${head}.${claims}.${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`
      const cases: Changes[] = [
        { client_assertion: undefined, client_assertion_type: undefined },
        { client_assertion_type: undefined },
        { client_assertion_type: 'urn:wrong' },
        ...[...assertions, unsigned, broken].map((client_assertion) => ({ client_assertion })),
      ]
      for (const beside of cases) expect(refusalOf(await push(beside))).toBe('401 invalid_client')
      const soon = { iat: seconds() + 8, nbf: seconds() + 8 }
      expect((await push({ client_assertion: await first.client.assertion(soon) })).status).toBe(201)
      expect((await push({})).status).toBe(201)
    })

    test('the client_id may be left out beside the assertion', async () => {
      expect((await exchangeWith({})).status).toBe(200)
    })

    for (const [name, claims, status] of [
      ['ensure-jwt-client-assertion-with-iat-nbf-8-seconds-in-the-future-is-accepted', 8, 201],
      ['ensure-jwt-client-assertion-with-iat-nbf-over-60-seconds-in-the-future-fails', 70, 401],
    ] as const)
      test(`par-${name}`, async () => {
        const times = { iat: seconds() + claims, nbf: seconds() + claims, exp: seconds() + 180 }
        const answer = await first.push({}, { beside: { client_assertion: await first.client.assertion(times) } })
        expect(answer.status).toBe(status)
      })

    test('par-endpoint-as-array-audience-fails, par-endpoint-as-audience-fails, token-endpoint-as-audience-fails', async ({
      provider,
    }) => {
      const { token_endpoint, pushed_authorization_request_endpoint: par } = provider.discovery
      for (const aud of [[par], [provider.issuer], [provider.issuer, token_endpoint], par, token_endpoint]) {
        const beside = { client_assertion: await first.client.assertion({ aud }) }
        expect(refusalOf(await first.push({}, { beside }))).toBe('401 invalid_client')
      }
    })

    test('refresh-token', async () => {
      const { access_token, refresh_token } = await first.tokens()
      const next = (await first.client.refresh(refresh_token, { scope: 'openid' })).json()
      expect([next.refresh_token, next.access_token === access_token]).toEqual([refresh_token, false])
      expect((await first.client.userinfo(next.access_token)).status).toBe(200)
      expect(refusalOf(await first.client.refresh(refresh_token, {}, { dpop: undefined }))).toBe('400 invalid_request')
      const other = await second.tokens()
      expect(refusalOf(await first.client.refresh(other.refresh_token))).toBe('400 invalid_grant')
      expect((await first.client.userinfo(other.access_token)).status).toBe(401)
    })

    test('access-token-type-header-case-sensitivity', async ({ provider }) => {
      const { access_token } = await first.tokens()
      const change = { method: 'GET', accessToken: access_token }
      const dpop = await first.client.proof(change, provider.discovery.userinfo_endpoint)
      const answer = await first.client.userinfo(access_token, { authorization: `dpop ${access_token}`, dpop })
      expect(answer.status).toBe(200)
    })

    test('par-ensure-pkce-code-verifier-required, par-incorrect-pkce-code-verifier-rejected', async () => {
      const missing = refusalOf(await first.exchange(await first.authorize(), { code_verifier: undefined }))
      expect(['400 invalid_request', '400 invalid_grant']).toContain(missing)
      const wrong = await first.exchange(await first.authorize(), { code_verifier: 'x'.repeat(43) })
      expect(refusalOf(wrong)).toBe('400 invalid_grant')
    })

    test('check-dpop-proof-nbf-exp, iat-10-seconds-before, iat-10-seconds-after', async () => {
      const { refresh_token } = await first.tokens()
      const at = (offset: number) => new Date(Date.now() + offset * 1000)
      const changes = [{ claims: { nbf: seconds(), exp: seconds() + 60 } }, { at: at(-10) }, { at: at(10) }]
      for (const change of changes) {
        const dpop = await first.client.proof(change)
        expect((await first.client.refresh(refresh_token, {}, { dpop })).status).toBe(200)
      }
    })

    test('ensure-mismatched-dpop-jkt-fails, ensure-dpop-proof-at-par-endpoint-binding-success', async ({
      provider,
    }) => {
      const par = provider.discovery.pushed_authorization_request_endpoint
      const headers = async () => ({ dpop: await first.client.proof({}, par) })
      const { jkt } = await makeProofPair()
      const refused = refusalOf(await first.push({ dpop_jkt: jkt }, { headers: await headers() }))
      expect(['400 invalid_request', '400 invalid_dpop_proof']).toContain(refused)
      const answer = await first.authorize({}, { headers: await headers() })
      expect((await first.exchange(answer)).status).toBe(200)
    })

    test('ensure-token-endpoint-fails-with-mismatched-dpop-jkt and -proof-jkt, ensure-dpop-auth-code-binding-success', async ({
      provider,
    }) => {
      const { token_endpoint, pushed_authorization_request_endpoint: par } = provider.discovery
      const pair = await makeProofPair()
      const accepted = ['400 invalid_request', '400 invalid_grant', '400 invalid_dpop_proof']
      expect(accepted).toContain(refusalOf(await first.exchange(await first.authorize({ dpop_jkt: pair.jkt }))))
      const bound = await first.authorize({}, { headers: { dpop: await signProof(pair, par) } })
      expect(accepted).toContain(refusalOf(await first.exchange(bound)))
      const { jkt } = first.client.proofPair
      expect((await first.exchange(await first.authorize({ dpop_jkt: jkt }))).status).toBe(200)
      const dpop = await signProof(pair, token_endpoint)
      expect((await first.exchange(bound, {}, { dpop })).status).toBe(200)
    })

    test('dpop-negative-tests: without a proof, and as a bearer token', async () => {
      const { access_token } = await first.tokens()
      const bare: Changes[] = [{ dpop: undefined }, { dpop: undefined, authorization: `Bearer ${access_token}` }]
      for (const headers of bare) expect((await first.client.userinfo(access_token, headers)).status).toBe(401)
      expect((await first.client.userinfo(access_token)).status).toBe(200)
    })
  })
