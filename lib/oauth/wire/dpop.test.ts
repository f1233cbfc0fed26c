import { calculateJwkThumbprint, decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { needsProof } from '#lib/oauth/dpop/token-proof'
import { answerToken } from '#lib/oauth/token/endpoint'
import { clientWith } from '#lib/testing/oauth/authorize-values'
import { makeProofPair } from '#lib/testing/oauth/proofs'
import {
  challenged,
  challengeOf,
  issuer,
  refusalOf,
  shareProvers,
  tokenUrl,
  userinfoUrl,
} from '#lib/testing/oauth/provers'
import { basicAuth, secret } from '#lib/testing/process/postern'

const provers = shareProvers()

describe('the check of a proof (RFC 9449 §4.3)', () => {
  it('1: rejects two DPoP headers', async () => {
    expect(await refusalOf(provers.exchange([await provers.proof(), await provers.proof()]))).toBe(
      '400 invalid_dpop_proof',
    )
  })

  it.each(['', 'x', 'a.b.c'])('2: rejects the header %j, which is no JWT', async (dpop) => {
    expect(await refusalOf(provers.exchange(dpop))).toBe('400 invalid_dpop_proof')
  })

  it.each([
    ['3: typ', { header: { typ: undefined } }],
    ['3: jwk', { header: { jwk: undefined } }],
    ['3: jti', { claims: { jti: undefined } }],
    ['3: htm', { claims: { htm: undefined } }],
    ['3: htu', { claims: { htu: undefined } }],
    ['3: iat', { claims: { iat: undefined } }],
    ['4: the typ dpop+jwt', { header: { typ: 'JWT' } }],
  ])('%s is required', async (_, change) => {
    expect(await refusalOf(provers.exchange(await provers.proof(change)))).toBe('400 invalid_dpop_proof')
  })

  it('5: rejects an algorithm that is none or symmetric', async () => {
    const [, payload, signature] = (await provers.proof()).split('.')
    for (const alg of ['none', 'HS256']) {
      const header = Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg, jwk: provers.pair.publicJwk })).toString(
        'base64url',
      )
      expect(await refusalOf(provers.exchange(`${header}.${payload}.${signature}`))).toBe('400 invalid_dpop_proof')
    }
  })

  it('5: rejects an alg that is an object', async () => {
    const [, payload, signature] = (await provers.proof()).split('.')
    const header = Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg: { toString: 1 } })).toString('base64url')
    expect(await refusalOf(provers.exchange(`${header}.${payload}.${signature}`))).toBe('400 invalid_dpop_proof')
  })

  it('6: rejects a signature of another key', async () => {
    expect(await refusalOf(provers.exchange(await provers.proof({ header: { jwk: provers.other.publicJwk } })))).toBe(
      '400 invalid_dpop_proof',
    )
  })

  it('7: rejects a jwk with a private key', async () => {
    expect(await refusalOf(provers.exchange(await provers.proof({ header: { jwk: provers.pair.privateJwk } })))).toBe(
      '400 invalid_dpop_proof',
    )
  })

  it('8: rejects another method', async () => {
    expect(await refusalOf(provers.exchange(await provers.proof({ method: 'GET' })))).toBe('400 invalid_dpop_proof')
  })

  it('9: rejects another URI, and ignores query and fragment', async () => {
    expect(await refusalOf(provers.exchange(await provers.proof({ claims: { htu: userinfoUrl } })))).toBe(
      '400 invalid_dpop_proof',
    )
    expect((await provers.exchange(await provers.proof({ claims: { htu: `${tokenUrl}?a=b#c` } }))).status).toBe(200)
  })

  it.each(['htm', 'htu'])('8, 9: rejects a %s that is an object', async (name) => {
    const proof = await provers.proof({ claims: { [name]: { toString: 1 } } })
    expect(await refusalOf(provers.exchange(proof))).toBe('400 invalid_dpop_proof')
  })

  it('9: normalises the case of the host, and the default port', async () => {
    const htu = 'http://LOCALHOST:3000/oauth2/%74oken'
    expect((await provers.exchange(await provers.proof({ claims: { htu } }))).status).toBe(200)
  })

  it('11: rejects a proof that is more than a minute old or from the future', async () => {
    for (const off of [-61, 61]) {
      const at = new Date(provers.clock.now.getTime() + off * 1000)
      expect(await refusalOf(provers.exchange(await provers.proof({ at })))).toBe('400 invalid_dpop_proof')
    }
    for (const off of [-55, 55]) {
      const at = new Date(provers.clock.now.getTime() + off * 1000)
      expect((await provers.exchange(await provers.proof({ at }))).status).toBe(200)
    }
  })

  it('12: rejects a proof for a resource without the hash of the access token', async () => {
    const { access_token } = await provers.tokens()
    for (const ath of [undefined, 'x', '']) {
      expect(await challengeOf(provers.askUserinfo(access_token, { claims: { ath } }))).toEqual(
        challenged('invalid_dpop_proof'),
      )
    }
  })

  it('12: rejects a proof of another key than the access token is bound to', async () => {
    const { access_token } = await provers.tokens()
    expect(await challengeOf(provers.askUserinfo(access_token, {}, {}, provers.other))).toEqual(
      challenged('invalid_dpop_proof'),
    )
  })

  it('leaves the code usable after a proof is refused', async () => {
    const code = await provers.approve({ clientId: 'plain' })
    expect(await refusalOf(provers.exchangeCode(code, await provers.proof({ method: 'GET' })))).toBe(
      '400 invalid_dpop_proof',
    )
    expect((await provers.exchangeCode(code, await provers.proof())).status).toBe(200)
  })

  it.each(['ES256', 'PS256', 'EdDSA'])('accepts a key for %s', async (alg) => {
    const key = await makeProofPair(alg)
    const answer = await provers.exchange(await provers.proof({}, key))
    expect(decodeJwt((await answer.json()).access_token).cnf).toEqual({ jkt: key.jkt })
  })
})

describe('a token request with a proof (RFC 9449 §5)', () => {
  it('returns token_type DPoP', async () => {
    expect(await provers.tokens()).toMatchObject({ token_type: 'DPoP', expires_in: 300 })
  })

  it('returns a bearer token without a proof, if the app does not require one', async () => {
    const answer = await provers.exchange(undefined)
    const { token_type, access_token } = await answer.json()
    expect(token_type).toBe('Bearer')
    expect(decodeJwt(access_token)).not.toHaveProperty('cnf')
  })

  it('binds the tokens of a public app, which gets no refresh token', async () => {
    const body = await provers.tokens('page')
    expect(body.token_type).toBe('DPoP')
    expect(body).not.toHaveProperty('refresh_token')
  })

  it('lets the refresh token of a confidential app be used with a new key', async () => {
    const { refresh_token } = await provers.tokens()
    const answer = await provers.refreshWith(refresh_token, await provers.proof({}, provers.other))
    const { access_token, token_type } = await answer.json()
    expect([token_type, decodeJwt(access_token).cnf]).toEqual(['DPoP', { jkt: provers.other.jkt }])
  })

  it('publishes the supported algorithms (§5.1)', async () => {
    const answer = await provers.send(`${issuer}/.well-known/openid-configuration`)
    const { dpop_signing_alg_values_supported: published } = await answer.json()
    expect(published).toEqual(['ES256', 'PS256', 'EdDSA', 'Ed25519'])
  })

  it('is required of an app with dpop_bound_access_tokens, to refresh as well (§5.2)', async () => {
    expect(await refusalOf(provers.exchange(undefined, 'bound'))).toBe('400 invalid_request')
    const { refresh_token } = await provers.tokens('bound')
    expect(await refusalOf(provers.refreshWith(refresh_token, undefined, 'bound'))).toBe('400 invalid_request')
    expect((await provers.refreshWith(refresh_token, await provers.proof(), 'bound')).status).toBe(200)
  })

  it('is required of every app of profile fapi2 (FAPI 2.0 §5.3.2.1)', () => {
    const required = (['standard', 'oidc', 'fapi2'] as const).map((profile) => needsProof(clientWith({ profile })))
    expect(required).toEqual([false, false, true])
  })

  it('adds one statement to a refresh; a refresh without a proof has none of it', async () => {
    const { refresh_token } = await provers.tokens()
    const { store } = provers.context.oauth
    const called: string[] = []
    const recorded = new Proxy(store, {
      get: (target, name: keyof typeof store) => {
        called.push(name)
        return target[name]
      },
    })
    const refresh = async (dpop: string | undefined) => {
      called.splice(0)
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...basicAuth('plain', secret) }
      const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token }).toString()
      const request = new Request(tokenUrl, { method: 'POST', headers: { ...headers, ...(dpop && { dpop }) }, body })
      expect((await answerToken({ ...provers.context.oauth, store: recorded }, request)).status).toBe(200)
      // Apps are cached in production, so looking one up does not count as a statement.
      return called.filter((name) => name !== 'findClient')
    }
    expect(await refresh(undefined)).toEqual(['findForRefresh', 'rotateRefresh'])
    expect(await refresh(await provers.proof())).toEqual(['rememberProof', 'findForRefresh'])
  })

  it('gives a public app the lifetime that its team chose, for bound tokens alone', async () => {
    expect((await provers.tokens('page')).expires_in).toBe(3600)
    expect((await (await provers.exchange(undefined, 'page')).json()).expires_in).toBe(300)
  })
})

describe('the binding of an access token (RFC 9449 §6)', () => {
  it('is cnf.jkt, the SHA-256 thumbprint of the key (§6.1)', async () => {
    const { access_token } = await provers.tokens()
    expect(decodeJwt(access_token).cnf).toEqual({ jkt: await calculateJwkThumbprint(provers.pair.publicJwk, 'sha256') })
  })

  it('is in the introspection answer, with token_type DPoP (§6.2)', async () => {
    const { access_token: token } = await provers.tokens()
    const described = await (await provers.post('/oauth2/introspect', { token }, basicAuth('plain', secret))).json()
    expect(described).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: provers.pair.jkt } })
  })

  it('is absent from the introspection of a bearer token', async () => {
    const { access_token: token } = await (await provers.exchange(undefined)).json()
    const described = await (await provers.post('/oauth2/introspect', { token }, basicAuth('plain', secret))).json()
    expect([described.token_type, 'cnf' in described]).toEqual(['Bearer', false])
  })
})
