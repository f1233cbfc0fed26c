import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerAuthorize } from '#lib/flow/authorize'
import { openProblem } from '#lib/http/problem-page'
import { type Asked, ask, asking, queryOf } from '#lib/testing/oauth/authorize'
import { acme, callback } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'

const ownQuery = 'https://acme.example/callback?own=1&two=a%20b'
const native = 'org.acme.app:/callback'
const [first] = acme.teams
const web = { ...first?.apps[0], redirect_uris: [callback, ownQuery] }
const spa = { ...first?.apps[2], redirect_uris: [native] }
const narrow = { ...web, client_id: 'acme-narrow', scopes: ['openid', 'name'], email: 'none' }
const provision = { teams: [{ id: 'acme', name: 'Acme', apps: [web, spa, narrow] }], people: [] }

const postern = sharePostern({ provision })

describe.each(['GET', 'POST'] as const)('by %s', (method) => {
  const said = async (asked: Asked) => {
    const { shown, returned, accepted } = await ask(postern.context, asked, method)
    return shown?.kind ?? returned?.error ?? (accepted && 'accepted')
  }

  it('redirects a valid request to the account host, sealed, by an uncached 303', async () => {
    const { response, address, accepted } = await ask(postern.context, { nonce: 'n' }, method)
    expect(`${response.status} ${address.origin}${address.pathname}`).toBe('303 http://localhost:3001/start')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect([...address.searchParams.keys()]).toEqual(['request'])
    expect(accepted).toMatchObject({
      clientId: 'acme-web',
      redirectUri: callback,
      responseMode: 'query',
      scopes: ['openid', 'name'],
      state: 'state',
      nonce: 'n',
      challenge: asking.code_challenge,
      prompt: [],
    })
  })

  it.each<[string, Asked, string]>([
    ['without client_id', { client_id: undefined }, 'unknown_client'],
    ['with an empty client_id', { client_id: '' }, 'unknown_client'],
    ['with an unknown client_id', { client_id: 'nobody' }, 'unknown_client'],
    ['with a client_id in another case', { client_id: 'ACME-WEB' }, 'unknown_client'],
    ['with a repeated client_id', `${queryOf({})}&client_id=acme-web`, 'unknown_client'],
    ['without redirect_uri', { redirect_uri: undefined }, 'bad_redirect_uri'],
    ['with an empty redirect_uri', { redirect_uri: '' }, 'bad_redirect_uri'],
    ['with a repeated redirect_uri', `${queryOf({})}&redirect_uri=${callback}`, 'bad_redirect_uri'],
    ['with two repeated parameters', `scope=a&scope=b&${queryOf({})}&redirect_uri=${callback}`, 'bad_redirect_uri'],
    ['with all repeated', `${queryOf({})}&${queryOf({})}`, 'unknown_client'],
    ['with nothing', '', 'unknown_client'],
    ['with NUL', `${queryOf({})}&unknown=%00`, 'bad_request'],
    ['with invalid UTF-8', `${queryOf({ state: undefined })}&state=%ff`, 'bad_request'],
    ['with broken encoding', `${queryOf({})}&x=%zz`, 'bad_request'],
  ])('shows %s to the person only', async (_, asked, kind) => {
    const { response, address, shown } = await ask(postern.context, asked, method)
    expect(`${response.status} ${address.origin}${address.pathname}`).toBe('303 http://localhost:3001/error')
    expect(shown).toEqual(kind === 'bad_redirect_uri' ? { kind, app: 'Acme Web' } : { kind })
  })

  it.each([
    ['a slash more', `${callback}/`],
    ['a host in capitals', 'https://ACME.example/callback'],
    ['a path in capitals', 'https://acme.example/Callback'],
    ['a query', `${callback}?a=1`],
    ['an empty query', `${callback}?`],
    ['its own query changed', `${ownQuery}&three=3`],
    ['a fragment', `${callback}#x`],
    ['its default port', 'https://acme.example:443/callback'],
    ['http', 'http://acme.example/callback'],
    ['a longer path', `${callback}.evil.example`],
    ['a longer host', 'https://acme.example.evil.example/callback'],
    ['another host behind a userinfo', 'https://acme.example@evil.example/callback'],
    ['a userinfo', 'https://user@acme.example/callback'],
    ['a path that climbs', 'https://acme.example/x/../callback'],
    ['an encoded letter', 'https://acme.example/%63allback'],
    ['a backslash', 'https://acme.example\\callback'],
    ['a blank before', ` ${callback}`],
    ['a line feed after', `${callback}\n`],
    ['the address of another app', native],
    ['script', 'javascript:alert(1)'],
    ['no scheme', '//acme.example/callback'],
  ])('never redirects to a URI with %s', async (_, redirect_uri) => {
    const { response, shown } = await ask(postern.context, { redirect_uri }, method)
    expect(shown?.kind).toBe('bad_redirect_uri')
    expect(response.headers.get('location')).not.toContain('example')
  })

  it.each<[string, Asked, string]>([
    ['a bad client before everything', 'client_id=x&redirect_uri=y&scope=a&scope=b&request=z', 'unknown_client'],
    ['a bad address before the rest', 'client_id=acme-web&redirect_uri=y&scope=a&scope=b', 'bad_redirect_uri'],
    ['broken encoding before a bad client', 'client_id=x&state=%ff', 'bad_request'],
    ['a repeated parameter before what is not supported', `${queryOf({ request: 'x' })}&state=2`, 'invalid_request'],
    ['what is not supported before what is missing', { request: 'x', state: undefined }, 'request_not_supported'],
    ['the response type before the scope', { response_type: 'token', scope: 'x' }, 'unsupported_response_type'],
    ['the scope before state and challenge', { scope: 'x', state: undefined, code_challenge: '' }, 'invalid_scope'],
  ])('%s', async (_, asked, expected) => {
    expect(await said(asked)).toBe(expected)
  })
})

it('shows the person that a form is not UTF-8', async () => {
  const { context } = postern
  const body = Buffer.concat([Buffer.from(queryOf({ state: undefined })), Buffer.from('&state=\xff', 'latin1')])
  const response = await answerAuthorize(context, new Request(`${context.config.issuer}/x`, { method: 'POST', body }))
  const { searchParams } = new URL(response.headers.get('location') ?? '')
  expect(openProblem(context, searchParams.get('e') ?? '')).toEqual({ kind: 'bad_request' })
})

it('redirects only to exactly the registered URIs', async () => {
  const registered = [callback, ownQuery]
  const near = fc
    .tuple(fc.constantFrom(...registered), fc.nat(60), fc.nat(3), fc.string({ maxLength: 4 }))
    .map(([uri, at, cut, added]) => uri.slice(0, at) + added + uri.slice(at + cut))
  await fc.assert(
    fc.asyncProperty(fc.oneof(near, fc.webUrl(), fc.string()), async (redirect_uri) => {
      const { shown, accepted } = await ask(postern.context, { redirect_uri })
      if (registered.includes(redirect_uri)) expect(accepted?.redirectUri).toBe(redirect_uri)
      else expect(['bad_redirect_uri', 'bad_request']).toContain(shown?.kind)
    }),
  )
})

describe('the error response', () => {
  it('adds error, error_description, state and iss to the query of the URI, by a 303', async () => {
    const { response, returned } = await ask(postern.context, { redirect_uri: ownQuery, scope: 'name' })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')?.startsWith(`${ownQuery}&error=invalid_scope&`)).toBe(true)
    expect(returned).toEqual({
      own: '1',
      two: 'a b',
      error: 'invalid_scope',
      error_description: 'The scope must include openid.',
      state: 'state',
      iss: 'http://localhost:3000',
    })
  })

  it('has no state when none was sent', async () => {
    const { returned } = await ask(postern.context, { state: undefined })
    expect(Object.keys(returned ?? {}).sort()).toEqual(['error', 'error_description', 'iss'])
  })

  it('has no state when state is repeated', async () => {
    const { returned } = await ask(postern.context, `scope=a&scope=b&state=other&${queryOf({})}`)
    expect(returned).toMatchObject({
      error: 'invalid_request',
      error_description: 'The parameter scope is repeated. Send it once.',
    })
    expect(returned).not.toHaveProperty('state')
  })

  it('reaches an app with a private-use scheme', async () => {
    const { response } = await ask(postern.context, { client_id: 'acme-spa', redirect_uri: native, prompt: 'x' })
    expect(response.headers.get('location')).toMatch(/^org\.acme\.app:\/callback\?error=invalid_request&/)
  })

  it('is not readable by other pages: the endpoint has no CORS', async () => {
    for (const asked of [{}, { scope: '' }, { client_id: 'x' }]) {
      const { response } = await ask(postern.context, asked)
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      expect(response.headers.getSetCookie()).toEqual([])
    }
  })
})

it('records a refused request in the app’s recent failures only, equal ones once', async () => {
  const { prisma } = postern.context.database
  const counts = () =>
    Promise.all([
      prisma.authorization.count(),
      prisma.session.count(),
      prisma.consent.count(),
      prisma.subject.count(),
      prisma.attempt.count(),
      prisma.usedAssertion.count(),
      prisma.revokedToken.count(),
      prisma.app.count(),
      prisma.lease.count(),
    ])
  const before = await counts()
  const failure = { appId: 'acme-narrow', code: 'invalid_scope' }
  for (const state of ['one', 'two', 'three']) {
    await ask(postern.context, { state })
    await ask(postern.context, { state, client_id: `unknown-${state}` })
    await ask(postern.context, { state, redirect_uri: `https://evil.example/${state}` })
    await ask(postern.context, { state, client_id: 'acme-narrow', scope: 'openid email' })
  }
  await expect.poll(() => prisma.failure.findMany({ where: failure })).toMatchObject([{ count: 3 }])
  expect(await counts()).toEqual(before)
  expect(await prisma.failure.count({ where: { endpoint: 'authorize', reason: { contains: 'evil' } } })).toBe(0)
})
