import { expect, it, onTestFinished } from 'vitest'
import { sha256 } from '#lib/crypto/hash'
import { type FlowState, sealRequest } from '#lib/flow/interaction'
import { readConfig } from '#lib/server/settings/config'
import { openBrowser } from '#lib/testing/browser/browser'
import { asking } from '#lib/testing/oauth/authorize'
import { requestFor } from '#lib/testing/oauth/authorize-values'
import { openPostern } from '#lib/testing/process/postern'
import { type Sent, sealer, servePages } from '#lib/testing/process/serve-pages'
import { readStranger } from './read-stranger.ts'
import { readShownRequest } from './shown-request.ts'

const pages = servePages()

type Changed = Parameters<typeof requestFor>[0]

/** A browser on its way to an app, with the id that `/start` gave it and a request of its own. */
function visit(index: number, changed: Changed = {}, progress?: FlowState['progress']) {
  const id = String(index).padStart(43, 'b')
  const one = (name: string) => `${name}-of-visit-number-${index}`
  const own = { id: one('id'), state: one('state'), nonce: one('nonce'), challenge: one('challenge') }
  const request = requestFor({ ...own, issuedAt: Math.floor(Date.now() / 1000), ...changed })
  const sealed = sealRequest(sealer, { browser: sha256(id) }, { request, progress })
  return { sealed, path: `/signin?request=${sealed}`, headers: { cookie: `postern-browser=${id}` } }
}

it('renders the sign-in page of an app once, and gives each browser its own request', async () => {
  const visits = Array.from({ length: 200 }, (_, index) => visit(index))
  const [first, ...others] = visits.map(
    ({ path, headers }) =>
      () =>
        pages.ask(path, headers),
  )
  const shown = [await first?.(), ...(await Promise.all(others.map((open) => open())))]
  expect(pages.renderings).toHaveLength(1)
  const seen = new Set<string | undefined>()
  for (const [index, { sealed }] of visits.entries()) {
    expect(shown[index]?.html.split(sealed)).toHaveLength(2)
    seen.add(shown[index]?.same.replace(sealed, ''))
    expect(shown[index]?.headers['content-length']).toBe(String(shown[index]?.html.length))
  }
  expect(seen.size).toBe(1)
  expect(new Set(shown.map((page) => page?.nonce)).size).toBe(200)
})

it('answers 200 browsers at once before a page is kept, each with its own request', async () => {
  const visits = Array.from({ length: 200 }, (_, index) => visit(index))
  const shown = await Promise.all(visits.map(({ path, headers }) => pages.ask(path, headers)))
  for (const [index, { sealed }] of visits.entries()) {
    expect(shown[index]?.html.split(sealed)).toHaveLength(2)
    expect(shown[index]?.html.match(/request=[\w.-]+/g)).toHaveLength(1)
  }
})

it('renders the page once for browsers with time zones and cookies of others, in the theme that they chose', async () => {
  const look = (zone: string) => `_ga=${zone}; postern_zone=${zone}; postern_theme=dark`
  const visits = ['Asia/Tokyo', 'Europe/Berlin'].map((zone, index) => ({ ...visit(index), look: look(zone) }))
  for (const { path, headers, look: cookies, sealed } of visits)
    expect((await pages.ask(path, { cookie: `${cookies}; ${headers.cookie}` })).html).toContain(sealed)
  const [first] = visits
  expect(pages.renderings.map(({ cookie }) => cookie)).toEqual([`${first?.headers.cookie}; postern_theme=dark`])
})

const inAnHour = 3601
const now = () => Math.floor(Date.now() / 1000)
const noClaims = { idToken: [], authTime: false, classes: undefined }
const ada = { loginHint: 'ada' }

it.each<[string, () => { path: string; headers: Sent }]>([
  ['another app', () => visit(1, { clientId: 'another' })],
  ['other scopes', () => visit(1, { scopes: ['openid', 'email'] })],
  ['a state that a page would escape', () => visit(1, { state: 'a state with <escapes>' })],
  ['a short state', () => visit(1, { state: 'a' })],
  ['languages of its app', () => visit(1, { uiLocales: 'ja' })],
  ['a request that names a person', () => visit(1, ada)],
  ['a request with the ID token of a person', () => visit(1, { hintedSubject: 'subject' })],
  [
    'a request for the claims of a person',
    () => visit(1, { claims: { ...noClaims, values: { userinfo: {}, idToken: { email: ['a@b.example'] } } } }),
  ],
  ['a trial of the console', () => visit(1, { trial: { personId: 'p', sessionId: 's' } })],
  ['a step behind it', () => visit(1, {}, { sessionId: 's', signedIn: true, consented: false })],
  ['a request that has expired', () => visit(1, { issuedAt: now() - inAnHour })],
  ['a request of another browser', () => ({ ...visit(1), headers: visit(2).headers })],
  ['an appearance', () => ({ ...visit(1), headers: { cookie: `${visit(1).headers.cookie}; postern_theme=dark` } })],
  [
    'the cookie twice',
    () => ({ ...visit(1), headers: { cookie: `${visit(1).headers.cookie}; ${visit(1).headers.cookie}` } }),
  ],
  ['no cookie', () => ({ ...visit(1), headers: {} })],
  ['a forged request', () => ({ ...visit(1), path: `${visit(1).path.slice(0, -9)}AAAAAAAAA` })],
  ['no readable request', () => ({ ...visit(1), path: '/signin?request=.....' })],
  ['a huge request', () => ({ ...visit(1), path: `/signin?request=${'a'.repeat(14_000)}` })],
  ['another parameter', () => ({ ...visit(1), path: `${visit(1).path}&as=other` })],
  ['two requests', () => ({ ...visit(1), path: `${visit(1).path}&request=${visit(1).sealed}` })],
  ['languages in its address', () => ({ ...visit(1), path: `${visit(1).path}&ui_locales=ja` })],
  ['another language', () => ({ ...visit(1), headers: { ...visit(1).headers, 'accept-language': 'ja' } })],
])('does not give the page of another request to a browser with %s', async (_, other) => {
  const { path, headers } = visit(0)
  const first = await pages.ask(path, headers)
  const own = other()
  expect((await pages.ask(own.path, own.headers)).same).not.toContain('"call":"1"')
  expect((await pages.ask(path, headers)).same).toBe(first.same)
})

it.each(['a request that names a person', 'no request'])('never keeps the page of %s', async (what) => {
  const { path, headers } =
    what === 'no request' ? { path: '/signin?request=a', headers: visit(0).headers } : visit(0, ada)
  const [one, other] = [await pages.ask(path, headers), await pages.ask(path, headers)]
  expect(one.same).not.toBe(other.same)
})

it.each([
  ['its state', () => 'state-of-visit-number-0'],
  ['the nonce of its app', () => 'nonce-of-visit-number-0'],
  ['its browser', () => '0'.padStart(43, 'b')],
  ['its request in another spelling', () => visit(0).sealed.replaceAll('.', '%2E')],
])('keeps no page that shows %s', async (_, text) => {
  const { path, headers } = visit(0)
  pages.instead = { html: `<html><body>${text()}</body></html>` }
  if (text().includes('%2E')) pages.instead.html = `<html><body>${path.replaceAll('.', '%2E')}</body></html>`
  await pages.ask(path, headers)
  pages.instead = {}
  const next = visit(1)
  expect((await pages.ask(next.path, next.headers)).html).toContain(next.sealed)
  expect(pages.renderings).toHaveLength(2)
})

it('renders the page of an app without what one browser sent beside its request', async () => {
  const { path, headers } = visit(0)
  await pages.ask(path, { ...headers, 'user-agent': 'planted', rsc: '1', 'x-nonce': 'planted' })
  expect(Object.keys(pages.renderings[0] ?? {}).sort()).toEqual(['accept', 'cookie', 'host', 'x-request-id'])
})

it('gives the page of an app to no stranger whose languages look like its request', async () => {
  const { path, headers, sealed } = visit(0)
  const id = headers.cookie.slice(-43)
  const { shown = '' } = readShownRequest({ config: readConfig({}), ...sealer }, path, id) ?? {}
  const planted = { 'accept-language': `${shown} de` }
  const [first, stranger] = [
    await pages.ask(path, { ...headers, 'accept-language': 'de' }),
    await pages.ask('/signin', planted),
  ]
  expect(first.html).toContain(sealed)
  expect(stranger.html).not.toContain(sealed)
  const next = visit(1)
  const shownNext = await pages.ask(next.path, { ...next.headers, 'accept-language': 'de' })
  expect([shownNext.html.includes(next.sealed), pages.renderings.length]).toEqual([true, 2])
})

it('keeps the pages of the account beside those of many apps', async () => {
  await pages.ask('/signin')
  for (let index = 0; index < 100; index++) {
    const { path, headers } = visit(index, { clientId: `app-${index}` })
    await pages.ask(path, headers)
  }
  await pages.ask('/signin')
  expect(pages.renderings).toHaveLength(101)
})

it('reads the request of a browser that an app sent here', async () => {
  const { context, close } = await openPostern()
  onTestFinished(close)
  const browser = openBrowser(context)
  const { url } = await browser.authorize({ ...asking, state: 's'.repeat(20) })
  const { id = '' } = readStranger(context, browser.cookies()) ?? {}
  const { sealed, unique } = readShownRequest(context, url.pathname + url.search, id) ?? {}
  expect([sealed, unique?.includes('s'.repeat(20))]).toEqual([url.searchParams.get('request'), true])
})
