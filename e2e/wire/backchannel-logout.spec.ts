import { createLocalJWKSet, decodeJwt, type JWTPayload, jwtVerify, type ProtectedHeaderParameters } from 'jose'
import type { Client } from './client.ts'
import { type Arrived, bye, endOf, leavingApp, openReceiver, type Receiver, signedIn } from './logout.ts'
import { expect, type Provider, people, test } from './provider.ts'
import { readIdToken, tokensOf } from './tokens.ts'
import { openAgent } from './user-agent.ts'

let receiver: Receiver
test.beforeAll(async ({ provider }) => {
  receiver = await openReceiver(provider.certificate)
})
test.afterAll(() => receiver.close())

/** Registers an app that receives logout tokens at a path of the receiver. */
const listeningApp = (provider: Provider, path: string, changes = {}) =>
  leavingApp(provider, { backchannel_logout_uri: receiver.urlOf(path), ...changes })

const tokenIn = (arrived: Arrived | undefined) => arrived?.body.get('logout_token') ?? ''

/** Verifies a logout token as an app does (§2.6): by the keys, the issuer, the audience and the times of ID tokens. */
async function verify(provider: Provider, client: Client, arrived: Arrived | undefined) {
  const keys = createLocalJWKSet((await provider.send(provider.discovery.jwks_uri)).json())
  const expected = { issuer: provider.issuer, audience: client.id, typ: 'logout+jwt', maxTokenAge: 120 }
  const { payload, protectedHeader } = await jwtVerify(tokenIn(arrived), keys, expected)
  return { claims: payload, header: protectedHeader }
}

test.describe('OpenID Connect Back-Channel Logout 1.0 §2.1 Indicating OP Support', () => {
  test('lists backchannel_logout_supported and backchannel_logout_session_supported as true', ({ provider }) => {
    const { backchannel_logout_supported, backchannel_logout_session_supported } = provider.discovery
    expect([backchannel_logout_supported, backchannel_logout_session_supported]).toEqual([true, true])
  })

  // "sid … Different sid values are used to identify distinct sessions at an OP."; "Its syntax is the same as an OAuth 2.0
  // Client Identifier."; "If supported, the sid Claim is also included in ID Tokens issued by the OP."
  test('includes in ID tokens a sid of each session', async ({ provider }) => {
    const client = await leavingApp(provider)
    const [one, other] = [await signedIn(provider, client), await signedIn(provider, client)]
    const sidOf = async (token: string) => (await readIdToken(provider, client, token)).claims.sid
    const sid = await sidOf(one.hint)
    expect(sid).toMatch(/^[\x20-\x7e]+$/)
    expect(await sidOf((await tokensOf(one.agent, client)).id_token)).toBe(sid)
    expect(await sidOf(other.hint)).not.toBe(sid)
  })
})

test.describe('OpenID Connect Back-Channel Logout 1.0 §2.2 Indicating RP Support', () => {
  // "backchannel_logout_uri … MUST be an absolute URI …; MUST NOT include a fragment component"; it "SHOULD use https"
  test('registers no address that is relative, has a fragment, or has no https', async ({ provider }) => {
    for (const backchannel_logout_uri of ['/logout', 'https://app.example/out#x', 'http://app.example/out'])
      await expect(leavingApp(provider, { backchannel_logout_uri })).rejects.toThrow('backchannel_logout_uri')
  })
})

test.describe('OpenID Connect Back-Channel Logout 1.0 §2.3 Remembering Logged-In RPs', () => {
  // "OPs supporting back-channel logout need to keep track of the set of logged-in RPs so that they know what RPs to contact
  // at their back-channel logout URIs to cause them to log out."; RP-Initiated Logout 1.0 §2: "The RP initiating the logout
  // is to be included in these notifications"
  test('notifies every app of the session, the initiating one too, and no app of another session', async ({
    provider,
  }) => {
    const [first, second, other] = [
      await listeningApp(provider, '/first'),
      await listeningApp(provider, '/second'),
      await listeningApp(provider, '/other'),
    ]
    await listeningApp(provider, '/unused')
    const elsewhere = await signedIn(provider, other)
    const { agent, hint, leave } = await signedIn(provider, first)
    await tokensOf(agent, second)
    expect(endOf(await leave({ id_token_hint: hint, post_logout_redirect_uri: bye }))).toBe(bye)
    const arrived = [...(await receiver.received('/first')), ...(await receiver.received('/second'))]
    expect(arrived.map((one) => decodeJwt(tokenIn(one)).aud)).toEqual([first.id, second.id])
    expect([...receiver.at('/other'), ...receiver.at('/unused')]).toEqual([])
    expect(await elsewhere.silent()).toBeUndefined()
  })

  test('notifies the apps when the person signs out without an app', async ({ provider }) => {
    const client = await listeningApp(provider, '/account-host')
    const { agent, confirm } = await signedIn(provider, client)
    expect(endOf(await confirm(await agent.open('/logout')))).toBe('signed out')
    const { claims } = await verify(provider, client, (await receiver.received('/account-host'))[0])
    expect(claims.sid).toBeTruthy()
  })
})

test.describe('OpenID Connect Back-Channel Logout 1.0 §2.4 Logout Token', () => {
  let client: Client
  let arrived: Arrived | undefined
  let claims: JWTPayload
  let header: ProtectedHeaderParameters
  let idToken: JWTPayload
  test.beforeAll(async ({ provider }) => {
    client = await listeningApp(provider, '/token')
    const { hint, leave } = await signedIn(provider, client, openAgent(provider, { person: people.bob }))
    idToken = (await readIdToken(provider, client, hint)).claims
    await leave({ id_token_hint: hint, post_logout_redirect_uri: bye })
    arrived = (await receiver.received('/token'))[0]
    const logout = await verify(provider, client, arrived)
    claims = logout.claims
    header = logout.header
  })

  // "iss REQUIRED", "aud REQUIRED", "iat REQUIRED", "exp REQUIRED", "jti REQUIRED"
  test('has iss, aud, iat, exp and jti', ({ provider }) => {
    expect(claims).toMatchObject({ iss: provider.issuer, aud: client.id, jti: expect.stringMatching(/.{16,}/) })
    expect([typeof claims.iat, typeof claims.exp]).toEqual(['number', 'number'])
  })

  // "OPs are encouraged to use short expiration times in Logout Tokens, preferably at most two minutes in the future" (§4)
  test('expires at most two minutes after it was issued', () => {
    expect(Number(claims.exp) - Number(claims.iat)).toBeLessThanOrEqual(120)
    expect(Number(claims.exp)).toBeGreaterThan(Number(claims.iat))
  })

  // "A Logout Token MUST contain either a sub or a sid Claim, and MAY contain both."
  test('has the sub and the sid of the ID token', () => {
    expect([claims.sub, claims.sid]).toEqual([idToken.sub, idToken.sid])
  })

  // "events REQUIRED. Claim whose value is a JSON object containing the member name
  // http://schemas.openid.net/event/backchannel-logout. … The corresponding member value MUST be a JSON object and SHOULD be
  // the empty JSON object {}."
  test('has events with the empty object for the logout event', () => {
    expect(claims.events).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} })
  })

  // "nonce PROHIBITED. A nonce Claim MUST NOT be present."
  test('has no nonce', () => {
    expect(idToken.nonce).toBe('the nonce')
    expect(claims).not.toHaveProperty('nonce')
  })

  // "A Logout Token MUST be signed …. The same keys are used to sign … Logout Tokens as are used for ID Tokens."; §2.6: alg
  // "none MUST NOT be used"; it "SHOULD … be RS256" or the registered algorithm
  test('is signed with the algorithm of the ID tokens of the app', async ({ provider }) => {
    expect(header.alg).toBe('RS256')
    const elliptic = await listeningApp(provider, '/es256', { id_token_signed_response_alg: 'ES256' })
    const { hint, leave } = await signedIn(provider, elliptic)
    await leave({ id_token_hint: hint })
    const logout = await verify(provider, elliptic, (await receiver.received('/es256'))[0])
    expect(logout.header.alg).toBe('ES256')
  })

  // §2.4, §4.1: "It is RECOMMENDED that Logout Tokens be explicitly typed … typ … logout+jwt"
  test('is typed logout+jwt, and is accepted neither as an ID token hint nor as an access token', async ({
    provider,
  }) => {
    expect(header.typ).toBe('logout+jwt')
    const { leave } = await signedIn(provider, client)
    const token = tokenIn(arrived)
    expect(endOf(await leave({ id_token_hint: token, post_logout_redirect_uri: bye }))).toBe('error 400')
    expect((await client.userinfo(token)).status).toBe(401)
  })

  // §2.5: "The OP uses an HTTP POST to the registered back-channel logout URI …. The POST body uses the
  // application/x-www-form-urlencoded encoding and must include a logout_token parameter"
  test('comes by POST over TLS as the only field of a form', () => {
    expect([arrived?.method, arrived?.path]).toEqual(['POST', '/token'])
    expect(arrived?.type).toMatch(/^application\/x-www-form-urlencoded/)
    expect([...(arrived?.body.keys() ?? [])]).toEqual(['logout_token'])
    expect(arrived?.protocol).toMatch(/^TLSv1\.[23]$/)
  })
})

test.describe('OpenID Connect Back-Channel Logout 1.0 §2.7 Back-Channel Logout Actions', () => {
  // "Refresh tokens issued with the offline_access property to a session being logged out normally SHOULD NOT be
  // revoked." In Postern, a stored consent has the effect of offline_access (decision 0037). All other grants end with
  // the session.
  test('keeps the refresh tokens of a stored consent, and ends codes that were not exchanged', async ({ provider }) => {
    const client = await leavingApp(provider)
    const { agent, tokens, hint, leave } = await signedIn(provider, client)
    const unused = await agent.authorize(client)
    await leave({ id_token_hint: hint })
    expect((await client.exchange(unused)).json().error).toBe('invalid_grant')
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200)
  })
})

test.describe('OpenID Connect Back-Channel Logout 1.0 §2.8 Back-Channel Logout Response', () => {
  /** Signs out at an app whose endpoint answers with a status; returns the app. */
  const leaveWith = async (provider: Provider, path: string, status: number) => {
    receiver.statuses.set(path, status)
    const client = await listeningApp(provider, path)
    const { hint, leave } = await signedIn(provider, client)
    await leave({ id_token_hint: hint })
    return client
  }

  // "If the logout succeeded, the RP MUST respond with HTTP 200 OK. However, note that some Web frameworks will substitute an
  // HTTP 204 No Content response …. Therefore, OPs should be prepared to also process an HTTP 204 No Content response as a
  // successful response."
  for (const status of [200, 204])
    test(`sends nothing more after ${status}`, async ({ provider }) => {
      const client = await leaveWith(provider, `/status-${status}`, status)
      await receiver.received(`/status-${status}`)
      await expect.poll(() => provider.database.prisma.logoutDelivery.count({ where: { appId: client.id } })).toBe(0)
    })

  // "If the logout request was invalid or the logout failed, the RP MUST respond with HTTP 400 Bad Request."
  test('sends a new token after 400 and after 503', async ({ provider }) => {
    const { logoutDelivery } = provider.database.prisma
    for (const status of [400, 503]) {
      const path = `/status-${status}`
      const client = await leaveWith(provider, path, status)
      await receiver.received(path)
      const waiting = { where: { appId: client.id, attempts: 1, nextAt: { gt: new Date() } } }
      await expect.poll(() => logoutDelivery.count(waiting)).toBe(1)
      receiver.statuses.set(path, 200)
      await logoutDelivery.updateMany({ where: { appId: client.id }, data: { nextAt: new Date(0) } })
      // Each logout starts every delivery that is due.
      await leaveWith(provider, `/after-${status}`, 200)
      const tokens = (await receiver.received(path, 2)).map((one) => decodeJwt(tokenIn(one)))
      expect(tokens[0]?.sid).toBe(tokens[1]?.sid)
      expect(tokens[0]?.jti).not.toBe(tokens[1]?.jti)
    }
  })
})
