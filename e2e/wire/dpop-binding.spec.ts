import { decodeJwt } from 'jose'
import { makeProofPair, signProof } from '#lib/testing/oauth/proofs'
import type { Changes, Client } from './client.ts'
import { expect, type Provider, test } from './provider.ts'
import { refusalOf } from './refusal.ts'
import { openAgent, type UserAgent } from './user-agent.ts'

let app: Client
let agent: UserAgent
test.beforeAll(async ({ provider }) => {
  app = await provider.client('fapi2')
  agent = openAgent(provider)
})

const tokensOf = async (changes: Changes = {}) => (await app.exchange(await agent.authorize(app, changes))).json()

/** Pushes a request, and signs in for it. */
async function pushAndSignIn(provider: Provider, client: Client, changes: Changes, headers: Changes = {}) {
  const { request_uri } = (await client.push(client.request(changes), headers)).json()
  const query = new URLSearchParams({ client_id: client.id, request_uri })
  return agent.finish(await agent.open(`${provider.discovery.authorization_endpoint}?${query}`))
}

test.describe('RFC 9449 §6 Public Key Confirmation', () => {
  test('puts the thumbprint of the key into the access token as cnf.jkt (§6.1)', async () => {
    const { access_token } = await tokensOf()
    expect(decodeJwt(access_token).cnf).toEqual({ jkt: app.proofPair.jkt })
  })

  test('returns cnf and token_type DPoP at introspection (§6.2)', async () => {
    const { access_token } = await tokensOf()
    const described = (await app.introspect(access_token)).json()
    expect(described).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: app.proofPair.jkt } })
  })
})

test.describe('RFC 9449 §7 Protected Resource Access', () => {
  test('accepts the scheme DPoP in any case (§7.1, RFC 9110 §11.1)', async ({ provider }) => {
    const { access_token } = await tokensOf()
    for (const scheme of ['DPoP', 'dpop', 'DPOP', 'dPoP']) {
      const dpop = await app.proof({ method: 'GET', accessToken: access_token }, provider.discovery.userinfo_endpoint)
      expect((await app.userinfo(access_token, { authorization: `${scheme} ${access_token}`, dpop })).status).toBe(200)
    }
  })

  test('answers an invalid token with the challenge DPoP and the algorithms (§7.1)', async () => {
    const { status, headers } = await app.userinfo('x')
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^DPoP error="invalid_token".* algs="[^"]*ES256/),
    ])
  })

  test('refuses a bound token without a proof', async () => {
    const { access_token } = await tokensOf()
    const { status, headers } = await app.userinfo(access_token, { dpop: undefined })
    expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^DPoP error=/)])
  })

  // "MUST NOT be accepted ... as a bearer token" (§7.2)
  test('refuses a bound token as a bearer token, with and without a proof, and in the query', async ({ provider }) => {
    const { access_token } = await tokensOf()
    const bearer = { authorization: `Bearer ${access_token}` }
    expect((await app.userinfo(access_token, bearer)).status).toBe(401)
    expect((await app.userinfo(access_token, { ...bearer, dpop: undefined })).status).toBe(401)
    const url = provider.discovery.userinfo_endpoint
    expect((await provider.send(`${url}?access_token=${access_token}`)).status).toBe(401)
  })

  test('refuses an unbound token with the scheme DPoP', async ({ provider }) => {
    const plain = await provider.client('oidc')
    const { access_token } = (await plain.exchange(await agent.authorize(plain))).json()
    const url = provider.discovery.userinfo_endpoint
    const dpop = await plain.proof({ method: 'GET', accessToken: access_token }, url)
    const headers = { authorization: `DPoP ${access_token}`, dpop }
    expect((await provider.send(url, { headers })).status).toBe(401)
  })
})

test.describe('RFC 9449 §8, §9 Server-Provided Nonce', () => {
  test('is required of an app that registers it, at PAR, token endpoint and userinfo', async ({ provider }) => {
    const client = await provider.client('fapi2', { dpop_nonces: true })
    const { token_endpoint, userinfo_endpoint, pushed_authorization_request_endpoint: par } = provider.discovery
    const pushed = await client.push(client.request(), { dpop: await client.proof({}, par) })
    expect([refusalOf(pushed), pushed.headers.has('dpop-nonce')]).toEqual(['400 use_dpop_nonce', true])
    const answer = await agent.authorize(client)
    const first = await client.exchange(answer)
    const nonce = first.headers.get('dpop-nonce') ?? ''
    expect([refusalOf(first), nonce.length > 10]).toEqual(['400 use_dpop_nonce', true])
    expect(first.headers.get('cache-control')).toContain('no-store')
    const tokens = await client.exchange(answer, {}, { dpop: await client.proof({ nonce }, token_endpoint) })
    expect([tokens.status, tokens.headers.has('dpop-nonce')]).toEqual([200, true])
    const { access_token } = tokens.json()
    const asked = await client.userinfo(access_token)
    expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^DPoP error="use_dpop_nonce"/),
    ])
    const next = asked.headers.get('dpop-nonce') ?? ''
    const dpop = await client.proof({ method: 'GET', accessToken: access_token, nonce: next }, userinfo_endpoint)
    expect((await client.userinfo(access_token, { dpop })).status).toBe(200)
  })

  test('refuses a nonce that the server did not provide', async ({ provider }) => {
    const client = await provider.client('fapi2', { dpop_nonces: true })
    const dpop = await client.proof({ nonce: 'made-up' })
    expect(refusalOf(await client.refresh('x', {}, { dpop }))).toBe('400 use_dpop_nonce')
  })
})

test.describe('RFC 9449 §10 Authorization Code Binding to a DPoP Key', () => {
  test('dpop_jkt binds the code: another key is refused, the named one is accepted', async ({ provider }) => {
    const { jkt } = app.proofPair
    const other = await signProof(await makeProofPair(), provider.discovery.token_endpoint)
    const answer = await agent.authorize(app, { dpop_jkt: jkt })
    const refused = refusalOf(await app.exchange(answer, {}, { dpop: other }))
    expect(['400 invalid_grant', '400 invalid_dpop_proof']).toContain(refused)
    expect((await app.exchange(answer)).status).toBe(200)
  })

  test('refuses an exchange with another key than dpop_jkt names', async ({ provider }) => {
    const { jkt } = await makeProofPair()
    const refused = await app.exchange(await agent.authorize(app, { dpop_jkt: jkt }))
    expect(['400 invalid_grant', '400 invalid_dpop_proof']).toContain(refusalOf(refused))
    const client = await provider.client('oidc')
    const bare = await client.exchange(await agent.authorize(client, { dpop_jkt: jkt }))
    expect([bare.status, bare.json().error]).toEqual([400, expect.stringMatching(/^invalid_/)])
  })

  test('a proof at PAR binds the code without dpop_jkt (§10.1)', async ({ provider }) => {
    const par = provider.discovery.pushed_authorization_request_endpoint
    const pair = await makeProofPair()
    const answer = await pushAndSignIn(provider, app, {}, { dpop: await signProof(pair, par) })
    expect(['400 invalid_grant', '400 invalid_dpop_proof']).toContain(refusalOf(await app.exchange(answer)))
    const dpop = await signProof(pair, provider.discovery.token_endpoint)
    expect((await app.exchange(answer, {}, { dpop })).json().token_type).toBe('DPoP')
  })

  // "the authorization server MUST reject the request if they do not match" (§10.1)
  test('refuses a push whose dpop_jkt is not the key of its proof', async ({ provider }) => {
    const par = provider.discovery.pushed_authorization_request_endpoint
    const { jkt } = await makeProofPair()
    const refused = await app.push(app.request({ dpop_jkt: jkt }), { dpop: await app.proof({}, par) })
    expect(['400 invalid_request', '400 invalid_dpop_proof']).toContain(refusalOf(refused))
    const same = app.request({ dpop_jkt: app.proofPair.jkt })
    expect((await app.push(same, { dpop: await app.proof({}, par) })).status).toBe(201)
  })
})

test.describe('RFC 9449 §5 refresh tokens', () => {
  test('of a confidential app are bound to the app: a refresh may use a new key', async ({ provider }) => {
    const { refresh_token } = await tokensOf()
    const pair = await makeProofPair()
    const dpop = await signProof(pair, provider.discovery.token_endpoint)
    const { access_token } = (await app.refresh(refresh_token, {}, { dpop })).json()
    expect(decodeJwt(access_token).cnf).toEqual({ jkt: pair.jkt })
  })

  test('of a public app do not exist (specification §1)', async ({ provider }) => {
    const client = await provider.client('oidc', { kind: 'public', dpop_bound_access_tokens: true })
    const tokens = (await client.exchange(await agent.authorize(client))).json()
    expect([tokens.token_type, tokens.refresh_token]).toEqual(['DPoP', undefined])
  })
})
