import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { placeOf, shareFlow } from '#lib/testing/browser/flow'
import { callback } from '#lib/testing/process/postern'

const start = shareFlow()

/** Returns `arrive`, which signs a person in and posts the consent. */
async function setUp() {
  const started = await start()
  const { browser } = started
  return { ...started, arrive: async () => browser.decide(await browser.signIn(await browser.authorize())) }
}

describe('the complete flow', () => {
  it.each(['GET', 'POST'] as const)(
    'leads from %s through sign-in and consent to a code and its tokens',
    async (method) => {
      const { browser, tokens, userinfo } = await setUp()
      const signIn = await browser.authorize({ nonce: 'n', scope: 'openid name gender email' }, method)
      expect([placeOf(signIn), signIn.trail]).toEqual(['/signin', ['/oauth2/authorize', '/start', '/continue']])
      const consent = await browser.signIn(signIn)
      expect([placeOf(consent), consent.trail]).toEqual(['/consent', ['/signin/submit', '/continue']])
      const back = await browser.decide(consent, { scope: ['name'], email_choice: 'regular' })
      expect([placeOf(back), back.trail]).toEqual([callback, ['/consent/submit', '/continue']])
      expect(back.parameters).toEqual({ code: expect.any(String), state: 'state', iss: 'http://localhost:3000' })
      const { id_token, access_token, scope } = await tokens(back)
      expect(scope).toBe('openid name email')
      expect(decodeJwt(id_token)).toMatchObject({ aud: 'acme-web', nonce: 'n', amr: ['pwd'], acr: 'aal1' })
      const claims = await (await userinfo(access_token)).json()
      expect(claims).toMatchObject({ name: 'Ada L.', gender: '', email: 'ada@example.org' })
      expect(claims.sub).toBe(decodeJwt(id_token).sub)
    },
  )

  it('shows no page to a returning person', async () => {
    const { browser, arrive } = await setUp()
    await arrive()
    const again = await browser.authorize({ state: 'again' })
    expect([placeOf(again), again.trail]).toEqual([callback, ['/oauth2/authorize', '/start', '/continue']])
    expect(again.parameters).toMatchObject({ code: expect.any(String), state: 'again' })
  })

  it('asks only for new scopes, and neither grants nor asks for declined ones', async () => {
    const { browser, tokens } = await setUp()
    const consent = await browser.signIn(await browser.authorize({ scope: 'openid name gender' }))
    await browser.decide(consent, { scope: ['name'] })
    const again = await browser.authorize({ scope: 'openid name gender' })
    expect((await tokens(again)).scope).toBe('openid name')
    expect(placeOf(await browser.authorize({ scope: 'openid name region' }))).toBe('/consent')
  })

  it('removes the scope profile when one of its nine scopes is unticked, and does not ask again', async () => {
    const { browser, tokens, userinfo } = await setUp()
    const consent = await browser.signIn(await browser.authorize({ scope: 'openid profile' }))
    const kept = ['nickname', 'picture', 'biography', 'gender', 'birthdate', 'region', 'preferred_username', 'locale']
    const back = await browser.decide(consent, { scope: kept })
    expect((await tokens(back)).scope).toBe(`openid ${kept.join(' ')}`)
    const { access_token } = await tokens(await browser.authorize({ scope: 'openid profile' }))
    expect(await (await userinfo(access_token)).json()).toMatchObject({ name: 'Postern User', locale: 'ja' })
  })

  it('does not grant a later declined scope because of an earlier profile scope', async () => {
    const { browser, tokens } = await setUp()
    const all = [
      'name',
      'nickname',
      'picture',
      'biography',
      'gender',
      'birthdate',
      'region',
      'preferred_username',
      'locale',
    ]
    const bundle = await browser.signIn(await browser.authorize({ scope: 'openid profile' }))
    expect((await tokens(await browser.decide(bundle, { scope: all }))).scope).toContain('profile')
    await browser.decide(await browser.authorize({ scope: 'openid name', prompt: 'consent' }), { scope: [] })
    expect((await tokens(await browser.authorize({ scope: 'openid name' }))).scope).toBe('openid')
  })

  it('asks for consent of a native app every time', async () => {
    const { browser } = await setUp()
    const asked = { client_id: 'acme-native', redirect_uri: 'http://127.0.0.1:9000/callback' }
    const first = await browser.decide(await browser.signIn(await browser.authorize(asked)))
    expect(placeOf(first)).toBe(asked.redirect_uri)
    const custom = await browser.authorize({ ...asked, redirect_uri: 'org.acme.app:/callback' })
    expect(placeOf(custom)).toBe('/consent')
    expect((await browser.decide(custom)).url.href).toMatch(/^org\.acme\.app:\/callback\?code=/)
    expect((await browser.authorize({ ...asked, prompt: 'none' })).parameters.error).toBe('consent_required')
  })
})

describe('prompt=none', () => {
  const none = { prompt: 'none' }
  it('returns login_required with state and iss without a session', async () => {
    const { browser } = await setUp()
    const answer = await browser.authorize(none)
    expect(placeOf(answer)).toBe(callback)
    expect(answer.parameters).toMatchObject({ error: 'login_required', state: 'state', iss: 'http://localhost:3000' })
    expect(answer.parameters).not.toHaveProperty('code')
  })

  it('returns consent_required without consent', async () => {
    const { browser } = await setUp()
    await browser.signIn(await browser.authorize())
    expect((await browser.authorize(none)).parameters.error).toBe('consent_required')
  })

  it('returns interaction_required without a required address', async () => {
    const { browser } = await setUp()
    const asked = { client_id: 'acme-mail', scope: 'openid email' }
    await browser.signIn(await browser.authorize(asked), { username: 'bob', password: 'staple horse battery' })
    expect((await browser.authorize({ ...asked, ...none })).parameters.error).toBe('interaction_required')
  })

  it('returns a code with the same sub and auth_time when both are there', async () => {
    const { browser, tokens, later } = await setUp()
    const signIn = await browser.authorize({ max_age: '600' })
    const first = decodeJwt((await tokens(await browser.decide(await browser.signIn(signIn)))).id_token)
    later(300)
    const silent = decodeJwt((await tokens(await browser.authorize({ ...none, max_age: '600' }))).id_token)
    expect([silent.sub, silent.auth_time, silent.sid]).toEqual([first.sub, first.auth_time, first.sid])
    later(301)
    expect((await browser.authorize({ ...none, max_age: '600' })).parameters.error).toBe('login_required')
  })
})

describe('a silent request that cannot continue', () => {
  const setUpLastStep = async () => {
    const started = await setUp()
    await started.arrive()
    started.browser.stops.add('/continue')
    const { url } = await started.browser.authorize({ prompt: 'none' })
    started.browser.stops.clear()
    return { ...started, url }
  }
  const refused = { error: 'login_required', state: 'state', iss: 'http://localhost:3000' }

  it('answers the app in a frame without cookies', async () => {
    const { browser, url } = await setUpLastStep()
    browser.jar.clear()
    const answer = await browser.visit(url)
    expect([placeOf(answer), answer.parameters]).toEqual([callback, expect.objectContaining(refused)])
  })

  it('answers the app when the request is expired or finished', async () => {
    const { browser, url, exchange, later } = await setUpLastStep()
    expect((await exchange(await browser.visit(url))).status).toBe(200)
    expect((await browser.visit(url)).parameters).toMatchObject(refused)
    later(3602)
    expect((await browser.visit(url)).parameters).toMatchObject(refused)
  })
})

describe('reauthentication', () => {
  it.each([{ prompt: 'login' }, { max_age: '0' }])(
    'is asked for once by %j, and auth_time proves it',
    async (asked) => {
      const { browser, tokens, later, arrive } = await setUp()
      await arrive()
      later(60)
      const page = await browser.authorize(asked)
      expect(placeOf(page)).toBe('/signin')
      const { auth_time, iat } = decodeJwt((await tokens(await browser.signIn(page))).id_token)
      expect(auth_time).toBe(iat)
    },
  )

  it('is asked of a person other than the hinted one, and fails at the app if that person stays signed in', async () => {
    const { browser, tokens, arrive } = await setUp()
    const { id_token } = await tokens(await arrive())
    const bob = { username: 'bob', password: 'staple horse battery' }
    await browser.signIn(await browser.authorize({ prompt: 'login' }), bob)
    const hint = { id_token_hint: id_token }
    expect((await browser.authorize({ ...hint, prompt: 'none' })).parameters.error).toBe('login_required')
    const page = await browser.authorize(hint)
    expect(placeOf(page)).toBe('/signin')
    const vain = await browser.signIn(page, bob)
    expect([placeOf(vain), vain.parameters.error]).toEqual([callback, 'login_required'])
    const right = await browser.signIn(await browser.authorize(hint))
    expect(right.parameters).toHaveProperty('code')
  })
})

describe('an e-mail address', () => {
  const asked = { client_id: 'acme-mail', scope: 'openid email' }
  it('is shared with consent when the app requires it, regardless of the form', async () => {
    const { browser, prisma } = await setUp()
    await browser.decide(await browser.signIn(await browser.authorize(asked)), { scope: [], email_choice: 'none' })
    expect(await prisma.authorization.findMany()).toMatchObject([{ scopes: 'openid email', emailChoice: 'regular' }])
  })

  it('is bound first when the app requires it and the person has none', async () => {
    const { browser } = await setUp()
    const bob = { username: 'bob', password: 'staple horse battery' }
    const back = await browser.signIn(await browser.authorize(asked), bob)
    expect(placeOf(back)).toBe('/bind-email')
  })
})

describe('the ui_locales of the app', () => {
  it('are passed to the page', async () => {
    const { browser } = await setUp()
    const { parameters } = await browser.authorize({ ui_locales: 'fr ja' })
    expect(parameters.ui_locales).toBe('fr ja')
  })

  it('are passed to the page again after a wrong password', async () => {
    const { browser } = await setUp()
    const again = await browser.signIn(await browser.authorize({ ui_locales: 'ja' }), { password: 'x' })
    expect([placeOf(again), again.parameters.ui_locales]).toEqual(['/signin', 'ja'])
  })

  it('are dropped once the person has chosen a language', async () => {
    const { browser } = await setUp()
    browser.jar.set('postern_language', 'en')
    expect((await browser.authorize({ ui_locales: 'ja' })).parameters).not.toHaveProperty('ui_locales')
  })
})
