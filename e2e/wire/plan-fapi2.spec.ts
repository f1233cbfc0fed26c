import { createHash } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { Flow, plans } from './fapi2-flow.ts'
import { expect, people, test } from './provider.ts'
import { refusalOf } from './refusal.ts'
import { readIdToken } from './tokens.ts'
import { formOf, openAgent } from './user-agent.ts'

/**
 * The modules of the official plans about authorization requests and pushed requests. The tests have the names of the
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

    test('discovery-end-point-verification', ({ provider }) => {
      const { discovery } = provider
      expect(discovery.issuer).toBe(provider.issuer)
      for (const name of ['id_token', 'token_endpoint_auth', 'dpop', 'request_object', 'authorization'])
        expect(discovery[`${name}_signing_alg_values_supported`]).toContain('ES256')
      expect(discovery.token_endpoint_auth_methods_supported).toContain('private_key_jwt')
      expect(discovery.response_types_supported).toContain('code')
      expect(discovery.response_modes_supported).toContain('jwt')
      expect(discovery.code_challenge_methods_supported).toContain('S256')
      expect(discovery.authorization_response_iss_parameter_supported).toBe(true)
      expect(typeof discovery.require_pushed_authorization_requests).toBe('boolean')
      expect(discovery.scopes_supported).toContain('openid')
      expect(discovery.subject_types_supported).toEqual(['pairwise'])
    })

    test('happy-flow, for both clients', async ({ provider }) => {
      for (const flow of [first, second]) {
        const answer = await flow.authorize({ state: 's'.repeat(128), scope: 'openid email' })
        expect(answer).toEqual({ code: expect.any(String), state: 's'.repeat(128), iss: provider.issuer })
        const tokens = (await flow.exchange(answer)).json()
        expect(tokens).toMatchObject({ token_type: 'DPoP', expires_in: expect.any(Number) })
        const { header, claims } = await readIdToken(provider, flow.client, tokens.id_token)
        expect([header.alg, typeof header.kid, claims.nonce]).toEqual(['ES256', 'string', 'the nonce'])
        const interaction = '7a1fbd3c-6c30-4c25-a0f9-7d4a5c1f8f0e'
        const userinfo = await flow.client.userinfo(tokens.access_token, {
          'x-fapi-interaction-id': interaction,
          'x-fapi-auth-date': 'Tue, 11 Sep 2012 19:43:31 GMT',
          'x-fapi-customer-ip-address': '198.51.100.119',
          accept: 'application/json; charset=UTF-8',
        })
        expect(userinfo.json()).toMatchObject({ sub: claims.sub, email: people.ada.email })
        expect(userinfo.headers.get('x-fapi-interaction-id')).toBe(interaction)
        expect(userinfo.headers.has('date')).toBe(true)
      }
    })

    test('user-rejects-authentication', async ({ provider }) => {
      const { request_uri } = (await second.push({ state: 'r'.repeat(128) })).json()
      const agent = openAgent(provider)
      const page = await second.open(request_uri, {}, agent)
      const back = await agent.submit(formOf(page, '/signin/submit'), { action: 'cancel' })
      const { error_description, ...answer } = await second.read(back.returned)
      expect(answer).toEqual({ error: 'access_denied', state: 'r'.repeat(128), iss: provider.issuer })
    })

    test('ensure-authorization-request-without-state-success', async () => {
      expect(await first.authorize({ state: undefined })).not.toHaveProperty('state')
    })

    test('ensure-authorization-request-without-nonce-success', async () => {
      expect(decodeJwt((await first.tokens({ nonce: undefined })).id_token)).not.toHaveProperty('nonce')
    })

    test('ensure-authorization-request-with-64-char-nonce-success, with-long-nonce, with-long-state', async () => {
      for (const nonce of ['n'.repeat(64), 'n'.repeat(384)])
        expect(decodeJwt((await first.tokens({ nonce })).id_token).nonce).toBe(nonce)
      const state = 's'.repeat(1000)
      expect((await first.authorize({ state })).state).toBe(state)
    })

    test('ensure-other-scope-order-succeeds', async () => {
      expect((await first.tokens({ scope: 'email openid' })).scope.split(' ').sort()).toEqual(['email', 'openid'])
    })

    test('test-claims-parameter-identity-claims', async () => {
      const wanted = { name: null, email: { essential: true }, nickname: { essential: false }, 'no-such': null }
      const claims = JSON.stringify({ userinfo: wanted, id_token: wanted, elsewhere: { a: null } })
      const tokens = await first.tokens({ claims })
      const { name, nickname, email } = people.ada
      expect(decodeJwt(tokens.id_token)).toMatchObject({ name, nickname, email })
      expect((await first.client.userinfo(tokens.access_token)).json()).toMatchObject({ name, nickname, email })
    })

    test('ensure-different-nonce-inside-and-outside-request-object, different-state', async () => {
      const { request_uri } = (await first.push({ state: 'inner', nonce: 'inner' })).json()
      const page = await first.open(request_uri, { state: 'outer', nonce: 'outer' })
      const answer = await first.read(await first.agent.finish(page))
      expect(answer.state).toBe('inner')
      const { id_token } = (await first.exchange(answer)).json()
      expect(decodeJwt(id_token).nonce).toBe('inner')
    })

    test('state-only-outside-request-object-not-used', async () => {
      const { request_uri } = (await first.push({ state: undefined })).json()
      const page = await first.open(request_uri, { state: 'outer' })
      expect(await first.read(await first.agent.finish(page))).not.toHaveProperty('state')
    })

    test('plain-fapi-tolerate-unregistered-redirect-uri, ensure-redirect-uri-in-authorization-request', async () => {
      for (const redirect_uri of [`${first.redirectUri}/other`, `${first.redirectUri}?a=b`, undefined])
        expect(refusalOf(await first.push({ redirect_uri }))).toBe('400 invalid_request')
    })

    test('ensure-unsigned-authorization-request-without-using-par-fails', async ({ provider }) => {
      const url = new URL(provider.discovery.authorization_endpoint)
      const mode = plan.jarm ? { response_mode: 'jwt' } : {}
      url.search = new URLSearchParams(first.client.request(mode) as Record<string, string>).toString()
      const answer = await first.read((await first.agent.open(url)).returned)
      expect(answer).toMatchObject({ error: 'invalid_request', state: 'the state', iss: provider.issuer })
    })

    test('ensure-response-type-code-id-token-fails, ensure-response-type-token-fails', async () => {
      for (const response_type of ['code id_token', 'token'])
        expect(refusalOf(await first.push({ response_type }))).toBe('400 unsupported_response_type')
    })

    test('par-ensure-reused-request-uri-prior-to-auth-completion-succeeds, par-attempt-reuse-request_uri', async ({
      provider,
    }) => {
      const { request_uri } = (await first.push()).json()
      const agent = openAgent(provider)
      expect((await first.open(request_uri, {}, agent)).url.pathname).toBe('/signin')
      const answer = await first.read(await agent.finish(await first.open(request_uri, {}, agent)))
      expect(answer.code).toBeDefined()
      const again = await first.open(request_uri, {}, agent)
      expect([again.isApp, again.status]).toEqual([false, 400])
    })

    test('par-attempt-to-use-expired-request_uri', async ({ provider }) => {
      const { request_uri, expires_in } = (await first.push()).json()
      expect(expires_in).toBeLessThan(600)
      const where = { appId: first.client.id }
      await provider.database.prisma.pushedRequest.updateMany({ where, data: { expiresAt: new Date(0) } })
      const page = await first.open(request_uri)
      expect([page.isApp, page.status]).toEqual([false, 400])
    })

    test('par-attempt-to-use-request_uri-for-different-client', async () => {
      const { request_uri } = (await first.push()).json()
      const page = await second.open(request_uri)
      expect([page.isApp, page.status]).toEqual([false, 400])
    })

    test('par-authorization-request-containing-request_uri', async () => {
      const request_uri = 'urn:ietf:params:oauth:request_uri:x'
      expect(refusalOf(await first.push({}, { beside: { request_uri } }))).toBe('400 invalid_request')
      if (plan.signed)
        expect(refusalOf(await first.push({}, { claims: { request_uri } }))).toBe('400 invalid_request_object')
    })

    test('par-attempt-invalid-http-method', async ({ provider }) => {
      const url = provider.discovery.pushed_authorization_request_endpoint
      const { form } = await first.client.credentials()
      expect((await provider.send(url, { method: 'PUT', form: { ...form, ...first.client.request() } })).status).toBe(
        405,
      )
    })

    test('par-ensure-pkce-required, par-ensure-plain-pkce-rejected', async () => {
      const none = { code_challenge: undefined, code_challenge_method: undefined }
      const plain = { code_challenge: first.client.verifier, code_challenge_method: 'plain' }
      for (const changes of [none, plain]) expect(refusalOf(await first.push(changes))).toBe('400 invalid_request')
    })

    test('par-without-duplicate-parameters', async ({ provider }) => {
      const { request_uri } = (await first.push()).json()
      const page = await first.open(request_uri)
      expect(page.status).toBe(303)
      expect((await first.read(await first.agent.finish(page))).iss).toBe(provider.issuer)
    })

    test('id tokens are signed with a permitted algorithm, and at_hash is right', async () => {
      const { id_token, access_token } = await first.tokens()
      expect(decodeProtectedHeader(id_token)).toMatchObject({ alg: 'ES256', kid: expect.any(String) })
      const hash = createHash('sha256').update(access_token).digest().subarray(0, 16)
      expect(decodeJwt(id_token).at_hash).toBe(hash.toString('base64url'))
    })
  })
