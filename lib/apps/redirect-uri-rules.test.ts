import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RedirectUriCase, redirectUriProblem } from './redirect-uri-rules.ts'

const kinds = ['confidential', 'public', 'assertion'] as const
const production = (kind: RedirectUriCase['kind']): RedirectUriCase => ({ kind, issuerIsLoopback: false })
const evaluation = (kind: RedirectUriCase['kind']): RedirectUriCase => ({ kind, issuerIsLoopback: true })

describe.each(kinds)('redirectUriProblem for an app of kind %s', (kind) => {
  it.each([
    'https://app.example/callback',
    'https://app.example:8443/a/b?x=1',
    'https://[2001:db8::1]/cb',
    'https://xn--bcher-kva.example/%C3%A9',
  ])('accepts %s', (uri) => expect(redirectUriProblem(uri, production(kind))).toBeUndefined())

  it.each([
    ['', 'empty'],
    ['/callback', 'absolute'],
    ['app.example/callback', 'absolute'],
    ['//app.example/callback', 'absolute'],
    ['https://app.example/#done', 'fragment'],
    ['https://app.example/#', 'fragment'],
    ['https://*.app.example/', 'wildcard'],
    ['https://app.example/*', 'wildcard'],
    ['https://user@app.example/', 'user name'],
    ['https://user:pass@app.example/', 'user name'],
    ['https://@app.example/', 'user name'],
    ['https://app.example/a b', 'spaces'],
    ['https://app.example/\n', 'control'],
    ['https://app.example/\u0000', 'control'],
    ['https://app.example/\u00e9', 'ASCII'],
    ['https://app.example\\@evil.example/', 'percent-encode'],
    ['https://app.example/%zz', 'percent-encoding'],
    ['https:app.example/callback', 'host'],
    ['https:///callback', 'host'],
    ['https://app.example:99999/', 'host'],
    ['http://app.example/callback', 'https'],
    ['javascript:alert(1)', 'https'],
    ['JavaScript:alert(1)', 'https'],
    ['data:text/html,x', 'https'],
    ['file:///etc/passwd', 'https'],
    ['myapp:/callback', 'https'],
    ['urn:ietf:wg:oauth:2.0:oob', 'https'],
    [`https://app.example/${'a'.repeat(1981)}`, '2000'],
  ])('rejects %j', (uri, why) => {
    expect(redirectUriProblem(uri, production(kind))).toContain(why)
    expect(redirectUriProblem(uri, evaluation(kind))).toBeDefined()
  })

  it.each(['http://localhost:8080/cb', 'http://127.0.0.1/cb', 'http://[::1]:4000/cb', 'http://app.localhost/cb'])(
    'accepts %s when the issuer is on loopback',
    (uri) => expect(redirectUriProblem(uri, evaluation(kind))).toBeUndefined(),
  )

  it.each([
    'http://localhost:8080/cb',
    'http://127.1/cb',
    'http://0x7f.0.0.1/cb',
    'http://127.0.0.1.example/cb',
    'http://[::ffff:127.0.0.1]/cb',
  ])('rejects %s in production', (uri) => expect(redirectUriProblem(uri, production(kind))).toContain('https'))
})

describe('redirectUriProblem for a public app in production', () => {
  it.each([
    'http://127.0.0.1/cb',
    'http://127.0.0.1:5000/cb',
    'http://[::1]:5000/cb',
    'com.example.app:/callback',
    'com.example.app://callback',
  ])('accepts %s', (uri) => {
    expect(redirectUriProblem(uri, production('public'))).toBeUndefined()
    expect(redirectUriProblem(uri, production('confidential'))).toContain('https')
    expect(redirectUriProblem(uri, production('assertion'))).toContain('https')
  })

  it('requires a slash after a private-use scheme, and rejects a user name', () => {
    expect(redirectUriProblem('com.example.app:callback', production('public'))).toContain('slash')
    expect(redirectUriProblem('com.example.app:', production('public'))).toContain('slash')
    expect(redirectUriProblem('com.example.app://a@b', production('public'))).toContain('user name')
  })
})

it('accepts a URI of exactly 2000 characters', () => {
  expect(redirectUriProblem(`https://app.example/${'a'.repeat(1980)}`, production('public'))).toBeUndefined()
})

const anyCase = fc.record({ kind: fc.constantFrom(...kinds), issuerIsLoopback: fc.boolean() })
const pieces = fc.constantFrom(
  'https',
  'http',
  'HTTP',
  'com.app',
  '://',
  ':',
  '/',
  '//',
  '@',
  '#',
  '*',
  '\\',
  '127.0.0.1',
  'localhost',
  '[::1]',
  'a.example',
  '%41',
  '%',
  '?',
  ' ',
  '\t',
  '\u00e9',
  'javascript',
  '..',
  ':80',
)
const almostUris = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(''))

it('accepts only URIs that parse, without fragment or user name, with https, loopback or a private-use scheme', () => {
  fc.assert(
    fc.property(fc.oneof(almostUris, fc.webUrl(), fc.string()), anyCase, (uri, app) => {
      if (redirectUriProblem(uri, app) !== undefined) return
      const url = new URL(uri)
      expect([url.hash, url.username, url.password]).toEqual(['', '', ''])
      if (url.protocol === 'https:') return
      if (url.protocol === 'http:') expect(url.hostname).toMatch(/^(127(\.\d+){3}|\[::1\]|(.*\.)?localhost)$/)
      else expect([app.kind, url.protocol.includes('.')]).toEqual(['public', true])
    }),
    { numRuns: 3000 },
  )
})

it('rejects in production everything that an evaluation rejects', () => {
  fc.assert(
    fc.property(almostUris, fc.constantFrom(...kinds), (uri, kind) => {
      if (redirectUriProblem(uri, evaluation(kind)) !== undefined)
        expect(redirectUriProblem(uri, production(kind))).toBeDefined()
    }),
    { numRuns: 2000 },
  )
})
