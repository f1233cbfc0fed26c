import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBody, decodeText, encodeBase64, encodeQuotedPrintable } from './encodings.ts'
import { decodeWords, encodeWords, readParameters } from './header-fields.ts'
import { allParts, readMime } from './read-mime.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')

describe('transfer encodings', () => {
  it('decode to the encoded bytes, in lines of at most 76 ASCII characters', () => {
    const odd = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: fc.constantFrom('\r\n', ' ', '\t', '=', '.', 'From ', 'a'.repeat(74), 'ü') }),
    )
    fc.assert(
      fc.property(odd, (given) => {
        const bytes = Buffer.from(given as string)
        for (const [name, text] of Object.entries({
          'quoted-printable': encodeQuotedPrintable(bytes),
          base64: encodeBase64(bytes),
        })) {
          expect(decodeBody(latin1(text), name)).toEqual(bytes)
          expect(text.split('\r\n').filter((line) => line.length > 76 || /[^\t -~]|[\t ]$/.test(line))).toEqual([])
        }
      }),
    )
  })

  it('encode the start of a mailbox separator, a final blank and a lone dot', () => {
    expect(encodeQuotedPrintable(latin1('From \r\n.\r\nFrom me'))).toBe('=46rom=20\r\n=2E\r\n=46rom me')
  })

  it('accept blanks after a soft line break and keep an invalid escape unchanged', () => {
    expect(decodeBody(latin1('a=  \r\nb=\nc=zz=4=3d= d='), 'quoted-printable')?.toString()).toBe('abc=zz=4== d')
    expect(decodeBody(latin1('x'), 'x-uuencode')).toBeUndefined()
  })
})

describe('character sets', () => {
  it.each([
    ['iso-2022-jp', '1b244224221b2842', 'あ'],
    ['gb18030', '8130813081358437', '\u0080ÿ'.slice(0, 1)],
    ['UTF-16', 'fffe6100', 'a'],
    ['utf-16', 'feff0061', 'a'],
    ['utf-16', '00610062', 'ab'],
    ['utf-16', '61006200', 'ab'],
    ['cp936', 'c4e3', '你'],
    ['us-ascii', 'c3bc', 'ü'],
    [undefined, 'fc', 'ü'],
  ])('decode %s', (label, bytes, text) => {
    expect(decodeText(Buffer.from(bytes, 'hex'), label)?.startsWith(text)).toBe(true)
  })

  it.each(['utf-7', 'utf-32', 'iso-2022-kr', 'x-odd'])('do not decode %s', (label) => {
    expect(decodeText(Buffer.from('x'), label)).toBeUndefined()
  })
})

describe('encoded words', () => {
  it('encode and decode any text in lines within the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const clean = text.replace(/\p{Cc}/gu, '').toWellFormed()
        const written = encodeWords(clean)
        expect(decodeWords(written.replaceAll('\r\n', ''))).toBe(clean)
        if (written.includes('\r\n'))
          for (const line of written.split('\r\n')) expect(line.length).toBeLessThanOrEqual(76)
      }),
    )
  })

  it('join a character split over two words, ignore languages, and keep blanks around text between words', () => {
    expect(decodeWords('a =?utf-8?Q?=C3?=  =?UTF-8*de?b?vA==?= b')).toBe('a ü b')
    expect(decodeWords('=?utf-7?Q?x?=')).toBeUndefined()
  })
})

describe('parameters', () => {
  const name = (value: string) => readParameters(value).parameters.get('name')
  it.each([
    ['image/png; name="a \\"b\\".png"', 'a "b".png'],
    ['image/png; name=a b.png; x=y', 'a b.png'],
    ["image/png; name*=utf-8'de'%C3%BC.png", 'ü.png'],
    ['image/png; name*1="b.png"; name*0*=iso-8859-1\'\'%FC', 'üb.png'],
    ['image/png; name="=?utf-8?B?w7w=?=.png"', 'ü.png'],
    ["image/png; name=old; name*=utf-8''new", 'new'],
    ['image/png (name=no) ; name=one; name=two', 'one'],
  ])('parse %s', (value, expected) => {
    expect(name(value)).toBe(expected)
    expect(readParameters(value).first).toBe('image/png')
  })
})

describe('the MIME tree', () => {
  const types = (text: string) => {
    const root = readMime(latin1(text))
    return (
      root &&
      allParts(root).map(({ contentType, body, parts }) => (parts.length ? contentType.first : body.toString('latin1')))
    )
  }

  it('takes only whole lines as delimiters, including the preceding line break', () => {
    const text =
      'Content-Type: Multipart/Mixed; boundary="b "\r\n\r\nbefore\r\n--b \t\r\n\r\none --b\r\n--bc\r\n\r\n--b\r\nX: y\r\n--b--\r\nafter'
    expect(types(text)).toEqual(['multipart/mixed', 'one --b\r\n--bc\r\n', ''])
  })

  it('ends an inner multipart at an outer delimiter and accepts a missing end', () => {
    const text =
      'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\none\r\n--a\r\n\r\ntwo'
    expect(types(text)).toEqual(['multipart/mixed', 'multipart/mixed', 'one', 'two'])
  })

  it('reads a message without header fields as text', () => {
    expect(types('\r\nHi')).toEqual(['Hi'])
  })

  it('parses any input without an error', () => {
    const pieces = fc.constantFrom(
      'Content-Type: multipart/mixed; boundary=b\r\n',
      '--b',
      '--b--',
      '\r\n',
      '\r\n\r\n',
      'x',
      'Content-Transfer-Encoding: base64\r\n',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (some) => {
        const root = readMime(latin1(some.join('')))
        expect(root === undefined || allParts(root).length > 0).toBe(true)
      }),
    )
  })
})

it('reads an unclosed value of any length to its end', () => {
  const quotes = `text/plain; a="${'\\"'.repeat(120_000)}`
  expect(readParameters(quotes).parameters.get('a')).toBe('"'.repeat(120_000))
  const comments = `text/plain ${'(\\('.repeat(60_000)}`
  expect(readParameters(comments).first).toBe('text/plain')
  const pieces = `text/plain${'; a="\\"'.repeat(30_000)}`
  expect(readParameters(pieces).parameters.has('a')).toBe(true)
})
