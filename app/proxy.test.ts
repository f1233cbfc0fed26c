import { NextRequest } from 'next/server'
import { afterEach, expect, it } from 'vitest'
import { markBehindFrontDoor } from '#lib/server/front-door/own-headers'
import { proxy } from '../proxy.ts'

afterEach(() => {
  Object.assign(globalThis, { __posternFrontDoor: undefined })
})

/** Returns the request headers that proxy.ts passes on. */
function passedOn(url: string): Record<string, string | null> {
  const headers = { host: new URL(url).host, 'x-postern-client': '6.6.6.6', 'x-request-id': 'chosen', accept: '*/*' }
  const answer = proxy(new NextRequest(url, { headers }))
  const names = answer.headers.get('x-middleware-override-headers')?.split(',') ?? []
  return Object.fromEntries(names.map((name) => [name, answer.headers.get(`x-middleware-request-${name}`)]))
}

it.each(['http://localhost:3000/oauth2/token', 'http://localhost:3001/signin'])(
  'drops Postern’s internal headers when no front door has set them: %s',
  (url) => {
    Object.assign(globalThis, { __posternFrontDoor: undefined })
    const { 'x-postern-client': client, 'x-request-id': requestId, accept } = passedOn(url)
    expect([client, accept]).toEqual([undefined, '*/*'])
    expect(requestId).not.toBe('chosen')
  },
)

it.each([
  ['日本語', ''],
  ['ja\r\nset-cookie: a=b', ''],
  ['ja\0 zh-TW', 'zh-TW'],
  ['\u{1f600} ja', 'ja'],
  ['é ja-JP zh_Hant_TW', 'ja-JP zh-Hant-TW'],
  ['en\tja', ''],
  [`${'a'.repeat(9)} ja`, 'ja'],
  [Array.from({ length: 30 }, () => 'ja').join(' '), Array.from({ length: 10 }, () => 'ja').join(' ')],
  ['x'.repeat(10_000), ''],
  ['', ''],
])('keeps only the language tags of ui_locales %j', (sent, passed) => {
  const query = `ui_locales=${encodeURIComponent(sent)}`
  expect(passedOn(`http://localhost:3001/signin?${query}`)['x-ui-locales'] ?? '').toBe(passed)
  expect(passedOn(`http://localhost:3001/signin?${query}&ui_locales=zz`)['x-ui-locales'] ?? '').toBe(passed)
})

it('trusts the headers of the front door', () => {
  markBehindFrontDoor()
  expect(passedOn('http://localhost:3001/signin')).toMatchObject({
    'x-postern-client': '6.6.6.6',
    'x-request-id': 'chosen',
  })
})

it('rewrites the root of the issuer to its page, and rejects that path on the account host', () => {
  const answer = (url: string) => proxy(new NextRequest(url, { headers: { host: new URL(url).host } }))
  const root = answer('http://localhost:3000/?ui_locales=ja')
  expect(root.headers.get('x-middleware-rewrite')).toBe('http://localhost:3000/issuer?ui_locales=ja')
  expect(root.headers.get('content-security-policy')).toBeNull()
  expect(root.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer('http://localhost:3001/issuer').status).toBe(404)
  expect(answer('http://localhost:3001/').headers.get('x-middleware-rewrite')).toBeNull()
})
