import { describe, expect, it } from 'vitest'
import { assertionClaims, assertionForm, signJwt } from '#lib/testing/oauth/assertions'
import { ask, asking } from '#lib/testing/oauth/authorize'
import { type ProofChange, signProof } from '#lib/testing/oauth/proofs'
import {
  challenged,
  challengeOf,
  issuer,
  refusalOf,
  shareProvers,
  tokenUrl,
  userinfoUrl,
} from '#lib/testing/oauth/provers'
import { basicAuth, callback, secret, verifier } from '#lib/testing/process/postern'

const provers = shareProvers()

describe('nonces (RFC 9449 §8, §9)', () => {
  const nonceOf = async (answering: Promise<Response> | Response) => (await answering).headers.get('dpop-nonce') ?? ''
  const fresh = async () => nonceOf(provers.exchange(await provers.proof(), 'nonces'))

  it('are asked for with 400 use_dpop_nonce and the header DPoP-Nonce (§8)', async () => {
    const answer = await provers.exchange(await provers.proof(), 'nonces')
    expect(answer.headers.get('dpop-nonce')).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/)
    expect(await refusalOf(answer)).toBe('400 use_dpop_nonce')
  })

  it('are accepted in the next proof; the answer has a new one (§8.2)', async () => {
    const nonce = await fresh()
    provers.later(1)
    const answer = await provers.exchange(await provers.proof({ nonce }), 'nonces')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('dpop-nonce')).not.toBe(nonce)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('are refused when they are invented, changed or five minutes old', async () => {
    const nonce = await fresh()
    const changed = nonce.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'))
    for (const wrong of ['x', '', changed, `${nonce}x`, nonce.split('.')[0] as string])
      expect(await refusalOf(provers.exchange(await provers.proof({ nonce: wrong }), 'nonces'))).toBe(
        '400 use_dpop_nonce',
      )
    expect(await refusalOf(provers.exchange(await provers.proof({ claims: { nonce: [nonce] } }), 'nonces'))).toBe(
      '400 use_dpop_nonce',
    )
    provers.later(300)
    expect(await refusalOf(provers.exchange(await provers.proof({ nonce }), 'nonces'))).toBe('400 use_dpop_nonce')
  })

  it('are not asked of other apps', async () => {
    const answer = await provers.exchange(await provers.proof())
    expect([answer.status, answer.headers.has('dpop-nonce')]).toEqual([200, false])
  })

  it('are asked for by userinfo with 401 (§9)', async () => {
    const answer = await provers.exchange(await provers.proof({ nonce: await fresh() }), 'nonces')
    const { access_token } = await answer.json()
    const refused = await provers.askUserinfo(access_token)
    const nonce = await nonceOf(refused)
    expect(await challengeOf(refused)).toEqual(challenged('use_dpop_nonce'))
    const accepted = await provers.askUserinfo(access_token, { nonce })
    expect([accepted.status, accepted.headers.has('dpop-nonce')]).toEqual([200, true])
  })

  it('are checked before the jti of an assertion is recorded, so that the assertion can be sent again', async () => {
    const code = await provers.approve({ clientId: 'robot' })
    const claims = assertionClaims('robot', tokenUrl, provers.clock.now)
    const assertion = await signJwt(claims, { alg: 'ES256', kid: 'k1' }, provers.robotKey.privateKey)
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
    const repeat = async (nonce?: string) =>
      provers.post(
        '/oauth2/token',
        { ...form, ...assertionForm(assertion), client_id: 'robot' },
        {
          dpop: await provers.proof({ ...(nonce && { nonce }) }),
        },
      )
    const refused = await repeat()
    const nonce = await nonceOf(refused)
    expect(await refusalOf(refused)).toBe('400 use_dpop_nonce')
    expect((await repeat(nonce)).status).toBe(200)
  })

  it('reach web pages, which may send proofs (CORS)', async () => {
    for (const address of [tokenUrl, userinfoUrl]) {
      const { headers } = await provers.send(address, { method: 'OPTIONS' })
      expect(headers.get('access-control-allow-headers')).toContain('DPoP')
      expect(headers.get('access-control-expose-headers')).toContain('DPoP-Nonce')
    }
    expect(
      (await provers.exchange(await provers.proof(), 'nonces')).headers.get('access-control-expose-headers'),
    ).toContain('DPoP-Nonce')
  })
})

describe('the binding of a code (RFC 9449 §10)', () => {
  it('lets the key of dpop_jkt exchange the code', async () => {
    expect((await provers.exchange(await provers.proof(), 'page', { dpopJkt: provers.pair.jkt })).status).toBe(200)
  })

  it('rejects another key; the code stays usable', async () => {
    const code = await provers.approve({ clientId: 'page', dpopJkt: provers.pair.jkt })
    expect(await refusalOf(provers.exchangeCode(code, await provers.proof({}, provers.other), 'page'))).toBe(
      '400 invalid_grant',
    )
    expect((await provers.exchangeCode(code, await provers.proof(), 'page')).status).toBe(200)
  })

  it('rejects an exchange without a proof', async () => {
    expect(await refusalOf(provers.exchange(undefined, 'page', { dpopJkt: provers.pair.jkt }))).toBe(
      '400 invalid_request',
    )
  })

  it('is read from the authorization request', async () => {
    const { accepted } = await ask(provers.context, { client_id: 'plain', dpop_jkt: provers.pair.jkt })
    expect(accepted?.dpopJkt).toBe(provers.pair.jkt)
    const { accepted: without } = await ask(provers.context, { client_id: 'plain', dpop_jkt: '' })
    expect(without?.dpopJkt).toBeUndefined()
  })

  it.each(['x', 'A'.repeat(42), `${'A'.repeat(42)}B`, 'A'.repeat(44), `${'A'.repeat(42)}=`, 'A'.repeat(4000)])(
    'rejects the malformed dpop_jkt %.50s',
    async (dpop_jkt) => {
      const { returned } = await ask(provers.context, { client_id: 'plain', dpop_jkt })
      expect(returned).toMatchObject({ error: 'invalid_request', state: 'state' })
    },
  )
})

describe('a pushed request with a proof (RFC 9449 §10.1)', () => {
  const parUrl = `${issuer}/oauth2/par`
  const { client_id: _, ...parameters } = asking
  const push = async (dpop: string | undefined, changed: Record<string, string> = {}, clientId = 'plain') =>
    provers.post(
      '/oauth2/par',
      { ...parameters, ...changed },
      { ...basicAuth(clientId, secret), ...(dpop && { dpop }) },
    )
  const proof = (change: ProofChange = {}) => signProof(provers.pair, parUrl, { at: provers.clock.now, ...change })
  /** Opens the pushed request and returns the key thumbprint to which its code will be bound. */
  const boundTo = async (answer: Response) => {
    expect(answer.status).toBe(201)
    const { request_uri } = await answer.json()
    const { accepted } = await ask(provers.context, new URLSearchParams({ client_id: 'plain', request_uri }).toString())
    return accepted?.dpopJkt
  }

  it('binds the code to the key of the header', async () => {
    expect(await boundTo(await push(await proof()))).toBe(provers.pair.jkt)
  })

  it('binds the code to dpop_jkt, alone or beside the header of the same key', async () => {
    const named = { dpop_jkt: provers.pair.jkt }
    expect(await boundTo(await push(undefined, named))).toBe(provers.pair.jkt)
    expect(await boundTo(await push(await proof(), named))).toBe(provers.pair.jkt)
  })

  it('is refused when dpop_jkt names another key than the header', async () => {
    const dpop = await proof()
    expect(await refusalOf(push(dpop, { dpop_jkt: provers.other.jkt }))).toBe('400 invalid_request')
    expect(await boundTo(await push(dpop))).toBe(provers.pair.jkt)
  })

  it('is refused with a malformed dpop_jkt, and with a repeated one', async () => {
    expect(await refusalOf(push(undefined, { dpop_jkt: 'x' }))).toBe('400 invalid_request')
    const body = `${new URLSearchParams(parameters)}&dpop_jkt=${provers.pair.jkt}&dpop_jkt=${provers.pair.jkt}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...basicAuth('plain', secret) }
    expect(await refusalOf(provers.send(parUrl, { method: 'POST', headers, body }))).toBe('400 invalid_request')
  })

  it('is refused with a bad proof, and with one that was used before', async () => {
    expect(await refusalOf(push(await proof({ claims: { htu: tokenUrl } })))).toBe('400 invalid_dpop_proof')
    const dpop = await proof()
    expect((await push(dpop)).status).toBe(201)
    expect(await refusalOf(push(dpop))).toBe('400 invalid_dpop_proof')
  })

  it('needs no proof, even of an app that needs one for tokens', async () => {
    expect((await push(undefined, {}, 'bound')).status).toBe(201)
  })

  it('is asked for a nonce, if the app uses nonces (§8)', async () => {
    const refused = await push(await proof(), {}, 'nonces')
    const nonce = refused.headers.get('dpop-nonce') as string
    expect(await refusalOf(refused)).toBe('400 use_dpop_nonce')
    expect((await push(await proof({ nonce }), {}, 'nonces')).status).toBe(201)
  })
})

describe('the replay of a proof (RFC 9449 §11.1)', () => {
  it('is rejected at the token endpoint, at userinfo, and between them', async () => {
    const dpop = await provers.proof({ claims: { jti: 'a-jti-of-this-test' } })
    const { access_token, refresh_token } = await (await provers.exchange(dpop)).json()
    expect(await refusalOf(provers.refreshWith(refresh_token, dpop))).toBe('400 invalid_dpop_proof')
    const again = { claims: { jti: 'a-jti-of-this-test' } }
    expect(await challengeOf(provers.askUserinfo(access_token, again))).toEqual(challenged('invalid_dpop_proof'))
    expect((await provers.refreshWith(refresh_token, await provers.proof())).status).toBe(200)
  })

  it('counts for each key alone, so that no client can use up the jti of another', async () => {
    const claims = { jti: 'a-jti-of-two-keys' }
    expect((await provers.exchange(await provers.proof({ claims }))).status).toBe(200)
    expect((await provers.exchange(await provers.proof({ claims }, provers.other))).status).toBe(200)
  })

  it('refuses a bad proof alike for a known and an unknown app', async () => {
    const dpop = await provers.proof({ method: 'GET' })
    const texts = ['plain', 'no-such-app'].map(async (clientId) =>
      (await provers.post('/oauth2/token', {}, { ...basicAuth(clientId, 'wrong'), dpop })).text(),
    )
    const [known, unknown] = await Promise.all(texts)
    expect(known).toContain('invalid_dpop_proof')
    expect(unknown).toBe(known)
  })

  it('records no proof of a request that is refused for another reason', async () => {
    const count = () => provers.context.database.prisma.usedProof.count()
    const before = await count()
    const dpop = await provers.proof()
    expect(await refusalOf(provers.exchangeCode('no-code', dpop, 'page'))).toBe('400 invalid_grant')
    expect(await refusalOf(provers.exchange(await provers.proof(), 'nonces'))).toBe('400 use_dpop_nonce')
    const form = { grant_type: 'refresh_token', refresh_token: 'x' }
    expect(await refusalOf(provers.post('/oauth2/token', form, { ...basicAuth('plain', 'wrong'), dpop }))).toBe(
      '401 invalid_client',
    )
    expect(await count()).toBe(before)
  })
})
