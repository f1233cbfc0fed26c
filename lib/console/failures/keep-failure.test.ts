import { describe, expect, it } from 'vitest'
import { keepFailure } from './keep-failure.ts'
import { maskText, maskUri } from './mask.ts'
import { openSourceLimit } from './source-limit.ts'

const at = new Date('2026-11-20T10:00:00Z')
const keep = (detail: Record<string, unknown>, reason = 'redirect_uri is not registered for this app') =>
  keepFailure({ appId: 'acme-web', endpoint: 'authorize', code: 'invalid_request', reason, detail }, at)

describe('a URI that was sent', () => {
  it.each([
    ['https://a.example/cb', 'https://a.example/cb'],
    ['https://a.example/cb?email=ada%40example.org&x=1', 'https://a.example/cb?email=…&x=…'],
    ['https://a.example/cb?eyJhbGciOi', 'https://a.example/cb?…'],
    ['https://a.example/cb?=secret', 'https://a.example/cb?…'],
    ['https://a.example/cb?7\r\nset-cookie: a=b', 'https://a.example/cb?…'],
    ['https://a.example/cb#access_token=x', 'https://a.example/cb#…'],
    ['https://a.example/cb#', 'https://a.example/cb#…'],
    ['https://ada:pw@a.example/cb', 'https://…@a.example/cb'],
    ['https://a.example/people/ada@example.org', 'https://a.example/people/…'],
    [`https://a.example/${'x'.repeat(43)}/cb`, 'https://a.example/…/cb'],
    ['com.example.app:/cb?code=1', 'com.example.app:/cb?code=…'],
    ['mailto:ada@example.org', 'mailto:…'],
    ['https://a.example/people/ada%40example.org', 'https://a.example/people/…'],
    ['https://a.example/people/ada%2540localhost/cb', 'https://a.example/people/…/cb'],
    ['https:\\\\ada:pw@localhost\\cb', 'https:…'],
    ['https:/ada:pw@localhost/cb', 'https:/…/cb'],
    ['https://a.example/phone/+4915112345678/cb', 'https://a.example/phone/…/cb'],
    ['https://a.example/cb?ada%40example.org=1&ok=1', 'https://a.example/cb?…&ok=…'],
    ['https://a.example/cb?c2VjcmV0LXNlY3JldA==', 'https://a.example/cb?…'],
    ['https://a.example/cb?c2VjcmV0LXNlY3JldA=', 'https://a.example/cb?…'],
    ['https://a.example/people/ada＠example.org', 'https://a.example/people/…'],
    ['https://a.example/@ada/cb', 'https://a.example/…/cb'],
    ['https://a.example/cb;jsessionid=1A2B3C', 'https://a.example/cb;jsessionid=…'],
    ['tel:+49-170-1234567', 'tel:+49-170-…'],
    ['https://a.example/magic/Qm9zc2VkMjAyNg7xK3', 'https://a.example/magic/…'],
    ['https://a.example/v2/oauth2/callback-production-eu', 'https://a.example/v2/oauth2/callback-production-eu'],
    ['', ''],
    ['?', '?'],
  ])('is kept of %s as %s', (sent, kept) => {
    expect(maskUri(sent)).toBe(kept)
  })

  it('keeps what the registered URI has too', () => {
    expect(maskUri('https://a.example/@ada/cb/', 'https://a.example/@ada/cb')).toBe('https://a.example/@ada/cb/')
    expect(maskUri('https://a.example/cb?tenant=1&code=2', 'https://a.example/cb?tenant=1')).toBe(
      'https://a.example/cb?tenant=1&code=…',
    )
  })

  it('shows characters that lie over others', () => {
    expect(maskUri('https://a.example/c\u0301b')).toBe('https://a.example/c\\u{301}b')
  })

  it('shows invisible characters, and stays short and well-formed', () => {
    expect(maskUri('https://a.example/c\u202Eb\u0000\u00A0')).toBe('https://a.example/c\\u{202e}b\\u{0}\\u{a0}')
    expect(maskText('a\u3164b\u034Fc\u2800d', 40)).toBe('a\\u{3164}b\\u{34f}c\\u{2800}d')
    const long = maskUri(`https://a.example/${'😀'.repeat(1000)}`)
    expect(long.length).toBeLessThanOrEqual(500)
    expect(long.isWellFormed()).toBe(true)
    expect(maskText('\uD800', 10)).toBe('\\u{d800}')
  })

  it('is masked in a short time, whatever it holds', () => {
    for (const part of ['a%40', 'a%25', '%2e', 'a@', '@', 'eyJ', 'eyJ.', 'x', '%', '/a@b', '?&', 'rt_'])
      expect(maskUri(part.repeat(5000)).length).toBeLessThanOrEqual(500)
  })
})

describe('a text that was sent', () => {
  it('is kept without e-mail addresses, encoded or not', () => {
    expect(maskText('key of ada@example.org and ada%40example%2Eorg', 100)).toBe('key of … and …')
  })
})

describe('a failure that is kept', () => {
  it('is another one if what was sent differs, but not if only masked values or times differ', () => {
    const one = keep({ received: 'https://a.example/x?state=1', secondsLate: 1 })
    expect(keep({ received: 'https://a.example/x?state=2', secondsLate: 9 }).id).toBe(one.id)
    const other = keep({ received: 'https://a.example/y' })
    expect(other.id).not.toBe(one.id)
    expect(other.causeId).toBe(one.causeId)
    expect(keep({ received: 'https://a.example/y' }, 'another reason').causeId).not.toBe(one.causeId)
  })

  it('holds the registered URI that is most like the one sent', () => {
    const registered = ['https://a.example/cb', 'http://127.0.0.1/cb', 'https://a.example/signin/done']
    expect(keep({ received: 'http://a.example/signin/done', registered }).detail.registered).toBe(registered[2])
    expect(keep({ received: 'HTTPS://A.example/CB', registered }).detail.registered).toBe(registered[0])
    expect(keep({ received: 'https://a.example/cb', registered: [] }).detail).toEqual({
      received: 'https://a.example/cb',
    })
  })

  it('holds at most twenty known keys, and no value that is neither text nor number', () => {
    const known = Array.from({ length: 50 }, (_, index) => `key-${index}`)
    const { detail } = keep({ kid: 'x', known, odd: { toString: 1 }, none: undefined, bad: Number.NaN })
    expect(detail).toEqual({ kid: 'x', known: known.slice(0, 20) })
  })
})

describe('one network', () => {
  const fresh = (value: number) => keep({ received: `https://evil.example/${value}` })

  it('adds fifty distinct failures of an app in an hour; later ones count with others of their cause', () => {
    let now = at
    const limited = openSourceLimit(() => now)
    for (let value = 0; value < 50; value++) expect(limited(fresh(value), '192.0.2.1')).toEqual(fresh(value))
    expect(limited(fresh(50), '192.0.2.1')).toMatchObject({ id: fresh(50).causeId, isMerged: true })
    expect(limited(fresh(7), '192.0.2.1')).toEqual(fresh(7))
    expect(limited(fresh(50), '192.0.2.2')).toEqual(fresh(50))
    expect(limited({ ...fresh(50), appId: 'other' }, '192.0.2.1').isMerged).toBe(false)
    now = new Date(at.getTime() + 3_600_000)
    expect(limited(fresh(51), '192.0.2.1')).toEqual(fresh(51))
  })

  it('is one /64 of IPv6', () => {
    const limited = openSourceLimit(() => at)
    const last = Array.from({ length: 51 }, (_, value) => limited(fresh(value), `2001:db8::${value.toString(16)}`)).at(
      -1,
    )
    expect(last?.isMerged).toBe(true)
  })
})
