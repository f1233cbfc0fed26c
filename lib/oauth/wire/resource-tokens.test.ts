import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { toRecord } from '#lib/db/oauth/consent-store'
import { consentMark } from '#lib/oauth/consent/consent'
import type { Arrival } from '#lib/testing/browser/browser'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { kinds } from '#lib/testing/databases/databases'
import { apiProvision, askingForApi, classic, encode, foreign, orders, type Sent, stock } from '#lib/testing/oauth/apis'
import { asOther } from '#lib/testing/oauth/get-tokens'
import { refusal } from '#lib/testing/oauth/tokens'
import { basicAuth, callback, secret, verifier } from '#lib/testing/process/postern'

describe.each(kinds)('RFC 8707 on %s', (kind) => {
  const start = shareFlow({ kind, provision: apiProvision })
  const everything = ['openid', 'name', 'orders.read', 'orders.write', 'stock.read', 'classic.read']

  /** Signs a person in for a request, and returns the requests that the app can send then. */
  async function signIn(changed: Sent = {}, ticked = everything) {
    const flow = await start()
    const id = String(changed.client_id ?? 'acme-web')
    const headers = basicAuth(id, secret)
    const consent = await flow.browser.signIn(await flow.browser.authorize(encode({ ...askingForApi, ...changed })))
    expect(placeOf(consent)).toBe('/consent')
    const arrival = await flow.browser.decide(consent, { scope: ticked })
    const send = (form: Sent) => flow.token(encode(form), headers)
    const exchange = (beside: Sent = {}) =>
      send({
        grant_type: 'authorization_code',
        code: arrival.parameters.code,
        redirect_uri: callback,
        code_verifier: verifier,
        ...beside,
      })
    const refresh = (refresh_token: string, beside: Sent = {}) =>
      send({ grant_type: 'refresh_token', refresh_token, ...beside })
    const inspect = async (token: string, by = headers) => (await flow.introspect({ token }, by)).json()
    return { ...flow, arrival, exchange, refresh, inspect, tokensFor: async (s: Sent) => (await exchange(s)).json() }
  }

  describe('a token for an API (§2.2)', () => {
    it('has the API as its only audience, and only the granted scopes of the API', async () => {
      const { tokensFor } = await signIn()
      const { access_token, id_token, scope, refresh_token } = await tokensFor({ resource: orders })
      expect(decodeProtectedHeader(access_token)).toMatchObject({ typ: 'at+jwt', alg: 'ES256' })
      expect(decodeJwt(access_token)).toMatchObject({ aud: orders, scope: 'orders.read orders.write', acr: 'aal1' })
      expect([scope, typeof refresh_token]).toEqual(['orders.read orders.write', 'string'])
      expect(decodeJwt(id_token).aud).toBe('acme-web')
    })

    it('never opens userinfo (RFC 9068 §4: the audience must match)', async () => {
      const { tokensFor, userinfo } = await signIn()
      const answer = await userinfo((await tokensFor({ resource: orders })).access_token)
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringContaining('error="invalid_token"'),
      ])
    })

    it('is active for apps of the team with the API as audience, and for no other team (RFC 7662 §2.2)', async () => {
      const { tokensFor, inspect } = await signIn()
      const { access_token } = await tokensFor({ resource: orders })
      const { aud, scope, sub, client_id } = await inspect(access_token)
      expect({ aud, scope, sub, client_id }).toEqual({
        aud: orders,
        scope: 'orders.read orders.write',
        sub: decodeJwt(access_token).sub,
        client_id: 'acme-web',
      })
      expect(await inspect(access_token, basicAuth('acme-oidc', secret))).toMatchObject({ active: true, aud: orders })
      expect(await inspect(access_token, asOther)).toEqual({ active: false })
    })

    it('comes from a refresh token whose introspection lists the granted scopes of the API too (RFC 7662 §2.2)', async () => {
      const { tokensFor, inspect, prisma } = await signIn({}, ['openid', 'name', 'orders.read'])
      const { refresh_token } = await tokensFor({ resource: orders })
      expect((await inspect(refresh_token)).scope).toBe('openid name orders.read')
      const row = await prisma.api.delete({ where: { identifier: orders } })
      expect((await inspect(refresh_token)).scope).toBe('openid name')
      await prisma.api.create({ data: row })
    })

    it('can be revoked (RFC 7009 §2.1)', async () => {
      const { tokensFor, inspect, revoke } = await signIn()
      const { access_token } = await tokensFor({ resource: orders })
      expect((await revoke({ token: access_token })).status).toBe(200)
      expect(await inspect(access_token)).toEqual({ active: false })
    })

    it('is signed with the algorithm of the API, if the app’s profile has it', async () => {
      const { tokensFor, inspect } = await signIn({
        client_id: 'acme-oidc',
        resource: classic,
        scope: 'openid classic.read',
      })
      const { access_token } = await tokensFor({ resource: classic })
      expect(decodeProtectedHeader(access_token)).toMatchObject({ typ: 'at+jwt', alg: 'RS256' })
      expect(await inspect(access_token, basicAuth('acme-oidc', secret))).toMatchObject({ active: true, aud: classic })
    })
  })

  describe('without resource at the token endpoint', () => {
    it('a token is for userinfo, without the scopes of APIs, as if the request had named no API', async () => {
      const { tokensFor, userinfo, context } = await signIn()
      const { access_token, scope } = await tokensFor({})
      expect(decodeJwt(access_token)).toMatchObject({ aud: context.config.issuer, scope: 'openid name' })
      expect([scope, (await userinfo(access_token)).status]).toEqual(['openid name', 200])
    })
  })

  describe('several APIs in one request (§2.1)', () => {
    const both = { resource: [orders, stock], scope: 'openid orders.read stock.read' }

    it('are granted together, and a refresh gets a token for each of them (§2.2)', async () => {
      const { tokensFor, refresh } = await signIn(both)
      const { refresh_token } = await tokensFor({ resource: orders })
      const next = await (await refresh(refresh_token, { resource: stock })).json()
      expect(decodeJwt(next.access_token)).toMatchObject({ aud: stock, scope: 'stock.read' })
      const last = await (await refresh(next.refresh_token)).json()
      expect(decodeJwt(last.access_token)).toMatchObject({ scope: 'openid' })
    })

    it('do not share a token: one audience each (§3)', async () => {
      const { exchange, tokensFor, refresh } = await signIn(both)
      expect(await refusal(exchange({ resource: [orders, stock] }))).toBe('400 invalid_target')
      const { refresh_token } = await tokensFor({ resource: orders })
      expect(await refusal(refresh(refresh_token, { resource: [orders, stock] }))).toBe('400 invalid_target')
    })

    it('count once when one is repeated', async () => {
      const { tokensFor } = await signIn({ resource: [orders, orders], scope: 'openid orders.read' })
      expect(decodeJwt((await tokensFor({ resource: [orders, orders] })).access_token).aud).toBe(orders)
    })
  })

  describe('a refresh (§2.2)', () => {
    it('cannot name an API that was not granted, and the refused request changes nothing', async () => {
      const { tokensFor, refresh } = await signIn()
      const { refresh_token } = await tokensFor({})
      for (const resource of [stock, foreign, `${orders}/`, `${orders}#x`, 'orders', 'x'.repeat(20_000)])
        expect(await refusal(refresh(refresh_token, { resource }))).toBe('400 invalid_target')
      expect((await refresh(refresh_token, { resource: orders })).status).toBe(200)
    })

    it('can narrow the scopes of the API, never widen them (RFC 6749 §6)', async () => {
      const { tokensFor, refresh } = await signIn({}, ['openid', 'name', 'orders.read'])
      const { refresh_token, scope } = await tokensFor({ resource: orders })
      expect(scope).toBe('orders.read')
      for (const wider of ['orders.write', 'orders.read orders.write', 'orders.read foreign.read', 'openid'])
        expect(await refusal(refresh(refresh_token, { resource: orders, scope: wider }))).toBe('400 invalid_scope')
      const narrowed = await (await refresh(refresh_token, { resource: orders, scope: 'openid orders.read' })).json()
      expect(narrowed.scope).toBe('orders.read')
    })

    it('of eight at once gets the same successor for all', async () => {
      const { tokensFor, refresh } = await signIn()
      const { refresh_token } = await tokensFor({})
      const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refresh_token, { resource: orders })))
      const bodies = await Promise.all(answers.map((answer) => answer.json()))
      expect(new Set(bodies.map((body) => body.refresh_token)).size).toBe(1)
      expect(new Set(bodies.map((body) => decodeJwt(body.access_token).aud))).toEqual(new Set([orders]))
    })
  })

  describe('a code exchange', () => {
    it('refuses an API that the authorization request did not name, and does not spend the code', async () => {
      const { exchange } = await signIn({ resource: undefined, scope: 'openid name orders.read' })
      expect(await refusal(exchange({ resource: orders }))).toBe('400 invalid_target')
      const answer = await exchange()
      expect([answer.status, (await answer.json()).scope]).toEqual([200, 'openid name'])
    })

    it('refuses an API of which the person declined every scope', async () => {
      const { exchange, tokensFor } = await signIn({}, ['openid', 'name'])
      expect(await refusal(exchange({ resource: orders }))).toBe('400 invalid_target')
      expect((await tokensFor({})).scope).toBe('openid name')
    })
  })

  describe('the consent', () => {
    it('holds the scopes of the API like other scopes: the next request asks only for new ones', async () => {
      const { browser, arrival, prisma } = await signIn({ scope: 'openid name orders.read' })
      expect(arrival.parameters.code).toBeDefined()
      expect((await prisma.consent.findFirstOrThrow()).granted).toBe('openid name orders.read')
      const silent = (scope: string) => browser.authorize(encode({ ...askingForApi, prompt: 'none', scope }))
      expect((await silent('openid name orders.read')).parameters.code).toBeDefined()
      expect((await silent('openid orders.write')).parameters.error).toBe('consent_required')
    })

    it('can be narrowed on the page of the app, which ends the tokens at once', async () => {
      const { browser, tokensFor, inspect, personId, prisma } = await signIn()
      const { access_token } = await tokensFor({ resource: orders })
      const shown = consentMark(toRecord(await prisma.consent.findFirstOrThrow()))
      const session = await browser.shownSession()
      await browser.post('/account/sharing/change', {
        app: 'acme-web',
        session,
        shown,
        scope: ['openid', 'name', 'orders.read'],
      })
      const { granted, declined } = await prisma.consent.findFirstOrThrow({
        where: { personId: await personId('ada') },
      })
      expect([granted, declined]).toEqual(['openid name orders.read', 'orders.write'])
      expect(await inspect(access_token)).toEqual({ active: false })
    })
  })

  describe('an API that is removed', () => {
    it('ends its tokens and refuses new ones', async () => {
      const { tokensFor, inspect, refresh, prisma } = await signIn({ resource: stock, scope: 'openid stock.read' })
      const { access_token, refresh_token } = await tokensFor({ resource: stock })
      const row = await prisma.api.delete({ where: { identifier: stock } })
      expect(await inspect(access_token)).toEqual({ active: false })
      expect(await refusal(refresh(refresh_token, { resource: stock }))).toBe('400 invalid_target')
      await prisma.api.create({ data: row })
    })

    it('during a request ends the request with access_denied', async () => {
      const { browser, prisma } = await start()
      const request = encode({ ...askingForApi, resource: stock, scope: 'openid stock.read' })
      const consent = await browser.signIn(await browser.authorize(request))
      const row = await prisma.api.delete({ where: { identifier: stock } })
      const ended: Arrival = await browser.decide(consent, { scope: ['openid', 'stock.read'] })
      await prisma.api.create({ data: row })
      expect(ended.parameters).toMatchObject({ error: 'access_denied', state: 'state' })
    })
  })
})
