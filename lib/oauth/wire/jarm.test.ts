import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { discovery } from '#lib/oauth/discovery/discovery'
import { answerJwks } from '#lib/oauth/discovery/jwks'
import type { Arrival } from '#lib/testing/browser/browser'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import type { Asked } from '#lib/testing/oauth/authorize'
import { asking } from '#lib/testing/oauth/authorize'
import { requestSigner, signingProvision } from '#lib/testing/oauth/request-objects'
import { basicAuth, callback, type Postern, secret, verifier } from '#lib/testing/process/postern'

const setUp = shareFlow({ provision: signingProvision })
type Flow = Awaited<ReturnType<typeof setUp>>
const asOidc = basicAuth('oidc-app', secret)
const asked = (changed: Record<string, string | undefined> = {}): Asked => ({
  client_id: 'oidc-app',
  response_mode: 'jwt',
  ...changed,
})

/** Verifies a response as an app does (JARM §2.4): signature by the JWKS, issuer, audience and expiry. */
async function read(
  { context, clock }: Pick<Postern, 'context' | 'clock'>,
  response: string | undefined,
  { audience = 'oidc-app', alg = 'RS256' } = {},
) {
  const keys = createLocalJWKSet(await (await answerJwks(context.oauth)).json())
  const checks = { issuer: context.config.issuer, audience, currentDate: clock.now, algorithms: [alg] }
  return (await jwtVerify(response ?? '', keys, checks)).payload
}

/** Returns the parameters that a self-posting page posts. */
async function posted({ response }: Arrival): Promise<Record<string, string>> {
  const html = await response.text()
  expect(html).toContain(`action="${callback}"`)
  return Object.fromEntries([...html.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]))
}

const approve = async ({ browser }: Flow, changed: Record<string, string> = {}) =>
  browser.decide(await browser.signIn(await browser.authorize(asked(changed))))

describe.each(['jwt', 'query.jwt'])('response_mode %s (JARM §2.3.1, §2.3.4)', (response_mode) => {
  it('redirects with one parameter, a JWT with code, state, iss, aud and a short exp', async () => {
    const flow = await setUp()
    const state = 'a "state" & 🔑'
    const { url, parameters } = await approve(flow, { response_mode, state })
    expect([url.origin + url.pathname, Object.keys(parameters)]).toEqual([callback, ['response']])
    const claims = await read(flow, parameters.response)
    expect(Object.keys(claims).sort()).toEqual(['aud', 'code', 'exp', 'iss', 'state'])
    expect(claims.state).toBe(state)
    const seconds = (claims.exp ?? 0) - flow.clock.now.getTime() / 1000
    expect(seconds > 0 && seconds <= 600).toBe(true)
    expect(decodeProtectedHeader(parameters.response ?? '')).toMatchObject({ alg: 'RS256', kid: expect.any(String) })
    const form = { grant_type: 'authorization_code', code: String(claims.code), redirect_uri: callback }
    expect((await flow.token({ ...form, code_verifier: verifier }, asOidc)).status).toBe(200)
  })
})

describe('response_mode form_post.jwt (JARM §2.3.3)', () => {
  it('posts one parameter, the JWT', async () => {
    const flow = await setUp()
    const page = await approve(flow, { response_mode: 'form_post.jwt' })
    expect(placeOf(page)).toBe('/return')
    const fields = await posted(page)
    expect(Object.keys(fields)).toEqual(['response'])
    expect(await read(flow, fields.response)).toMatchObject({ code: expect.any(String), state: 'state' })
  })
})

describe('an error (JARM §2.1.1)', () => {
  const errors: [string, Record<string, string | undefined>][] = [
    ['login_required', { prompt: 'none' }],
    ['invalid_scope', { scope: 'name' }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
  ]
  it.each(errors)('%s is in the JWT, and nothing outside', async (error, changed) => {
    const flow = await setUp()
    const { parameters } = await flow.browser.authorize(asked(changed))
    expect(Object.keys(parameters)).toEqual(['response'])
    const claims = await read(flow, parameters.response)
    expect(claims).toMatchObject({ error, error_description: expect.any(String), state: 'state' })
  })

  it('is posted with form_post.jwt', async () => {
    const flow = await setUp()
    const page = await flow.browser.authorize(asked({ response_mode: 'form_post.jwt', prompt: 'none' }))
    const { response } = await posted(page)
    expect(await read(flow, response)).toMatchObject({ error: 'login_required', state: 'state' })
  })

  it('has no state if none was sent', async () => {
    const flow = await setUp()
    const { parameters } = await flow.browser.authorize(asked({ state: undefined, prompt: 'none' }))
    expect(Object.keys(await read(flow, parameters.response)).sort()).toEqual([
      'aud',
      'error',
      'error_description',
      'exp',
      'iss',
    ])
  })

  it('access_denied answers a person who cancels', async () => {
    const flow = await setUp()
    const { request } = (await flow.browser.authorize(asked())).parameters
    const { parameters } = await flow.browser.post('/signin/submit', { request, action: 'cancel' })
    expect(await read(flow, parameters.response)).toMatchObject({ error: 'access_denied', state: 'state' })
  })

  it('is signed when the link of an error page is opened, so that it is not expired', async () => {
    const flow = await setUp()
    const { request } = (await flow.browser.authorize(asked())).parameters
    flow.later(3700)
    const back = (await flow.browser.problemOn(await flow.browser.visit(`/continue?request=${request}`)))?.back ?? ''
    flow.later(3700)
    const { parameters } = await flow.browser.visit(back)
    expect(await read(flow, parameters.response)).toMatchObject({ error: 'access_denied' })
  })

  it('that refuses a request object is in a JWT if the object asks for one', async () => {
    const flow = await setUp()
    const object = await requestSigner(flow).sign('oidc-app', { response_mode: 'jwt', aud: 'x' })
    const { parameters } = await flow.browser.authorize(`client_id=oidc-app&request=${object}`)
    expect(await read(flow, parameters.response)).toMatchObject({ error: 'invalid_request_object', state: 'state' })
  })
})

describe('authorization_signed_response_alg (JARM §3)', () => {
  const algs = [
    ['oidc-app', 'RS256'],
    ['oidc-es256', 'ES256'],
    ['bank-app', 'ES256'],
  ] as const
  it.each(algs)('signs the errors of %s with %s', async (client_id, alg) => {
    const flow = await setUp()
    for (const response_mode of ['jwt', 'form_post.jwt']) {
      const page = await flow.browser.authorize(asked({ client_id, response_mode, response_type: 'token' }))
      const { response } = response_mode === 'jwt' ? page.parameters : await posted(page)
      const claims = await read(flow, response, { audience: client_id, alg })
      expect(claims).toMatchObject({ error: expect.any(String), state: 'state' })
    }
  })

  it('signs a code with the registered algorithm', async () => {
    const flow = await setUp()
    const { parameters } = await approve(flow, { client_id: 'oidc-es256' })
    const claims = await read(flow, parameters.response, { audience: 'oidc-es256', alg: 'ES256' })
    expect(claims).toMatchObject({ code: expect.any(String), state: 'state' })
  })
})

describe('a state of 4,096 characters', () => {
  const state = 's'.repeat(4095).concat('é')

  it.each(['jwt', 'form_post.jwt'])('is returned with %s', async (response_mode) => {
    const flow = await setUp()
    const page = await flow.browser.authorize(asked({ response_mode, state, prompt: 'none' }))
    const { response } = response_mode === 'jwt' ? page.parameters : await posted(page)
    expect((await read(flow, response)).state).toBe(state)
  })

  it('fits the link of an error page', async () => {
    const flow = await setUp()
    const { request } = (await flow.browser.authorize(asked({ state }))).parameters
    flow.later(3700)
    const back = (await flow.browser.problemOn(await flow.browser.visit(`/continue?request=${request}`)))?.back ?? ''
    expect((await read(flow, (await flow.browser.visit(back)).parameters.response)).state).toBe(state)
  })
})

describe('the modes', () => {
  it('are published with the algorithm (JARM §3)', async () => {
    const { context } = await setUp()
    const document = await discovery(context.discovery).json()
    expect(document.response_modes_supported).toEqual(['query', 'form_post', 'jwt', 'query.jwt', 'form_post.jwt'])
    expect(document.authorization_signing_alg_values_supported).toEqual(['RS256', 'ES256'])
    // Responses are not encrypted.
    expect(document).not.toHaveProperty('authorization_encryption_alg_values_supported')
  })

  it.each(['fragment.jwt', 'JWT', 'x'.repeat(3000)])('refuse %s in a plain answer', async (response_mode) => {
    const { browser } = await setUp()
    const { parameters } = await browser.authorize(asked({ response_mode }))
    expect(parameters).toMatchObject({ error: 'invalid_request', state: 'state' })
  })

  it('are not those of the profile standard', async () => {
    const { browser } = await setUp()
    for (const response_mode of ['jwt', 'query.jwt', 'form_post.jwt'])
      expect((await browser.authorize({ response_mode })).parameters).toMatchObject({ error: 'invalid_request' })
  })

  it('can be pushed', async () => {
    const flow = await setUp()
    const pushed = await flow.push({ ...asking, client_id: 'oidc-app', response_mode: 'jwt', prompt: 'none' }, asOidc)
    const { request_uri } = await pushed.json()
    const { parameters } = await flow.browser.authorize(`client_id=oidc-app&request_uri=${request_uri}`)
    expect(await read(flow, parameters.response)).toMatchObject({ error: 'login_required' })
  })
})

describe('a signed response is nothing else', () => {
  it('neither an access token, nor a refresh token, nor an ID token hint', async () => {
    const flow = await setUp()
    const { parameters } = await approve(flow)
    const jwt = parameters.response ?? ''
    expect(decodeJwt(jwt)).not.toHaveProperty('sub')
    expect((await flow.userinfo(jwt)).status).toBe(401)
    expect(await (await flow.introspect({ token: jwt }, asOidc)).json()).toEqual({ active: false })
    expect((await flow.token({ grant_type: 'refresh_token', refresh_token: jwt }, asOidc)).status).toBe(400)
    const hinted = await flow.browser.authorize(asked({ response_mode: undefined, id_token_hint: jwt }))
    expect(hinted.parameters).toMatchObject({ error: 'invalid_request' })
  })

  it('is small on its way: the sealed answer holds no other part of the request', async () => {
    const { browser } = await setUp()
    const large = {
      response_mode: 'form_post.jwt',
      nonce: 'n'.repeat(512),
      login_hint: 'h'.repeat(200),
      prompt: 'none',
    }
    const sealed = (await browser.authorize(asked(large))).parameters.r ?? ''
    expect(sealed.length).toBeLessThan(900)
  })
})
