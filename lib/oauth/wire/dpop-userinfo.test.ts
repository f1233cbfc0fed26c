import { describe, expect, it } from 'vitest'
import { signProof } from '#lib/testing/oauth/proofs'
import { algs, challenged, challengeOf, shareProvers, tokenUrl, userinfoUrl } from '#lib/testing/oauth/provers'
import { basicAuth, secret } from '#lib/testing/process/postern'

const provers = shareProvers()

describe('userinfo with a bound token (RFC 9449 §7)', () => {
  it('answers the scheme DPoP in any case with a proof, by GET and POST (§7.1)', async () => {
    const { access_token } = await provers.tokens()
    for (const scheme of ['DPoP', 'dpop', 'DPOP'])
      expect((await provers.askUserinfo(access_token, {}, { authorization: `${scheme} ${access_token}` })).status).toBe(
        200,
      )
    const dpop = await signProof(provers.pair, userinfoUrl, { accessToken: access_token, at: provers.clock.now })
    const headers = { authorization: `DPoP ${access_token}`, dpop }
    expect((await provers.send(userinfoUrl, { method: 'POST', headers })).status).toBe(200)
  })

  it('rejects a request without a proof, with the reason and the algorithms (§7.1)', async () => {
    const { access_token } = await provers.tokens()
    const answer = provers.send(userinfoUrl, { headers: { authorization: `DPoP ${access_token}` } })
    expect(await challengeOf(answer)).toEqual(challenged('invalid_dpop_proof'))
  })

  it.each([
    ['another method', { method: 'POST' }],
    ['another URI', { claims: { htu: tokenUrl } }],
    ['a private key', { header: { jwk: { kty: 'oct', k: 'x' } } }],
  ])('rejects a proof with %s (§7.1)', async (_, change) => {
    const { access_token } = await provers.tokens()
    expect(await challengeOf(provers.askUserinfo(access_token, change))).toEqual(challenged('invalid_dpop_proof'))
  })

  it('rejects two proofs (§7.1)', async () => {
    const { access_token } = await provers.tokens()
    const change = { method: 'GET', accessToken: access_token }
    const dpop = [
      await signProof(provers.pair, userinfoUrl, change),
      await signProof(provers.pair, userinfoUrl, change),
    ]
    expect(await challengeOf(provers.askUserinfo(access_token, {}, { dpop }))).toEqual(challenged('invalid_dpop_proof'))
  })

  it('rejects a bound token that is sent as a bearer token, with a proof or without (§7.2)', async () => {
    const { access_token } = await provers.tokens()
    const authorization = `Bearer ${access_token}`
    expect(await challengeOf(provers.send(userinfoUrl, { headers: { authorization } }))).toEqual(
      challenged('invalid_token'),
    )
    expect(await challengeOf(provers.askUserinfo(access_token, {}, { authorization }))).toEqual(
      challenged('invalid_token'),
    )
  })

  it('rejects a bound token in the query', async () => {
    const { access_token } = await provers.tokens()
    const answer = provers.send(`${userinfoUrl}?access_token=${access_token}`)
    expect(await challengeOf(answer)).toEqual(challenged('invalid_token'))
  })

  it('rejects a bound token in the form, where profile oidc takes bearer tokens', async () => {
    const { access_token } = await provers.tokens('classic')
    expect(await challengeOf(provers.post('/userinfo', { access_token }, {}))).toEqual(challenged('invalid_token'))
  })

  it('rejects a bearer token that is sent with the scheme DPoP', async () => {
    const { access_token } = await (await provers.exchange(undefined)).json()
    expect(await challengeOf(provers.askUserinfo(access_token))).toEqual(challenged('invalid_token'))
  })

  it('challenges with both schemes and no error code when token and proof are missing (§7.2)', async () => {
    const answer = provers.send(userinfoUrl, { headers: { authorization: 'DPoP x' } })
    expect(await challengeOf(answer)).toBe(`401 Bearer, DPoP ${algs}`)
  })

  it('rejects a token that expired or was revoked', async () => {
    const { access_token, refresh_token } = await provers.tokens()
    await provers.revoke({ token: refresh_token }, basicAuth('plain', secret))
    expect(await challengeOf(provers.askUserinfo(access_token))).toEqual(challenged('invalid_token'))
    expect(await challengeOf(provers.askUserinfo('x'))).toEqual(challenged('invalid_token'))
  })
})

describe('x-fapi-interaction-id (FAPI 2.0)', () => {
  const id = 'c770aef3-6784-41f7-8e0e-ff5f97bddb3a'

  it('returns as it was sent, with answers and refusals', async () => {
    const { access_token } = await provers.tokens()
    const answers = [
      await provers.askUserinfo(access_token, {}, { 'x-fapi-interaction-id': id }),
      await provers.send(userinfoUrl, { headers: { 'x-fapi-interaction-id': id } }),
      await provers.post('/oauth2/token', {}, { 'x-fapi-interaction-id': id }),
    ]
    expect(answers.map(({ headers }) => headers.get('x-fapi-interaction-id'))).toEqual([id, id, id])
  })

  it.each(['', 'x'.repeat(129), 'a b', '<b>', 'a,b', 'é'])('does not return %.20j', async (wrong) => {
    const { headers } = await provers.send(userinfoUrl, { headers: { 'x-fapi-interaction-id': wrong } })
    expect(headers.has('x-fapi-interaction-id')).toBe(false)
  })
})
