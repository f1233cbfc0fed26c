import { describe, expect, it } from 'vitest'
import { keyStore } from '#lib/db/keys/key-store'
import { replaceLeakedKeys, rotateSigningKeysNow } from '#lib/keys/rotate-signing-keys'
import { discovery } from '#lib/oauth/discovery/discovery'
import { openBrowser } from '#lib/testing/browser/browser'
import { placeOf } from '#lib/testing/browser/flow'
import { type Asked, bye, shareLogout } from '#lib/testing/browser/logout'

const { setUp, setUpSignedIn } = shareLogout()

const bob = { username: 'bob', password: 'staple horse battery' }
const characters = `${' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'.repeat(3)}${'az09'.repeat(10)}`.slice(0, 128)

describe('the endpoint (RP-Initiated Logout 1.0 §2)', () => {
  it('is named in the discovery document (§2.1: end_session_endpoint)', async () => {
    const { context, endpoint } = await setUp()
    expect((await (await discovery(context.discovery)).json()).end_session_endpoint).toBe(endpoint)
  })

  it.each(['GET', 'POST'] as const)(
    'accepts %s ("MUST support the use of the HTTP GET and POST methods")',
    async (method) => {
      const { browser, endpoint, leave, hint, silent } = await setUpSignedIn()
      const asked = { id_token_hint: hint, post_logout_redirect_uri: bye }
      const arrival = method === 'GET' ? await leave(asked) : await browser.post(endpoint, asked)
      expect([arrival.url.href, await silent()]).toEqual([bye, 'login_required'])
    },
  )

  it('hands over to /logout of the account host, with the language of the request (§2: ui_locales)', async () => {
    const { browser, leave, hint, context } = await setUpSignedIn()
    browser.stops.add('/logout')
    const { url } = await leave({ id_token_hint: hint, ui_locales: 'ja zh-TW' })
    expect(url.origin + url.pathname).toBe(`${context.config.accountUrl}/logout`)
    expect(url.searchParams.get('ui_locales')).toBe('ja zh-TW')
    expect(url.href).not.toContain(hint)
  })

  it('ignores unknown and empty parameters and logout_hint (§2: "left up to the OP\'s discretion")', async () => {
    const { leave, hint } = await setUpSignedIn()
    const asked = {
      id_token_hint: hint,
      post_logout_redirect_uri: bye,
      logout_hint: 'bob',
      state: '',
      client_id: '',
      x: 'y',
    }
    expect((await leave(asked)).url.href).toBe(bye)
  })
})

describe('a hint that proves the session (§2)', () => {
  it('signs out without a question, and prompt=none is login_required afterwards', async () => {
    const { browser, leave, hint, silent, prisma } = await setUpSignedIn()
    const cookie = browser.jar.get('postern-session') as string
    const arrival = await leave({ id_token_hint: hint, client_id: 'acme-web', post_logout_redirect_uri: bye })
    expect(arrival.trail).toEqual(['/oauth2/logout', '/logout', '/logout/end'])
    expect(arrival.cookieLines).toEqual(['postern-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
    browser.jar.set('postern-session', cookie)
    expect(await silent()).toBe('login_required')
    expect(await prisma.activity.count({ where: { kind: 'signed_out' } })).toBe(1)
  })

  it('may be from before a confirmation in the same browser, because sid stays', async () => {
    const { leave, hint, signIn } = await setUpSignedIn()
    await signIn()
    expect((await leave({ id_token_hint: hint, post_logout_redirect_uri: bye })).url.href).toBe(bye)
  })

  it('may be expired ("even when the exp time has passed")', async () => {
    const { leave, hint, later } = await setUpSignedIn()
    later(2 * 86_400)
    expect((await leave({ id_token_hint: hint, post_logout_redirect_uri: bye })).url.href).toBe(bye)
  })

  it('may be signed by a key that has retired, never by one that leaked', async () => {
    const { browser, leave, hint, later, context, silent } = await setUpSignedIn()
    const needs = { store: keyStore(context.database.prisma), secrets: context.secrets, now: context.now }
    await rotateSigningKeysNow(needs)
    for (const days of [9, 8]) {
      later(days * 86_400)
      await browser.shownSession()
    }
    expect(await context.oauth.keys.verify('JWT', hint)).toBeUndefined()
    browser.stops.add('/logout')
    expect(placeOf(await leave({ id_token_hint: hint }))).toBe('/logout')
    await replaceLeakedKeys(needs)
    later(6)
    expect((await browser.problemOn(await leave({ id_token_hint: hint })))?.kind).toBe('bad_logout_hint')
    browser.stops.clear()
    expect(await silent()).toBeUndefined()
  })
})

describe('the person is asked ("the OP MUST ask the End-User this question", §2)', () => {
  it('if there is no hint, and returns to the app after "yes"', async () => {
    const { leave, confirm, silent, asked } = await setUpSignedIn()
    const page = await leave({ client_id: 'acme-web', post_logout_redirect_uri: bye, state: 's' })
    asked(page)
    expect(await silent()).toBeUndefined()
    expect((await confirm(page)).url.href).toBe(`${bye}?state=s`)
    expect(await silent()).toBe('login_required')
  })

  it('if the hint is of an earlier session of the same person', async () => {
    const { browser, leave, hint, signIn, asked, silent } = await setUpSignedIn()
    browser.jar.clear()
    await signIn()
    asked(await leave({ id_token_hint: hint, post_logout_redirect_uri: bye }))
    expect(await silent()).toBeUndefined()
  })

  it('if another account is signed in than the hint names', async () => {
    const { browser, leave, hint, signIn, asked } = await setUpSignedIn()
    browser.jar.clear()
    await signIn(bob)
    asked(await leave({ id_token_hint: hint, post_logout_redirect_uri: bye }))
  })

  it('if the browser has more accounts than the hint names, and all of them are signed out', async () => {
    const { leave, confirm, hint, signIn, asked, silent, prisma } = await setUpSignedIn()
    const second = await signIn(bob)
    for (const one of [hint, second]) asked(await leave({ id_token_hint: one }))
    const page = await leave({ id_token_hint: second, post_logout_redirect_uri: bye })
    expect((await confirm(page)).url.href).toBe(bye)
    expect([await silent(), await prisma.session.count({ where: { endedAt: null } })]).toEqual(['login_required', 0])
  })

  it('if the hint is of another browser', async () => {
    const { leave, hint, context, signIn, browser, asked } = await setUpSignedIn()
    const elsewhere = openBrowser(context)
    await elsewhere.signIn(await elsewhere.authorize({ prompt: 'login' }))
    asked(await leave({ id_token_hint: hint, post_logout_redirect_uri: bye }, elsewhere))
    browser.jar.clear()
    asked(await leave({ id_token_hint: hint, post_logout_redirect_uri: bye }, elsewhere))
    expect(await signIn()).toBeTruthy()
  })
})

describe('a request without an address to return to (§2: the OP "MUST NOT perform post-logout redirection")', () => {
  it.each<[string, Asked]>([
    ['no parameters', {}],
    ['state alone', { state: 'state' }],
    ['client_id alone', { client_id: 'acme-web' }],
    ['an empty address', { client_id: 'acme-web', post_logout_redirect_uri: '', state: 'state' }],
  ])('with %s asks, signs out and stays on the page', async (_name, asked) => {
    const { leave, confirm, silent } = await setUpSignedIn()
    const page = await leave(asked)
    expect([placeOf(page), await silent()]).toEqual(['/logout', undefined])
    expect([placeOf(await confirm(page)), await silent()]).toEqual(['/logout', 'login_required'])
  })

  it('with a hint signs out at once and stays on the page', async () => {
    const { leave, hint, silent } = await setUpSignedIn()
    const { url } = await leave({ id_token_hint: hint, state: 'state', ui_locales: 'ja' })
    expect([url.pathname, url.search, await silent()]).toEqual(['/logout', '?ui_locales=ja', 'login_required'])
  })
})

describe('the redirect to the app (§3)', () => {
  it.each<[string, Record<string, string>, string]>([
    ['state of 128 characters byte for byte', { state: characters }, characters],
    ['state of 4,096 characters', { state: characters.repeat(32) }, characters.repeat(32)],
    ['state in any script', { state: '状態 é+%20&=' }, '状態 é+%20&='],
  ])('carries %s, and nothing else', async (_name, more, state) => {
    const { leave } = await setUp()
    const { url } = await leave({ client_id: 'acme-web', post_logout_redirect_uri: bye, ...more })
    expect([`${url.origin}${url.pathname}`, [...url.searchParams]]).toEqual([bye, [['state', state]]])
  })

  it('carries nothing if the request has no state, and keeps the query of the address', async () => {
    const { leave } = await setUp()
    const go = async (asked: Asked) => (await leave(asked)).url.href
    const kept = { client_id: 'acme-web', post_logout_redirect_uri: `${bye}?kept=1` }
    expect(await go({ client_id: 'acme-web', post_logout_redirect_uri: bye })).toBe(bye)
    expect(await go(kept)).toBe(`${bye}?kept=1`)
    expect(await go({ ...kept, state: 'x' })).toBe(`${bye}?kept=1&state=x`)
  })

  it('needs no question if no account is signed in', async () => {
    const { leave, context, hint, browser } = await setUpSignedIn()
    const stranger = openBrowser(context)
    const asked = { id_token_hint: hint, post_logout_redirect_uri: bye, state: 'x' }
    expect((await leave(asked, stranger)).url.href).toBe(`${bye}?state=x`)
    browser.jar.set('postern-session', `${browser.jar.get('postern-session')}x`)
    expect((await leave(asked)).url.href).toBe(`${bye}?state=x`)
  })
})
