import { expect, it, vi } from 'vitest'
import { servePages } from '#lib/testing/process/serve-pages'

const pages = servePages()

it('renders a page once for strangers, each of whom gets a nonce and a request id of its own', async () => {
  const first = await pages.ask('/signin?to=/account')
  const others = await Promise.all(Array.from({ length: 200 }, () => pages.ask('/signin?to=/account')))
  expect(pages.renderings).toHaveLength(1)
  const all = [first, ...others]
  for (const { status, same, html, headers, nonce } of all) {
    expect([status, same]).toEqual([200, first.same])
    expect(headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
    expect(headers['content-length']).toBe(String(Buffer.byteLength(html)))
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    expect(Object.keys(headers)).toEqual(Object.keys(first.headers))
  }
  expect(new Set(all.map(({ nonce }) => nonce)).size).toBe(201)
  expect(new Set(all.map(({ headers }) => headers['x-request-id'])).size).toBe(201)
})

it('answers 200 strangers at once while no page is kept, each with a nonce of its own', async () => {
  const all = await Promise.all(Array.from({ length: 200 }, () => pages.ask('/signin')))
  for (const { status, headers, nonce } of all)
    expect([status, headers['content-security-policy']]).toEqual([200, expect.stringContaining(`'nonce-${nonce}'`)])
  expect(new Set(all.map(({ nonce }) => nonce)).size).toBe(200)
  const before = pages.renderings.length
  await pages.ask('/signin')
  expect(pages.renderings).toHaveLength(before)
})

it('shows nothing that another client sent, but the languages, which have pages of their own', async () => {
  const planted = { 'user-agent': 'planted', rsc: '1', 'x-forwarded-host': 'planted', 'next-url': 'planted' }
  const hostile = { ...planted, accept: 'planted/html', range: 'bytes=0-1', 'if-none-match': '*', 'x-nonce': 'planted' }
  const first = await pages.ask('/signin', { ...hostile, 'accept-language': 'ja' })
  expect(first.html).not.toContain('planted')
  expect(Object.keys(pages.renderings[0] ?? {}).sort()).toEqual(['accept', 'accept-language', 'host', 'x-request-id'])
  expect((await pages.ask('/signin', { 'accept-language': 'ja', cookie: '' })).same).toBe(first.same)
  expect((await pages.ask('/signin', { 'accept-language': 'de' })).html).toContain('"accept-language":"de"')
  expect((await pages.ask('/signin')).html).not.toContain('accept-language')
  expect(pages.renderings).toHaveLength(3)
})

it('keeps the home page of a client on this machine, which can link to the letters, apart', async () => {
  const there = await pages.ask('/')
  const here = await pages.ask('/', { 'x-test-local': '1' })
  expect(here.same).not.toBe(there.same)
  expect((await pages.ask('/')).same).toBe(there.same)
})

const id = (letter: string) => `postern-browser=${letter.repeat(43)}`

it('shows all strangers one page, whatever their id, their time zone and the cookies of other programs', async () => {
  const first = await pages.ask('/signin', { cookie: `${id('a')}; postern_zone=Asia/Tokyo` })
  for (const cookie of [id('b'), `postern_zone==; ${id('c')}`, '_ga=postern-session=1; =; a', ''])
    expect((await pages.ask('/signin', { cookie })).same).toBe(first.same)
  expect(pages.renderings).toHaveLength(1)
  expect(pages.renderings[0]).not.toHaveProperty('cookie')
})

it('keeps a page for each theme and language that was chosen in the footer', async () => {
  const looks = [
    'postern_theme=dark',
    'postern_theme=light',
    'postern_language=ja',
    'postern_language=ja; postern_theme=dark',
  ]
  for (const cookie of ['', ...looks]) {
    const first = await pages.ask('/signin', { cookie })
    const other = [id('a'), ...cookie.split('; ').reverse()].filter(Boolean).join('; ')
    expect((await pages.ask('/signin', { cookie: other })).same).toBe(first.same)
  }
  expect(pages.renderings.map(({ cookie }) => cookie)).toEqual([undefined, ...looks])
})

it('answers 200 strangers with ids of their own at once, each in the theme that was chosen', async () => {
  const themes = ['dark', 'light']
  const kept = []
  for (const theme of themes) kept.push((await pages.ask('/signin', { cookie: `postern_theme=${theme}` })).same)
  const ask = (index: number) => {
    const own = `postern-browser=${String(index).padStart(43, 'c')}; postern_theme=${themes[index % 2]}`
    return pages.ask('/signin', { cookie: `${own}; postern_zone=<script>${index}` })
  }
  const all = await Promise.all(Array.from({ length: 200 }, (_, index) => ask(index)))
  for (const [index, { same }] of all.entries()) expect(same).toBe(kept[index % 2])
  expect(pages.renderings).toHaveLength(2)
  expect(JSON.stringify(pages.renderings)).not.toContain('script')
})

it.each([
  ['a session', '/signin', { cookie: 'a=b;postern-session=sealed' }],
  ['an unknown cookie of ours', '/signin', { cookie: 'postern-unknown=1' }],
  ['an unknown theme', '/signin', { cookie: 'postern_theme=purple' }],
  ['an unknown language', '/signin', { cookie: 'postern_language=xx' }],
  ['two ids', '/signin', { cookie: `${id('a')}; ${id('b')}` }],
  ['two themes', '/signin', { cookie: 'postern_theme=dark; postern_theme=light' }],
  ['an id that is none', '/signin', { cookie: id('=') }],
  ['a cookie without a value', '/signin', { cookie: 'postern-session' }],
  ['very long cookies', '/signin', { cookie: 'a=b; '.repeat(1000) }],
  ['a request of an app', '/signin?request=sealed', {}],
  ['an unknown parameter', '/signin?to=/account&as=other', {}],
  ['the parameter twice', '/signin?to=/account&to=/account', {}],
  ['another address in other letters', '/SIGNIN', {}],
  ['very long languages', '/signin', { 'accept-language': 'de,'.repeat(100) }],
])('renders a page for each client with %s', async (_, path, headers) => {
  await pages.ask('/signin')
  const [one, other] = [await pages.ask(path, headers), await pages.ask(path, headers)]
  expect(one.same).not.toBe(other.same)
  expect(pages.renderings).toHaveLength(3)
})

it.each([
  ['an error', { status: 500 }],
  ['a redirect', { status: 307, headers: { location: '/account' } }],
  ['a page that failed inside', { html: '<html><body><template data-dgst="1"></template></body></html>' }],
  ['a page with a cookie', { headers: { 'set-cookie': 'a=b' } }],
  ['a page that names its request', { html: '<html><body>request-1</body></html>' }],
  ['a page without a nonce', { headers: { 'content-security-policy': "default-src 'none'" } }],
])('does not keep %s', async (_, what) => {
  pages.instead = what
  const { headers } = await pages.ask('/signin')
  pages.instead = {}
  const next = await pages.ask('/signin')
  expect([next.status, next.headers.location, next.headers['set-cookie']]).toEqual([200, undefined, undefined])
  expect(headers['x-request-id']).toBe('request-1')
  expect(pages.renderings).toHaveLength(2)
})

it('lets the browser of a stranger reload a page that failed while the database was unavailable', async () => {
  pages.instead = { status: 500, html: '<html id="__next_error__"><body></body></html>' }
  pages.isTroubled = true
  const browser = await pages.ask('/signin', { accept: 'text/html,application/xhtml+xml' })
  const other = await pages.ask('/signin')
  expect([browser, other].map(({ status, headers }) => [status, headers.refresh])).toEqual([
    [503, '5'],
    [503, undefined],
  ])
})

it('answers HEAD by Next', async () => {
  await pages.ask('/signin')
  expect((await pages.ask('/signin', {}, 'HEAD')).html).toBe('')
  expect(pages.renderings).toHaveLength(2)
})

it('lets one request in a second render a page again, and every request after two seconds', async () => {
  const first = await pages.ask('/signin')
  vi.advanceTimersByTime(999)
  expect((await pages.ask('/signin')).same).toBe(first.same)
  vi.advanceTimersByTime(1)
  const together = await Promise.all(Array.from({ length: 8 }, () => pages.ask('/signin')))
  expect(pages.renderings).toHaveLength(2)
  expect(together.some(({ same }) => same !== first.same)).toBe(true)
  expect((await pages.ask('/signin')).html).toContain('"call":"2"')
  vi.advanceTimersByTime(2_000)
  expect((await pages.ask('/signin')).html).toContain('"call":"3"')
})

it('holds few pages, however many languages browsers name', async () => {
  const askIn = (index: number) => pages.ask('/signin', { 'accept-language': `x-${index}` })
  for (let index = 0; index < 64; index++) await askIn(index)
  await askIn(0)
  expect(pages.renderings).toHaveLength(64)
  await askIn(64)
  await askIn(1)
  expect(pages.renderings).toHaveLength(65)
  await askIn(0)
  expect(pages.renderings).toHaveLength(66)
})
