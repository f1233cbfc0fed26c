import { createHmac } from 'node:crypto'
import { makeProofPair, type ProofChange, signProof } from '#lib/testing/oauth/proofs'
import type { Client } from './client.ts'
import { expect, type Provider, test } from './provider.ts'
import { refusalOf } from './refusal.ts'
import { openAgent } from './user-agent.ts'

let app: Client
let accessToken: string
let refreshToken: string
test.beforeAll(async ({ provider }) => {
  app = await provider.client('fapi2')
  const tokens = await app.exchange(await openAgent(provider).authorize(app))
  const body = tokens.json()
  accessToken = body.access_token
  refreshToken = body.refresh_token
})

const seconds = () => Math.floor(Date.now() / 1000)

/** Refreshes with a changed proof. */
const refreshWith = async (change: ProofChange, url?: string) =>
  app.refresh(refreshToken, {}, { dpop: await app.proof(change, url) })

/** Asks userinfo with a changed proof. */
async function askWith(provider: Provider, change: ProofChange, url = provider.discovery.userinfo_endpoint) {
  const dpop = await app.proof({ method: 'GET', accessToken, ...change }, url)
  return app.userinfo(accessToken, { dpop })
}

const changes: [name: string, change: ProofChange, accepted?: true][] = [
  ['typ missing', { header: { typ: undefined } }],
  ['another typ', { header: { typ: 'dpop+jwt+wrong' } }],
  ['jwk missing', { header: { jwk: undefined } }],
  ['jti missing', { claims: { jti: undefined } }],
  ['htm missing', { claims: { htm: undefined } }],
  ['htu missing', { claims: { htu: undefined } }],
  ['iat missing', { claims: { iat: undefined } }],
  ['htm of another method', { claims: { htm: 'PUT' } }],
  ['an iat of an hour ago', { at: new Date(Date.now() - 3_600_000) }],
  ['an iat in an hour', { at: new Date(Date.now() + 3_600_000) }],
  ['an exp in the past', { claims: { exp: seconds() - 5 } }],
  ['an iat of ten seconds ago', { at: new Date(Date.now() - 10_000) }, true],
  ['an iat in ten seconds', { at: new Date(Date.now() + 10_000) }, true],
  ['exp and nbf', { claims: { exp: seconds() + 60, nbf: seconds() - 5 } }, true],
  ['other members in header and claims', { header: { tx_id: 1 }, claims: { tx_id_key: 1 } }, true],
]

test.describe('RFC 9449 §4.3 Checking DPoP Proofs', () => {
  for (const [name, change, accepted] of changes)
    test(`${accepted ? 'accepts' : 'refuses'} ${name}, at the token endpoint and at userinfo`, async ({ provider }) => {
      const token = await refreshWith(change)
      const userinfo = await askWith(provider, change)
      expect([token.status, userinfo.status]).toEqual(accepted ? [200, 200] : [400, 401])
      if (accepted) return
      expect(token.json().error).toBe('invalid_dpop_proof')
      expect(userinfo.headers.get('www-authenticate')).toMatch(/^DPoP error="invalid_dpop_proof".*algs="[^"]*ES256/)
    })

  test('refuses more than one header (check 1), and accepts its name in any case', async ({ provider }) => {
    const headers = { dpop: [await app.proof(), await app.proof()] }
    expect(refusalOf(await app.refresh(refreshToken, {}, headers))).toBe('400 invalid_dpop_proof')
    const dpop = await app.proof({ method: 'GET', accessToken }, provider.discovery.userinfo_endpoint)
    expect((await app.userinfo(accessToken, { dpop: undefined, DPOP: dpop })).status).toBe(200)
  })

  test('refuses a proof that is not a JWT, or has no alg (checks 2 and 3)', async () => {
    const [head = '', claims = '', signature = ''] = (await app.proof()).split('.')
    const noAlg = Buffer.from(Buffer.from(head, 'base64url').toString().replace('alg', 'alg2')).toString('base64url')
    for (const dpop of [`${head}.${claims}`, 'x', `${noAlg}.${claims}.${signature}`])
      expect(refusalOf(await app.refresh(refreshToken, {}, { dpop }))).toBe('400 invalid_dpop_proof')
  })

  test('refuses alg none, RS256 and a symmetric alg (check 5)', async ({ provider }) => {
    const [, claims = ''] = (await app.proof()).split('.')
    const headOf = (alg: string) =>
      Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg, jwk: app.proofPair.publicJwk })).toString('base64url')
    // The public key as the secret of the MAC (RFC 8725 §2.1).
    const signed = `${headOf('HS256')}.${claims}`
    const mac = createHmac('sha256', JSON.stringify(app.proofPair.publicJwk)).update(signed).digest('base64url')
    const rsa = await signProof(await makeProofPair('RS256'), provider.discovery.token_endpoint)
    for (const dpop of [`${headOf('none')}.${claims}.`, `${signed}.${mac}`, rsa])
      expect(refusalOf(await app.refresh(refreshToken, {}, { dpop }))).toBe('400 invalid_dpop_proof')
  })

  test('refuses a wrong signature (check 6) and a private key in jwk (check 7)', async ({ provider }) => {
    const proof = await app.proof()
    const dot = proof.lastIndexOf('.') + 1
    const broken = `${proof.slice(0, dot)}${proof[dot] === 'A' ? 'B' : 'A'}${proof.slice(dot + 1)}`
    const { privateKey } = await makeProofPair()
    const other = await signProof({ ...app.proofPair, privateKey }, provider.discovery.token_endpoint)
    const leaked = await app.proof({ header: { jwk: app.proofPair.privateJwk } })
    for (const dpop of [broken, other, leaked])
      expect(refusalOf(await app.refresh(refreshToken, {}, { dpop }))).toBe('400 invalid_dpop_proof')
  })

  test('compares htu without query and fragment, and normalised (check 9)', async ({ provider }) => {
    const { token_endpoint: url, userinfo_endpoint: userinfo } = provider.discovery
    const host = new URL(url).host
    for (const htu of [
      `${url}?a=b#c`,
      url.replace(host, `${host}:443`),
      url.replace(`https://${host}`, `HTTPS://${host.toUpperCase()}`),
    ])
      expect((await refreshWith({}, htu)).status).toBe(200)
    for (const htu of [`${url}x`, userinfo, url.replace('https', 'http'), url.replace(host, `${host}:8443`), 'x'])
      expect(refusalOf(await refreshWith({}, htu))).toBe('400 invalid_dpop_proof')
    expect((await askWith(provider, {}, `${userinfo}?a=b#c`)).status).toBe(200)
    expect((await askWith(provider, {}, `${userinfo}x`)).status).toBe(401)
  })

  test('refuses a jti that was used (check 11, §11.1)', async ({ provider }) => {
    const change = { claims: { jti: `once-${seconds()}` } }
    expect((await askWith(provider, change)).status).toBe(200)
    expect((await askWith(provider, change)).status).toBe(401)
    const dpop = await app.proof()
    expect((await app.refresh(refreshToken, {}, { dpop })).status).toBe(200)
    expect(refusalOf(await app.refresh(refreshToken, {}, { dpop }))).toBe('400 invalid_dpop_proof')
  })

  test('refuses an ath that is missing or of another token, and another key (check 12)', async ({ provider }) => {
    const wrong = [{ accessToken: undefined }, { claims: { ath: undefined } }, { accessToken: `${accessToken}x` }]
    for (const change of wrong) expect((await askWith(provider, change as ProofChange)).status).toBe(401)
    const url = provider.discovery.userinfo_endpoint
    const dpop = await signProof(await makeProofPair(), url, { method: 'GET', accessToken })
    expect((await app.userinfo(accessToken, { dpop })).status).toBe(401)
    expect((await askWith(provider, {})).status).toBe(200)
  })
})

test.describe('RFC 9449 §5 DPoP Access Token Request', () => {
  for (const alg of ['ES256', 'PS256', 'EdDSA'])
    test(`accepts proofs with ${alg} (§5.1 "dpop_signing_alg_values_supported")`, async ({ provider }) => {
      expect(provider.discovery.dpop_signing_alg_values_supported).toContain(alg)
      const dpop = await signProof(await makeProofPair(alg), provider.discovery.token_endpoint)
      const answer = await app.refresh(refreshToken, {}, { dpop })
      expect([answer.status, answer.json().token_type]).toEqual([200, 'DPoP'])
    })

  test('lists neither none nor symmetric algorithms (§5.1)', ({ provider }) => {
    const algs = provider.discovery.dpop_signing_alg_values_supported as string[]
    expect(algs.filter((alg) => /^(none|HS|RS)/.test(alg))).toEqual([])
  })

  test('refuses a token request without a proof, of an app with dpop_bound_access_tokens (§5.2)', async ({
    provider,
  }) => {
    const bound = await provider.client('oidc', { dpop_bound_access_tokens: true })
    const answer = await openAgent(provider).authorize(bound)
    expect(refusalOf(await bound.exchange(answer, {}, { dpop: undefined }))).toBe('400 invalid_request')
    expect((await bound.exchange(answer)).json().token_type).toBe('DPoP')
  })

  test('binds the token of any app that sends a proof, and answers Bearer without one', async ({ provider }) => {
    const plain = await provider.client('standard')
    const agent = openAgent(provider)
    const first = await plain.exchange(await agent.authorize(plain), {}, { dpop: await plain.proof() })
    expect(first.json().token_type).toBe('DPoP')
    expect((await plain.exchange(await agent.authorize(plain))).json().token_type).toBe('Bearer')
  })
})
