import { createLocalJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { discovery } from '#lib/oauth/discovery/discovery'
import { answerToken } from '#lib/oauth/token/endpoint'
import { openContext } from '#lib/server/compose/context'
import { readConfig } from '#lib/server/settings/config'
import { shareLogouts } from '#lib/testing/oauth/share-logouts'
import { basicAuth, secret, testKey } from '#lib/testing/process/postern'

const { shared, signIn, end, arrivals } = shareLogouts('sqlite')

describe('a logout token', () => {
  let claims: JWTPayload
  let header: object
  let request: { contentType: string | undefined; body: string }
  let idToken: JWTPayload
  beforeAll(async () => {
    const session = await signIn(['one'])
    idToken = decodeJwt(session.tokens[0]?.id_token ?? '')
    await end(session.id)
    await arrivals(1)
    const [token = ''] = shared.receiver.tokens()
    const keys = createLocalJWKSet({ keys: await shared.postern.context.oauth.keys.published() })
    const verified = await jwtVerify(token, keys, { currentDate: shared.postern.clock.now })
    claims = verified.payload
    header = verified.protectedHeader
    request = shared.receiver.arrived[0] as typeof request
  })

  it('is typed explicitly: typ is logout+jwt (Back-Channel Logout 1.0 §2.4)', () => {
    expect(header).toMatchObject({ typ: 'logout+jwt' })
  })

  it('is signed with the algorithm of ID tokens, never none (§2.6 point 2)', () => {
    expect(header).toMatchObject({ alg: 'ES256' })
  })

  it('has iss, aud, iat, exp and jti (§2.4: REQUIRED)', () => {
    const { issuer } = shared.postern.context.config
    const [iat, exp, jti] = [expect.any(Number), expect.any(Number), expect.stringMatching(/^[\w-]{22}$/)]
    expect(claims).toMatchObject({ iss: issuer, aud: 'one', iat, exp, jti })
  })

  it('expires within two minutes (§2.4: "preferably at most two minutes in the future")', () => {
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(120)
  })

  it('has sub and sid of the ID token (§2.4: "MUST contain either a sub or a sid Claim, and MAY contain both")', () => {
    expect([claims.sub, claims.sid]).toEqual([idToken.sub, idToken.sid])
  })

  it('has events with an empty object for the logout event (§2.4)', () => {
    expect(claims.events).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} })
  })

  it('has no nonce (§2.4: "nonce ... MUST NOT be present") and nothing else', () => {
    expect(Object.keys(claims).sort()).toEqual(['aud', 'events', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub'])
  })

  it('comes by POST as the only form field logout_token (§2.5)', () => {
    expect(request.contentType).toBe('application/x-www-form-urlencoded')
    expect([...new URLSearchParams(request.body).keys()]).toEqual(['logout_token'])
  })

  it('is no ID token for id_token_hint and no access token for userinfo (§2.4: kinds must not be confused)', async () => {
    const { keys } = shared.postern.context.oauth
    const token = new URLSearchParams(request.body).get('logout_token') ?? ''
    expect([await keys.verifyHint(token), await keys.verify('at+jwt', token)]).toEqual([undefined, undefined])
    expect((await shared.postern.userinfo(token)).status).toBe(401)
  })
})

it.each([200, 204])('takes an answer with status %s as success (§2.8)', async (status) => {
  Object.assign(shared.receiver, { status })
  const { id } = await signIn(['one'])
  await end(id)
  await arrivals(1)
  await expect.poll(() => shared.postern.context.database.prisma.logoutDelivery.count()).toBe(0)
})

it('announces back-channel logout and sid in discovery (§2.1)', async () => {
  expect(await discovery(shared.postern.context.discovery).json()).toMatchObject({
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  })
})

it('keeps sid while SECRET_KEY rotates (§2.1: sid identifies the session)', async () => {
  const { tokens } = await signIn(['one'])
  const rotated = { SECRET_KEY: testKey.split('').reverse().join(''), SECRET_KEY_PREVIOUS: testKey }
  const context = await openContext(readConfig({ ...shared.postern.settings, ...rotated }))
  const form = { grant_type: 'refresh_token', refresh_token: tokens[0]?.refresh_token ?? '' }
  const headers = { ...basicAuth('one', secret), 'content-type': 'application/x-www-form-urlencoded' }
  const request = { method: 'POST', headers, body: new URLSearchParams(form) }
  const answer = await answerToken(context.oauth, new Request(`${context.config.issuer}/oauth2/token`, request))
  const { id_token } = (await answer.json()) as { id_token: string }
  await context.close()
  expect(decodeJwt(id_token).sid).toBe(decodeJwt(tokens[0]?.id_token ?? '').sid)
})
