import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openContext } from '#lib/server/compose/context'
import { readConfig } from '#lib/server/settings/config'
import { flowProvision } from '#lib/testing/browser/flow'
import { openRobot } from '#lib/testing/browser/robot'
import { assertionForm, makeAssertionKey } from '#lib/testing/oauth/assertions'
import { ask, asking } from '#lib/testing/oauth/authorize'
import { asBrowser } from '#lib/testing/oauth/get-tokens'
import { basicAuth, callback, openPostern, secret } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'

const [first, ...others] = flowProvision.teams
const pusher = {
  ...first?.apps[0],
  client_id: 'acme-pusher',
  require_pushed_authorization_requests: true,
}
const fapi = {
  ...first?.apps[0],
  client_id: 'acme-fapi',
  client_secret: undefined,
  kind: 'assertion',
  profile: 'fapi2',
  jwks: { keys: [(await makeAssertionKey('key-1')).publicJwk] },
}
const provision = {
  ...flowProvision,
  teams: [{ ...first, apps: [...(first?.apps ?? []), pusher, fapi] }, ...others],
}

const postern = sharePostern({ provision })
const prisma = () => postern.context.database.prisma

const { client_id: _, ...parameters } = asking
type Changed = Record<string, string | undefined>

/** Pushes the request of the tests with these changes. */
const push = (changed: Changed = {}, headers?: Record<string, string>) =>
  postern.push({ ...parameters, ...changed }, headers)

async function pushed(changed: Changed = {}, headers?: Record<string, string>): Promise<string> {
  const answer = await push(changed, headers)
  expect(answer.status).toBe(201)
  return (await answer.json()).request_uri
}

const refused = async (answer: Response | Promise<Response>) => {
  const { status } = await answer
  return `${status} ${(await (await answer).json()).error}`
}

/** Opens a request_uri as a browser does, with client_id and without the pushed parameters. */
const open = (request_uri: string | undefined, beside: Changed = {}) => {
  const given = Object.entries({ client_id: 'acme-web', request_uri, ...beside })
  return ask(postern.context, new URLSearchParams(given as [string, string][]).toString())
}

describe('the answer to a push (RFC 9126 §2.2)', () => {
  it('is 201 with the request_uri and the seconds it can be used, and is not cached', async () => {
    const answer = await push()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([201, 'application/json'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const body = await answer.json()
    expect(Object.keys(body)).toEqual(['request_uri', 'expires_in'])
    expect(body.expires_in >= 60 && body.expires_in <= 90).toBe(true)
  })

  it('has a request_uri with 256 random bits, new for each push (RFC 9126 §2.2, §7.1)', async () => {
    const [one, two] = [await pushed(), await pushed()]
    expect(one).toMatch(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/)
    expect(two).not.toBe(one)
  })

  it('keeps neither the request_uri nor credentials in the database', async () => {
    const uri = await pushed({ unknown_parameter: 'x', grant_type: 'y' })
    const row = await prisma().pushedRequest.findFirstOrThrow({ orderBy: { expiresAt: 'desc' } })
    expect(JSON.stringify(row)).not.toContain(uri.slice(-43))
    expect(Object.keys(JSON.parse(row.parameters)).sort()).toEqual(Object.keys(asking).sort())
  })
})

describe('client authentication at the endpoint (RFC 9126 §2)', () => {
  it.each([
    ['a wrong secret', {}, basicAuth('acme-web', 'wrong'), '401 invalid_client'],
    ['no authentication of a confidential app', { client_id: 'acme-web' }, {}, '401 invalid_client'],
    ['an unknown app', { client_id: 'nobody' }, {}, '401 invalid_client'],
    ['another client_id beside Basic', { client_id: 'other-web' }, undefined, '401 invalid_client'],
    ['a public app that sends Basic', {}, basicAuth('acme-spa', 'x'), '401 invalid_client'],
  ])('refuses %s as the token endpoint does', async (_name, changed, headers, expected) => {
    expect(await refused(push(changed, headers))).toBe(expected)
  })

  it('accepts a public app without authentication', async () => {
    const uri = await pushed(asBrowser, {})
    expect((await open(uri, asBrowser)).accepted).toMatchObject({ clientId: 'acme-spa' })
  })

  it('accepts an assertion once', async () => {
    const robot = await openRobot()
    const assertion = await robot.sign()
    const send = () => robot.push({ ...parameters, ...assertionForm(assertion) }, {})
    const [one, two] = [await send(), await refused(send())]
    await robot.close()
    expect([one.status, two]).toEqual([201, '401 invalid_client'])
  })
})

describe('a push is checked as an authorization request is (RFC 9126 §2.1)', () => {
  it.each<[string, Changed | string, string]>([
    ['a request_uri inside (§2.1 step 2)', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 'invalid_request'],
    [
      'a request_uri of our own inside',
      { request_uri: `urn:ietf:params:oauth:request_uri:${'a'.repeat(43)}` },
      'invalid_request',
    ],
    ['no redirect_uri', { redirect_uri: undefined }, 'invalid_request'],
    ['an empty redirect_uri', { redirect_uri: '' }, 'invalid_request'],
    ['a redirect_uri that is not registered', { redirect_uri: 'https://evil.example/callback' }, 'invalid_request'],
    ['a redirect_uri with an added query', { redirect_uri: `${callback}?x=1` }, 'invalid_request'],
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge without method, which means plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['no state', { state: undefined }, 'invalid_request'],
    ['a scope without openid', { scope: 'name' }, 'invalid_scope'],
    ['an unknown response_mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['a repeated parameter', `${new URLSearchParams(parameters)}&scope=openid`, 'invalid_request'],
    ['more than 16 KiB', { login_hint: 'x'.repeat(17_000) }, 'invalid_request'],
    ['broken encoding', 'scope=%zz', 'invalid_request'],
  ])('refuses %s, and keeps nothing', async (_name, changed, expected) => {
    const before = await prisma().pushedRequest.count()
    const answer = typeof changed === 'string' ? postern.push(changed) : push(changed)
    expect(await refused(answer)).toBe(`400 ${expected}`)
    expect(await prisma().pushedRequest.count()).toBe(before)
  })

  it('refuses another content type', async () => {
    expect(await refused(push({}, { ...basicAuth('acme-web', secret), 'content-type': 'application/json' }))).toBe(
      '400 invalid_request',
    )
  })

  it('checks again when the browser comes, since the app may have changed (RFC 9126 §4)', async () => {
    const own = await openPostern({ provision })
    const uri = (await (await own.push({ ...parameters, scope: 'openid email' })).json()).request_uri
    await own.context.database.prisma.app.update({ where: { id: 'acme-web' }, data: { scopes: 'openid' } })
    // Another process, because a process caches registrations for a few seconds.
    const next = await openContext(readConfig(own.settings), { now: () => own.clock.now, random: randomBytes })
    const { accepted } = await ask(next, `client_id=acme-web&request_uri=${uri}`)
    await Promise.all([own.close(), next.close()])
    expect(accepted).toMatchObject({ scopes: ['openid'], state: 'state' })
  })
})

describe('an authorization request with a pushed request_uri (RFC 9126 §4)', () => {
  it('needs only client_id beside it, and has the pushed parameters', async () => {
    const uri = await pushed({ nonce: 'n', prompt: 'login', max_age: '7' })
    const { accepted } = await open(uri)
    expect(accepted).toMatchObject({ redirectUri: callback, state: 'state', nonce: 'n', prompt: ['login'], maxAge: 7 })
  })

  it('ignores every other parameter, repeated and wrong ones too; an outer state is not returned', async () => {
    const inner = await pushed({ prompt: 'none' })
    const beside = { state: 'outer', redirect_uri: 'https://evil.example/', scope: 'x', prompt: 'login', request: 'x' }
    const { accepted } = await open(inner, beside)
    expect(accepted).toMatchObject({
      state: 'state',
      redirectUri: callback,
      prompt: ['none'],
      scopes: ['openid', 'name'],
    })
    const repeated = `client_id=acme-web&request_uri=${inner}&state=a&state=b`
    expect((await ask(postern.context, repeated)).accepted).toMatchObject({ state: 'state' })
  })

  it('refuses a repeated request_uri or client_id', async () => {
    const uri = await pushed()
    for (const query of [
      `client_id=acme-web&request_uri=${uri}&request_uri=${uri}`,
      `client_id=a&client_id=b&request_uri=${uri}`,
    ])
      expect((await ask(postern.context, query)).shown).toBeDefined()
  })

  const unusable: [string, () => Promise<string>, string?][] = [
    ['unknown', async () => `urn:ietf:params:oauth:request_uri:${'a'.repeat(43)}`],
    ['malformed', async () => 'urn:ietf:params:oauth:request_uri:x'],
    ['huge', async () => `urn:ietf:params:oauth:request_uri:${'x'.repeat(5000)}`],
    ['cut', async () => (await pushed()).slice(0, -1)],
    ['written in another case', async () => (await pushed()).replace('urn:ietf', 'URN:IETF').toLowerCase()],
    ['another app’s', () => pushed(), 'acme-mail'],
    ['another team’s', () => pushed(), 'other-web'],
    ['a public app’s, presented by another app', () => pushed(asBrowser, {}), 'acme-web'],
    [
      'expired',
      async () => {
        const uri = await pushed()
        postern.later(90)
        return uri
      },
    ],
  ]
  it.each(unusable)('shows an error page and never redirects to the app if it is %s', async (_name, uri, clientId) => {
    const { shown, returned } = await open(await uri(), { client_id: clientId ?? 'acme-web' })
    expect(returned).toBeUndefined()
    expect(shown).toMatchObject({ kind: 'bad_request_uri' })
  })

  it('records invalid_request_uri in the recent failures of the app', async () => {
    await open(`urn:ietf:params:oauth:request_uri:${'b'.repeat(43)}`, { client_id: 'acme-mail' })
    const noted = { endpoint: 'authorize', code: 'invalid_request_uri' }
    await expect.poll(() => postern.failures('acme-mail')).toMatchObject([noted])
  })

  it('can be used until a second before its end', async () => {
    const uri = await pushed()
    postern.later(89)
    expect((await open(uri)).accepted).toBeDefined()
  })

  it('counts an empty request_uri as absent (RFC 6749 §3.1)', async () => {
    expect((await ask(postern.context, { request_uri: '' })).accepted).toBeDefined()
    expect((await push({ request_uri: '' })).status).toBe(201)
  })

  it('never fetches a request_uri (RFC 9126 §7.2)', async () => {
    for (const request_uri of ['https://acme.example/request.jwt', 'file:///etc/passwd', 'data:,x'])
      expect((await ask(postern.context, { request_uri })).returned?.error).toBe('request_uri_not_supported')
  })
})

describe('an app that must push (RFC 9126 §6)', () => {
  const unpushed = async (client_id: string) => (await ask(postern.context, { client_id })).returned

  it('gets invalid_request for a request that was not pushed', async () => {
    expect(await unpushed('acme-pusher')).toMatchObject({ error: 'invalid_request', state: 'state' })
  })

  it('is accepted with a pushed request', async () => {
    const uri = await pushed({}, basicAuth('acme-pusher', secret))
    expect((await open(uri, { client_id: 'acme-pusher' })).accepted).toBeDefined()
  })

  it('is every app of profile fapi2 (FAPI 2.0 Security Profile §5.3.2.2)', async () => {
    expect(await unpushed('acme-fapi')).toMatchObject({ error: 'invalid_request' })
  })
})
