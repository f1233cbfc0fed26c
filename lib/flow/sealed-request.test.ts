import { afterEach, describe, expect, it } from 'vitest'
import { readFlash } from '#lib/http/flash'
import { pathWith } from '#lib/http/redirect'
import { openBrowser } from '#lib/testing/browser/browser'
import { flowProvision, placeOf, shareFlow, startFlow } from '#lib/testing/browser/flow'
import { callback, openPostern, type Postern } from '#lib/testing/process/postern'

const start = shareFlow()
const continueWith = (request: string) => pathWith('/continue', { request })

/** Starts a request, up to the sign-in page. */
async function setUp() {
  const started = await start()
  const page = await started.browser.authorize()
  return { ...started, page, sealed: page.parameters.request as string }
}

describe('a problem with an app that has names in several languages', () => {
  const [team, ...others] = flowProvision.teams
  const [app, ...apps] = team?.apps ?? []
  const named = { ...app, 'name#ja': 'アクメ' }
  const begin = shareFlow({ provision: { ...flowProvision, teams: [{ ...team, apps: [named, ...apps] }, ...others] } })

  it('carries its names, so that the page shows the one of its language', async () => {
    const { browser, context } = await begin()
    const names = { app: 'Acme Web', names: { ja: 'アクメ' } }
    const wrong = await browser.authorize({ redirect_uri: 'https://nowhere.example/' })
    expect(await browser.problemOn(wrong)).toEqual({ kind: 'bad_redirect_uri', ...names })
    const { parameters } = await browser.authorize()
    const other = await openBrowser(context).visit(continueWith(parameters.request as string))
    expect(await browser.problemOn(other)).toMatchObject({ kind: 'other_browser', ...names })
  })
})

describe('a sealed request in another browser', () => {
  it('is refused with a link back to the app', async () => {
    const { context, page, sealed } = await setUp()
    const other = openBrowser(context)
    for (const answer of [
      await other.visit(continueWith(sealed)),
      await other.signIn(page),
      await other.decide(page),
    ]) {
      expect(placeOf(answer)).toBe('/error')
      const problem = await other.problemOn(answer)
      expect(problem).toMatchObject({ kind: 'other_browser', app: 'Acme Web' })
      const back = await other.visit(problem?.back ?? '')
      expect(placeOf(back)).toBe(callback)
      expect(back.parameters).toMatchObject({ error: 'access_denied', state: 'state', iss: 'http://localhost:3000' })
    }
    expect(await other.shownSession()).toBeUndefined()
  })

  it('gives no code of a finished request', async () => {
    const { browser, context, page } = await setUp()
    const consent = await browser.signIn(page)
    browser.stops.add('/continue')
    const { url } = await browser.decide(consent)
    browser.stops.clear()
    await browser.visit(url)
    const other = openBrowser(context)
    await other.signIn(await other.authorize())
    expect(await other.problemOn(await other.visit(url))).toMatchObject({ kind: 'other_browser' })
  })

  it('cannot be bound again through /start', async () => {
    const { context, sealed } = await setUp()
    const other = openBrowser(context)
    const answer = await other.visit(pathWith('/start', { request: sealed }))
    expect(await other.problemOn(answer)).toEqual({ kind: 'unreadable_request' })
  })
})

describe('a changed request', () => {
  it.each([
    [
      'one letter changed',
      (sealed: string) => sealed.replace(/(.)(.{40})$/, (_, one, rest) => `${one === 'A' ? 'B' : 'A'}${rest}`),
    ],
    ['cut short', (sealed: string) => sealed.slice(0, -8)],
    ['without its tag', (sealed: string) => sealed.slice(0, sealed.lastIndexOf('.') + 1)],
    ['with another header', (sealed: string) => `eyJhbGciOiJub25lIn0${sealed.slice(sealed.indexOf('.'))}`],
    ['made up', () => 'a.b.c.d.e'],
    ['emptied', () => ''],
    ['an address', () => 'https://evil.example/'],
    ['too long', (sealed: string) => sealed.padEnd(15_000, 'A')],
  ])('is unreadable (%s), and leads to the error page only', async (_, change) => {
    const { browser, sealed } = await setUp()
    const request = change(sealed)
    for (const answer of [
      await browser.visit(continueWith(request)),
      await browser.visit(pathWith('/start', { request })),
      await browser.post('/signin/submit', { request, username: 'ada', password: 'correct horse battery' }),
      await browser.post('/signin/submit', { request, action: 'cancel' }),
      await browser.post('/consent/submit', { request, action: 'cancel' }),
    ]) {
      expect(placeOf(answer)).toBe('/error')
      expect(await browser.problemOn(answer)).toEqual({ kind: 'unreadable_request' })
    }
  })

  it('ignores redirect URIs and client ids that are sent beside it', async () => {
    const { browser, page } = await setUp()
    const evil = { redirect_uri: 'https://evil.example/', return_to: '//evil.example', back: 'https://evil.example/' }
    const consent = await browser.signIn(page, { ...evil, client_id: 'other-web' })
    expect([consent.url.origin, placeOf(consent)]).toEqual(['http://localhost:3001', '/consent'])
    const hinted = await browser.visit(
      `${consent.url.pathname.replace('/consent', '/continue')}${consent.url.search}&redirect_uri=https://evil.example/`,
    )
    expect(placeOf(await browser.decide(hinted, evil))).toBe(callback)
  })

  it('rejects tokens of another purpose', async () => {
    const { browser, page, context } = await setUp()
    await browser.signIn(page, { password: 'x' })
    const flash = browser.jar.get('postern-flash') as string
    const problem = (await browser.visit(continueWith('x'))).parameters.e as string
    for (const sealed of [flash, problem, page.parameters.request as string]) {
      for (const path of [continueWith(sealed), pathWith('/return', { r: sealed })]) {
        if (path === continueWith(page.parameters.request as string)) continue
        expect(await browser.problemOn(await browser.visit(path))).toEqual({ kind: 'unreadable_request' })
      }
    }
    const posted = await browser.authorize({ response_mode: 'form_post', prompt: 'none' })
    for (const e of [flash, posted.parameters.r as string, page.parameters.request as string]) {
      expect(await browser.problemOn({ ...posted, parameters: { e } })).toBeUndefined()
    }
    expect(await readFlash(context, `postern-flash=${problem}`, 'signin')).toBeUndefined()
  })
})

describe('the lifetime of a request', () => {
  it('is an hour', async () => {
    const { browser, page, later } = await setUp()
    later(3599)
    expect(placeOf(await browser.signIn(page))).toBe('/consent')
  })

  it('leaves only the way back to the app, with access_denied, for a day', async () => {
    const { browser, page, later } = await setUp()
    later(3602)
    for (const answer of [
      await browser.visit(page.url.href.replace('/signin', '/continue')),
      await browser.signIn(page),
    ]) {
      const problem = await browser.problemOn(answer)
      expect(problem).toMatchObject({ kind: 'expired_request', app: 'Acme Web' })
      const back = await browser.visit(problem?.back ?? '')
      expect(placeOf(back)).toBe(callback)
      expect(back.parameters).toMatchObject({ error: 'access_denied', state: 'state', iss: 'http://localhost:3000' })
    }
    expect(await browser.shownSession()).toBeUndefined()
  })

  it('ends completely after a day', async () => {
    const { browser, page, later } = await setUp()
    later(86_402)
    expect(await browser.problemOn(await browser.signIn(page))).toEqual({ kind: 'unreadable_request' })
  })

  it('also ends the error page after a day', async () => {
    const { browser, later } = await setUp()
    const answer = await browser.visit(continueWith('x'))
    later(86_401)
    expect(await browser.problemOn(answer)).toBeUndefined()
  })
})

describe('a change during the flow', () => {
  const opened: Postern[] = []
  afterEach(async () => {
    for (const postern of opened.splice(0)) await postern.close()
  })
  const open = async (options = {}) => {
    const postern = await openPostern(options)
    opened.push(postern)
    return startFlow(postern)
  }
  /** Restarts the installation, and keeps the browser's cookies. */
  const restart = async ({ settings, browser }: Awaited<ReturnType<typeof open>>, env = {}) => {
    const after = await open({ env: { ...settings, ...env }, provision: { teams: [] } })
    for (const [name, value] of browser.jar) after.browser.jar.set(name, value)
    return after
  }

  it.each([
    ['disabled', { disabledAt: new Date() }],
    ['registered elsewhere', { redirectUris: '["https://acme.example/other"]' }],
  ])('stops the flow of an app that is %s', async (_, data) => {
    const before = await open()
    const page = await before.browser.authorize()
    await before.prisma.app.updateMany({ data })
    const { browser } = await restart(before)
    expect(await browser.problemOn(await browser.signIn(page))).toEqual({ kind: 'app_gone' })
  })

  it('opens requests, sessions and flashes of the previous master key', async () => {
    const before = await open()
    const page = await before.browser.authorize()
    await before.browser.signIn(page)
    await before.browser.signIn(page, { password: 'x' })
    const [key, shown] = [Buffer.alloc(32, 2).toString('base64url'), await before.browser.shownSession()]
    const rotated = { SECRET_KEY: key, SECRET_KEY_PREVIOUS: before.settings.SECRET_KEY as string }
    const { browser, context } = await restart(before, rotated)
    expect(shown).toBeDefined()
    expect(await browser.shownSession()).toBe(shown)
    expect(await readFlash(context, browser.cookies(), 'signin')).toMatchObject({ problems: [{ code: 'wrong' }] })
    const consent = await browser.visit(continueWith(page.parameters.request as string))
    expect(placeOf(consent)).toBe('/consent')
    expect(placeOf(await browser.decide(consent))).toBe(callback)
  })
})
