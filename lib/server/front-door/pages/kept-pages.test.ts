import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { localHeader, pageHeaders } from '#lib/http/headers'
import { listen, portOf } from '#lib/server/listen'
import { readConfig } from '#lib/server/settings/config'
import { makeAnswerPage } from './answer-page.ts'

type Headers = Record<string, string>
type Server = Awaited<ReturnType<typeof listen>>

let server: Server
let renderings: Headers[]
/** What the next renderings answer instead of the page. */
let instead: { status?: number; headers?: Headers; html?: string }
let nonces: number
let isTroubled: boolean

beforeEach(async () => {
  // Real seconds would pass while 200 requests are answered.
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  renderings = []
  instead = {}
  nonces = 0
  isTroubled = false
  const config = readConfig({})
  const answer = makeAnswerPage(
    async ({ headers }, outgoing) => {
      const sent = { ...(headers as Headers) }
      renderings.push(sent)
      nonces += 1
      const nonce = String(nonces).padStart(22, 'n')
      outgoing.statusCode = instead.status ?? 200
      const own = { 'content-type': 'text/html; charset=utf-8', ...pageHeaders(config, nonce), ...instead.headers }
      for (const [name, value] of Object.entries(own)) outgoing.setHeader(name, value)
      const words = JSON.stringify({ ...sent, 'x-request-id': undefined, call: renderings.length })
      outgoing.end(instead.html ?? `<html><body>${words}<script data-keep nonce="${nonce}"></script></body></html>`)
    },
    { lean: true, config },
  )
  let requests = 0
  server = await listen({ host: '127.0.0.1', port: 0 }, (incoming, outgoing) => {
    requests += 1
    incoming.headers['x-request-id'] = `request-${requests}`
    if (incoming.headers['x-test-local']) incoming.headers[localHeader] = '1'
    outgoing.setHeader('x-request-id', `request-${requests}`)
    void answer(incoming, outgoing, `request-${requests}`, () => isTroubled)
  })
})
afterEach(() => {
  vi.useRealTimers()
  server.close()
  server.closeAllConnections()
})

async function ask(path: string, headers: Headers = {}, method = 'GET') {
  const sent = request({ port: portOf(server), path, method, headers: { host: 'localhost:3001', ...headers } })
  sent.end()
  const answer = await new Promise<IncomingMessage>((resolve) => sent.on('response', resolve))
  const html = await text(answer)
  const [, nonce] = /nonce="(\S+?)"/.exec(html) ?? []
  return { status: answer.statusCode, headers: answer.headers, html, nonce, same: html.replaceAll(String(nonce), '') }
}

it('renders a page once for strangers, each of whom gets a nonce and a request id of its own', async () => {
  const first = await ask('/signin?to=/account')
  const others = await Promise.all(Array.from({ length: 200 }, () => ask('/signin?to=/account')))
  expect(renderings).toHaveLength(1)
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
  const all = await Promise.all(Array.from({ length: 200 }, () => ask('/signin')))
  for (const { status, headers, nonce } of all)
    expect([status, headers['content-security-policy']]).toEqual([200, expect.stringContaining(`'nonce-${nonce}'`)])
  expect(new Set(all.map(({ nonce }) => nonce)).size).toBe(200)
  const before = renderings.length
  await ask('/signin')
  expect(renderings).toHaveLength(before)
})

it('shows nothing that another client sent, but the languages, which have pages of their own', async () => {
  const planted = { 'user-agent': 'planted', rsc: '1', 'x-forwarded-host': 'planted', 'next-url': 'planted' }
  const hostile = { ...planted, accept: 'planted/html', range: 'bytes=0-1', 'if-none-match': '*', 'x-nonce': 'planted' }
  const first = await ask('/signin', { ...hostile, 'accept-language': 'ja' })
  expect(first.html).not.toContain('planted')
  expect(Object.keys(renderings[0] ?? {}).sort()).toEqual(['accept', 'accept-language', 'host', 'x-request-id'])
  expect((await ask('/signin', { 'accept-language': 'ja', cookie: '' })).same).toBe(first.same)
  expect((await ask('/signin', { 'accept-language': 'de' })).html).toContain('"accept-language":"de"')
  expect((await ask('/signin')).html).not.toContain('accept-language')
  expect(renderings).toHaveLength(3)
})

it('keeps the home page of a client on this machine, which can link to the letters, apart', async () => {
  const there = await ask('/')
  const here = await ask('/', { 'x-test-local': '1' })
  expect(here.same).not.toBe(there.same)
  expect((await ask('/')).same).toBe(there.same)
})

it.each([
  ['a cookie', '/signin', { cookie: 'postern_theme=dark' }],
  ['a request of an app', '/signin?request=sealed', {}],
  ['an unknown parameter', '/signin?to=/account&as=other', {}],
  ['the parameter twice', '/signin?to=/account&to=/account', {}],
  ['another address in other letters', '/SIGNIN', {}],
  ['very long languages', '/signin', { 'accept-language': 'de,'.repeat(100) }],
])('renders a page for each client with %s', async (_, path, headers) => {
  await ask('/signin')
  const [one, other] = [await ask(path, headers), await ask(path, headers)]
  expect(one.same).not.toBe(other.same)
  expect(renderings).toHaveLength(3)
})

it.each([
  ['an error', { status: 500 }],
  ['a redirect', { status: 307, headers: { location: '/account' } }],
  ['a page that failed inside', { html: '<html><body><template data-dgst="1"></template></body></html>' }],
  ['a page with a cookie', { headers: { 'set-cookie': 'a=b' } }],
  ['a page that names its request', { html: '<html><body>request-1</body></html>' }],
  ['a page without a nonce', { headers: { 'content-security-policy': "default-src 'none'" } }],
])('does not keep %s', async (_, what) => {
  instead = what
  const { headers } = await ask('/signin')
  instead = {}
  const next = await ask('/signin')
  expect([next.status, next.headers.location, next.headers['set-cookie']]).toEqual([200, undefined, undefined])
  expect(headers['x-request-id']).toBe('request-1')
  expect(renderings).toHaveLength(2)
})

it('lets the browser of a stranger reload a page that failed while the database was unavailable', async () => {
  instead = { status: 500, html: '<html id="__next_error__"><body></body></html>' }
  isTroubled = true
  const browser = await ask('/signin', { accept: 'text/html,application/xhtml+xml' })
  const other = await ask('/signin')
  expect([browser, other].map(({ status, headers }) => [status, headers.refresh])).toEqual([
    [503, '5'],
    [503, undefined],
  ])
})

it('answers HEAD by Next', async () => {
  await ask('/signin')
  expect((await ask('/signin', {}, 'HEAD')).html).toBe('')
  expect(renderings).toHaveLength(2)
})

it('lets one request in a second render a page again, and every request after two seconds', async () => {
  const first = await ask('/signin')
  vi.advanceTimersByTime(999)
  expect((await ask('/signin')).same).toBe(first.same)
  vi.advanceTimersByTime(1)
  const together = await Promise.all(Array.from({ length: 8 }, () => ask('/signin')))
  expect(renderings).toHaveLength(2)
  expect(together.some(({ same }) => same !== first.same)).toBe(true)
  expect((await ask('/signin')).html).toContain('"call":2')
  vi.advanceTimersByTime(2_000)
  expect((await ask('/signin')).html).toContain('"call":3')
})

it('holds few pages, however many languages browsers name', async () => {
  const askIn = (index: number) => ask('/signin', { 'accept-language': `x-${index}` })
  for (let index = 0; index < 64; index++) await askIn(index)
  await askIn(0)
  expect(renderings).toHaveLength(64)
  await askIn(64)
  await askIn(1)
  expect(renderings).toHaveLength(65)
  await askIn(0)
  expect(renderings).toHaveLength(66)
})
