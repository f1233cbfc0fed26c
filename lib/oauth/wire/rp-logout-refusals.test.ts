import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { openContext } from '#lib/server/compose/context'
import { readConfig } from '#lib/server/settings/config'
import { openBrowser } from '#lib/testing/browser/browser'
import { placeOf } from '#lib/testing/browser/flow'
import { type Asked, bye, shareLogout } from '#lib/testing/browser/logout'

const { setUp, setUpSignedIn } = shareLogout()

describe('a request that is refused: a page explains it, the person stays signed in, and there is no redirect (§4)', () => {
  const address = 'bad_logout_address'
  it.each<[string, Asked, string]>([
    ['an address without hint or client_id', { post_logout_redirect_uri: bye }, address],
    [
      'an address that is not registered',
      { client_id: 'acme-web', post_logout_redirect_uri: 'https://acme.example/' },
      address,
    ],
    [
      'a registered address with an added query',
      { client_id: 'acme-web', post_logout_redirect_uri: `${bye}?x=1` },
      address,
    ],
    ['a registered address with a slash more', { client_id: 'acme-web', post_logout_redirect_uri: `${bye}/` }, address],
    [
      'a registered address in another case',
      { client_id: 'acme-web', post_logout_redirect_uri: bye.toUpperCase() },
      address,
    ],
    [
      'a redirect URI that is no logout address',
      { client_id: 'acme-web', post_logout_redirect_uri: 'https://acme.example/callback' },
      address,
    ],
    [
      'the address of another app',
      { client_id: 'acme-web', post_logout_redirect_uri: 'https://other.example/bye' },
      address,
    ],
    ['an address of an app that registered none', { client_id: 'acme-spa', post_logout_redirect_uri: bye }, address],
    ['a script as the address', { client_id: 'acme-web', post_logout_redirect_uri: 'javascript:alert(1)' }, address],
    ['a client_id that is not registered', { client_id: 'nobody' }, 'unknown_client'],
    [
      'a repeated parameter',
      `client_id=acme-web&post_logout_redirect_uri=${bye}&post_logout_redirect_uri=${bye}`,
      'bad_logout_request',
    ],
    ['a repeated state', 'state=a&state=b', 'bad_logout_request'],
    ['a repeated hint', 'id_token_hint=a&id_token_hint=b', 'bad_logout_request'],
    ['broken encoding', 'state=%E0%A4%A', 'bad_logout_request'],
    ['NUL', 'state=%00', 'bad_logout_request'],
    [
      'a state that is too long',
      { client_id: 'acme-web', post_logout_redirect_uri: bye, state: 'x'.repeat(12_000) },
      'bad_logout_request',
    ],
  ])('%s', async (_name, asked, kind) => {
    const { problem, browser, endpoint } = await setUp()
    expect(await problem(asked)).toBe(kind)
    if (typeof asked === 'string') return
    expect((await browser.problemOn(await browser.post(endpoint, asked)))?.kind).toBe(kind)
  })

  it('a hint and a client_id that disagree ("the OP MUST verify that the Client Identifier matches")', async () => {
    const { problem, hint, silent } = await setUpSignedIn()
    const address = { post_logout_redirect_uri: 'https://other.example/bye' }
    for (const client_id of ['other-web', 'acme-spa', 'acme-web ', 'ACME-WEB'])
      expect(await problem({ id_token_hint: hint, client_id, ...address })).toMatch(
        /^(bad_logout_hint|unknown_client)$/,
      )
    expect(await problem({ id_token_hint: hint, client_id: 'other-web' })).toBe('bad_logout_hint')
    expect(await problem({ id_token_hint: hint, ...address })).toBe('bad_logout_address')
    expect(await silent()).toBeUndefined()
  })

  it('a hint that this issuer did not sign ("the OP MUST validate that it was the issuer of the ID Token")', async () => {
    const { problem, hint, silent, context, tokens, browser } = await setUpSignedIn()
    const [header = '', payload = '', signature = ''] = hint.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const own = JSON.parse(Buffer.from(header, 'base64url').toString())
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const { access_token } = await tokens(await browser.authorize())
    const hints = {
      'alg none': new UnsecuredJWT(claims).encode(),
      'alg none with our kid': `${encode({ ...own, alg: 'none' })}.${payload}.`,
      'a foreign key': await new SignJWT(claims).setProtectedHeader({ ...own, alg: 'ES256' }).sign(privateKey),
      'HS256 with the public key': await new SignJWT(claims)
        .setProtectedHeader({ ...own, alg: 'HS256' })
        .sign(Buffer.from(JSON.stringify((await context.oauth.keys.published())[0]))),
      'other claims': `${header}.${encode({ ...claims, aud: 'other-web' })}.${signature}`,
      'no signature': `${header}.${payload}.`,
      'an access token': access_token,
      'another issuer': await context.oauth.keys.sign('JWT', { ...claims, iss: 'https://old.example' }),
      'several audiences': await context.oauth.keys.sign('JWT', { ...claims, aud: ['acme-web', 'other-web'] }),
      'no subject': await context.oauth.keys.sign('JWT', { ...claims, sub: undefined }),
      'no token': 'x',
      'a long text': 'x'.repeat(20_000),
    }
    for (const [name, id_token_hint] of Object.entries(hints))
      expect([name, await problem({ id_token_hint, post_logout_redirect_uri: bye })]).toEqual([name, 'bad_logout_hint'])
    expect(await silent()).toBeUndefined()
  })

  it('is shown to the developers of the app', async () => {
    const { problem, failures } = await setUp()
    await problem({ client_id: 'acme-native', post_logout_redirect_uri: `${bye}?x` })
    const reason = 'post_logout_redirect_uri is not registered for this app'
    await expect.poll(() => failures('acme-native')).toMatchObject([{ endpoint: 'logout', reason }])
  })
})

describe('a sealed logout request', () => {
  it('asks when it is replayed after a new sign-in', async () => {
    const { browser, leave, hint, signIn, asked, silent } = await setUpSignedIn()
    browser.stops.add('/logout')
    const { url } = await leave({ id_token_hint: hint, post_logout_redirect_uri: bye })
    browser.stops.clear()
    expect((await browser.visit(url)).url.href).toBe(bye)
    await signIn()
    asked(await browser.visit(url))
    asked(await browser.visit(`/logout/end${url.search}`))
    expect(await silent()).toBeUndefined()
  })

  it('leads to no redirect when it has expired, is forged, or is a sealed request of another kind', async () => {
    const { browser, leave, confirm, signIn, asked, later } = await setUpSignedIn()
    const page = await leave({ client_id: 'acme-web', post_logout_redirect_uri: bye })
    const authorization = (await browser.authorize({ prompt: 'consent' })).parameters.request
    for (const request of [
      `${page.parameters.request}x`,
      authorization,
      'x',
      randomBytes(9000).toString('base64url'),
    ]) {
      const shown = await browser.visit(`/logout?${new URLSearchParams({ request: request ?? '' })}`)
      asked(shown)
      asked(await confirm(shown))
      await signIn()
    }
    later(3601)
    asked(await confirm(page))
  })

  it('leads to no redirect once the app has removed the address', async () => {
    const { browser, leave, confirm, prisma, silent, asked, settings, context } = await setUpSignedIn()
    const page = await leave({ client_id: 'acme-web', post_logout_redirect_uri: bye })
    const where = { id: 'acme-web' }
    const { registration } = await prisma.app.findUniqueOrThrow({ where })
    await prisma.app.update({ where, data: { registration: '{}' } })
    // Another process, which has not cached the registration.
    const another = await openContext(readConfig(settings), { now: context.now, random: randomBytes })
    const same = openBrowser(another)
    for (const [name, value] of browser.jar) same.jar.set(name, value)
    asked(await confirm(page, same))
    expect(await silent()).toBe('login_required')
    await another.close()
    await prisma.app.update({ where, data: { registration } })
  })

  it('signs out once, eight times at once', async () => {
    const { browser, leave, hint, prisma, context } = await setUpSignedIn()
    const copies = Array.from({ length: 8 }, () => {
      const copy = openBrowser(context)
      for (const [name, value] of browser.jar) copy.jar.set(name, value)
      return copy
    })
    const asked = { id_token_hint: hint, post_logout_redirect_uri: bye }
    const arrivals = await Promise.all(copies.map((one) => leave(asked, one)))
    expect(new Set(arrivals.map(({ url }) => url.href))).toEqual(new Set([bye]))
    expect(await prisma.activity.count({ where: { kind: 'signed_out' } })).toBe(1)
  })

  it.each([{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, {}])(
    'is not confirmed by a form of another site (%j)',
    async (headers: Record<string, string>) => {
      const { browser, leave, silent } = await setUpSignedIn()
      const { request } = (await leave({ client_id: 'acme-web', post_logout_redirect_uri: bye })).parameters
      expect(placeOf(await browser.post('/logout/submit', { request }, headers))).toBe('/error')
      expect(await silent()).toBeUndefined()
    },
  )
})
