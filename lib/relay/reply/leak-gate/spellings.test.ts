import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { rewriteReply } from '#lib/relay/reply/rewrite/rewrite-reply'
import { aboutReply, message } from '#lib/testing/relay/reply'
import { makeHider } from './hide-addresses.ts'
import { findLeak } from './leak-gate.ts'

const bob = 'bob_real@home.example'
const alias = 'b7kq3mzt9xpd@relay.example'
const about = { ...aboutReply, hidden: [bob] }
const html = (text: string) =>
  message('Content-Type: text/html; charset=utf-8', text).toString().replace('alice@example.org', 'x@y.example')

/** Returns the rewritten text, or the reason of the refusal. */
function sent(text: string): string {
  const result = rewriteReply(Buffer.from(html(text)), about)
  if (result.kind === 'refused') return result.reason
  const body = result.message.toString().split('\r\n\r\n').slice(1).join('\r\n\r\n')
  return Buffer.from(
    body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString()
}

describe('a spelling that is replaced', () => {
  it.each([
    ['[bob\\_real@home.example](mailto:x)', '[b7kq3mzt9xpd@relay.example](mailto:x)'],
    ['bob\\_real\\@home\\.example', 'b7kq3mzt9xpd@relay.example'],
    ['bob_real\\+shop\\-1@home.example', 'b7kq3mzt9xpd@relay.example'],
    ['"bob_real"@home.example', '"b7kq3mzt9xpd"@relay.example'],
    ['bob_real @ home.example', 'b7kq3mzt9xpd @ relay.example'],
    ['bob_real\u00a0@\u00a0home.example', 'b7kq3mzt9xpd\u00a0@\u00a0relay.example'],
    ['bob_real&nbsp;@&nbsp;home.example', 'b7kq3mzt9xpd&nbsp;@&nbsp;relay.example'],
    ['bob_real&#160;&#64;&#xa0;home.example', 'b7kq3mzt9xpd&#160;&#64;&#xa0;relay.example'],
    ['bob_real at home.example', 'b7kq3mzt9xpd at relay.example'],
    ['bob_real at\r\nhome.example', 'b7kq3mzt9xpd at\r\nrelay.example'],
    ['bob_real AT home DOT example', 'b7kq3mzt9xpd AT relay.example'],
    ['bob_real [at] home.example', 'b7kq3mzt9xpd [at] relay.example'],
    ['bob_real(@)home.example', 'b7kq3mzt9xpd(@)relay.example'],
    ['bob_real (at) home (dot) example', 'b7kq3mzt9xpd (at) relay.example'],
    ['bob_real { at } home[.]example', 'b7kq3mzt9xpd { at } relay.example'],
    ['escape: %u003Cbob%u005freal%u0040home%u002eexample', 'escape: %u003Cb7kq3mzt9xpd%u0040relay.example'],
    ['"\\074bob_real\\100home\\56example"', 'leak'],
    ['"\\074bob_real\\100home\\056example"', '"\\074b7kq3mzt9xpd\\100relay.example"'],
  ])('becomes the alias: %s', (text, expected) => {
    expect(sent(`Hi, ${text} here`)).toBe(expected === 'leak' ? 'leak' : `Hi, ${expected} here`)
  })

  // V8 compiled the patterns of most addresses so that they ignored the case of some letters only.
  it.each(Array.from({ length: 30 }, (_, at) => `b${'o'.repeat(at)}_real@home.example`))(
    'is found in upper, lower and mixed case: %s',
    (address) => {
      const [local] = address.split('@')
      for (const text of [
        `${local} AT home DOT example`,
        `${local} At home dOt example`,
        `u=e-3D${local}-40HOME.example`,
      ])
        expect([text, findLeak(Buffer.from(`X-Id: 1\r\n\r\nHi, ${text} here`), [address])]).toEqual([text, 'leak'])
    },
  )

  it.each([
    ['sırrı@home.example', 'SIRRI@HOME.EXAMPLE'],
    ['ada.ⅷ@home.example', 'ADA.Ⅷ@HOME.EXAMPLE'],
    ['ⓐda@home.example', 'ⒶDA@HOME.EXAMPLE'],
  ])('is found when a program has written %s in capitals', (address, capitals) => {
    expect(makeHider([address], alias)(`Hi, ${capitals} here`)).toBe(`Hi, ${alias} here`)
  })

  it.each(['?maria*lee', '|marialee', '[marialee', '$maria{2}'])(
    'is found in home folders when its local part has the syntax of a pattern: %s',
    (local) => {
      const hide = makeHider([`${local}@home.example`], alias)
      const [five, six] = [local.slice(0, 5), local.slice(0, 6)]
      expect(hide(`C:\\Users\\${five}\\a and c:\\users\\${six}~1\\b and /home/${local}/c`)).toBe(
        'C:\\Users\\user\\a and c:\\users\\user\\b and /home/user/c',
      )
      expect(hide('/home/mari/c')).toBe('/home/mari/c')
    },
  )

  it.each(
    ['md5', 'sha1', 'sha256', 'sha512'].flatMap((name) =>
      (['hex', 'base64', 'base64url'] as const).map((encoding) => [name, encoding] as const),
    ),
  )('finds a digest by %s in %s', (name, encoding) => {
    const digest = (address: string) => createHash(name).update(address).digest(encoding)
    expect(findLeak(Buffer.from(`X-Id: 1\r\n\r\nid ${digest(bob)}.`), [bob])).toBe('leak')
    expect(sent(`id ${digest(bob)}.`)).toBe(`id ${digest(about.alias)}.`)
  })
})

describe('a spelling that is refused', () => {
  const codes = [...bob].map((char) => char.charCodeAt(0))
  const hexadecimal = codes.map((code) => code.toString(16))
  const strings: [string, string][] = [
    ['octal UTF-16', `(\\376\\377${[...bob].map((char) => `\\000${char}`).join('')})`],
    ['octal throughout', `(${codes.map((code) => `\\${code.toString(8)}`).join('')})`],
    ['hexadecimal digits in pairs', `<${hexadecimal.join(' ').toUpperCase()}>`],
    ['hexadecimal UTF-16 in lines', `<FEFF ${hexadecimal.map((code) => `00${code}`).join('\n')}>`],
    ['hexadecimal digits apart anywhere', `<${hexadecimal.join('').replace(/.{3}/g, '$& ')}>`],
  ]
  const pdf = (bytes: string) =>
    `X-Id: 1\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.4\r\n1 0 obj << /Author ${bytes} >>\r\n`

  it.each(strings)('finds a PDF string in %s', (_, written) => {
    expect(findLeak(Buffer.from(pdf(written)), [bob])).toBe('leak')
    // The same string after binary data, such as a font or an image.
    expect(findLeak(Buffer.from(pdf(`\0 \\1${'\0'.repeat(5000)}${written}`), 'latin1'), [bob])).toBe('leak')
    expect(findLeak(Buffer.from(pdf(written)), ['rob_real@home.example'])).toBeUndefined()
  })

  it.each([
    'bob_real<!-- > -->@home.example',
    'bob_real<!-- <b> --!>@<!-- > -->home.example',
    'bob_real<a title="a > b">@</a>home.example',
    "bob_real@<img alt = '>'>home.example",
    `bob_real<b class="${'x '.repeat(1000)}">@</b>home.example`,
    '<i it"s>bob_real<!-- > -->@home.example',
    'bob&lowbar;real<!-- > -->&commat;home.example',
  ])('finds an address split by a tag that contains a bracket: %s', (text) => {
    expect(sent(text)).toBe('leak')
  })
})

it('keeps words that only look like an address', () => {
  const text =
    'bob_real @ work, bob_real at home, rob_real at home.example, at home.example, mad\\.bob_real@home.example, bob_real at home.examples, <!-- > -->bob_real, bob_real and home.example'
  expect(sent(text)).toBe(text)
})

it.each(['bob_real\\', 'bob_real \u00a0 \r\n> ', 'bob_real<!-- <a href="', '<!-- > -->bob_real', '\\1', '62 6f\r\n'])(
  'searches a very large text that consists of %j only',
  (piece) => {
    const text = piece.repeat(Math.ceil((4 * 1024 * 1024) / piece.length))
    expect(findLeak(Buffer.from(`X-Id: 1\r\nContent-Type: text/html\r\n\r\n${text}`), [bob])).toBeUndefined()
  },
)
