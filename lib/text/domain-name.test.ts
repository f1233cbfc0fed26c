import { describe, expect, it } from 'vitest'
import { readableDomain, readDomain } from './domain-name.ts'

const read = (typed: string, ofHosts = true) => {
  const result = readDomain(typed, { ofHosts })
  return 'problem' in result ? result.problem : result.domain
}

describe('readDomain', () => {
  it.each([
    ['acme.example', 'acme.example'],
    [' ACME.Example. ', 'acme.example'],
    ['shop.acme.co.uk', 'shop.acme.co.uk'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['例え.jp', 'xn--r8jz45g.jp'],
    ['ａｃｍｅ。example', 'acme.example'],
    ['acme.github.io', 'acme.github.io'],
    ['intranet.internal', 'intranet.internal'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ])('reads %j', (typed, domain) => expect(read(typed)).toBe(domain))

  it.each([
    '*.acme.example',
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '[::1]',
    '::1',
    'localhost',
    'acme',
    'https://acme.example',
    'acme.example/path',
    'ada@acme.example',
    'acme.example:443',
    'ac%6de.example',
    'acme .example',
    'acme\n.example',
    'acme..example',
    '.acme.example',
    '-acme.example',
    '_dmarc.acme.example',
    'acme.example\0',
    '‮acme.example',
    '<script>.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(120)}example`,
    'a'.repeat(5000),
  ])('refuses %j', (typed) => expect(read(typed)).toBe('malformed'))

  it.each(['', '  ', '.'])('names %j missing', (typed) => expect(read(typed)).toBe('missing'))

  it.each(['co.uk', 'CO.UK.', 'com.cn', 'acme.kawasaki.jp', 'github.io', '公司.hk'])(
    'refuses the public suffix %j',
    (typed) => expect(read(typed)).toBe('suffix'),
  )

  it('accepts the suffix of a hosting service, which is one company, where only registries count', () => {
    expect([read('github.io', false), read('co.uk', false)]).toEqual(['github.io', 'suffix'])
  })
})

describe('readableDomain', () => {
  const ascii = (typed: string) => new URL(`http://${typed}`).hostname

  it.each([
    'bücher.example',
    '例え.jp',
    'пример.example',
    '中文.tw',
    'ひらがなカタカナ漢字.jp',
    '한국어.kr',
    'ελλάδα.gr',
  ])('returns the Unicode form of %s', (unicode) => expect(readableDomain(ascii(unicode))).toBe(unicode))

  it.each([
    ['a Cyrillic letter between Latin ones', 'аcme.example'],
    ['a Greek letter between Latin ones', 'αcme.example'],
    ['Cyrillic letters only that look Latin', 'сосо.example'],
    ['Latin beside Armenian', 'acmeօ.example'],
    ['no other form', 'acme.example'],
    ['A-labels that decode to nothing', 'xn--a.example'],
  ])('returns nothing for %s', (_, domain) =>
    expect(readableDomain(/^[\x20-\x7e]+$/.test(domain) ? domain : ascii(domain))).toBeUndefined(),
  )
})
