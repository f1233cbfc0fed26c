import { describe, expect, it } from 'vitest'
import { message } from '#lib/testing/relay/reply'
import { digestsOf } from './inbox-names.ts'
import { findLeak } from './leak-gate.ts'

const plainly = (fields: string, body = 'Hi') =>
  Buffer.from(`From: <b7kq3mzt9xpd@relay.example>\r\n${fields === '' ? '' : `${fields}\r\n`}\r\n${body}`)
const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64')
const attached = `From: c@d.example\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64('alice@example.org')}`

describe('the leak gate', () => {
  it.each([
    ['in a plain message', message('', 'Hi')],
    ['in a field', plainly('X-Sender: ALICE@EXAMPLE.ORG')],
    ['in a folded field', plainly('X-Sender: alice@\r\n example.org')],
    ['in a line that is no field', plainly('alice@example.org')],
    ['split by encoded words', plainly('Subject: =?utf-8?Q?ali?=\r\n =?utf-8?B?Y2VAZXhhbXBsZS5vcmc=?=')],
    ['in a parameter split into sections', plainly("X-Name: x; a*1=example.org; a*0*=us-ascii''alice%40")],
    ['in the body', plainly('', 'alice%40example.org')],
    ['as a digest', plainly('', `https://avatars.example/${digestsOf('alice@example.org')[0]?.toUpperCase()}`)],
    ['in base64 inside base64', plainly('', base64(base64(base64('  alice@example.org'))))],
    [
      'in base64 in quoted lines',
      plainly('', base64(`xx alice@example.org ${'y'.repeat(60)}`).replace(/.{19}/g, '$&\r\n> ')),
    ],
    ['in an attached message', plainly('Content-Type: message/rfc822', attached)],
    [
      'in a part of a report',
      plainly('Content-Type: message/delivery-status', 'Final-Recipient: rfc822; alice@example.org'),
    ],
    [
      'in a file in UTF-16',
      plainly(
        'Content-Type: application/x-a\r\nContent-Transfer-Encoding: base64',
        base64(Buffer.from('name alice@example.org', 'utf16le')),
      ),
    ],
    [
      'in a text of another charset',
      plainly(
        'Content-Type: text/plain; charset=utf-16be\r\nContent-Transfer-Encoding: base64',
        base64(Buffer.from('alice@example.org', 'utf16le').swap16()),
      ),
    ],
    [
      'in the bytes of a text with a wrong charset',
      plainly(
        'Content-Type: text/csv; charset=utf-16le\r\nContent-Transfer-Encoding: base64',
        base64('x,alice@example.org\n'),
      ),
    ],
    ['behind a number', plainly('', '1.alice@example.org')],
    ['before a number', plainly('', 'alice@example.org2026')],
    [
      'between the columns of a database',
      plainly(
        'Content-Type: application/x-sqlite3\r\nContent-Transfer-Encoding: base64',
        base64('\0\x07\x23Tel13800138000,7alice@example.org555123'),
      ),
    ],
    ...[
      ['application/json', '{"a":"\\u0061\\u006cice\\u0040example.org"}'],
      ['application/json', '{"a":"alice\\u0040example.org"}'],
      ['image/svg+xml', '<text>&#97;&#x6c;ice&#64;example&#46;org</text>'],
      ['application/xhtml+xml', '&#x61;&#x6c;&#x69;&#x63;&#x65;&#x40;example.org'],
      ['application/rtf', "{\\rtf1 alice\\'40example.org}"],
      ['application/octet-stream', '%61%6c%69%63%65%40%65xample%2eorg'],
      ['application/x-css', 'content: "alice\\000040example.org"'],
      ['text/plain', "alice\\'40example.org"],
    ].map(([type, body]): [string, Buffer] => [`escaped in ${type}: ${body}`, plainly(`Content-Type: ${type}`, body)]),
    [
      'around the parts',
      plainly('Content-Type: multipart/mixed; boundary=b', 'alice@example.org\r\n--b\r\n\r\nHi\r\n--b--'),
    ],
    [
      'after the parts',
      plainly('Content-Type: multipart/mixed; boundary=b', '--b\r\n\r\nHi\r\n--b--\r\nalice@example.org'),
    ],
    [
      'in the boundary',
      plainly('Content-Type: multipart/mixed; boundary="alice@example.org"', '--alice@example.org\r\n\r\nHi\r\n'),
    ],
  ])('finds an address %s', (_, raw) => {
    expect(findLeak(raw, ['bob@example.com', 'alice@example.org'])).toBeDefined()
  })

  it.each([
    ['a multipart without a boundary', plainly('Content-Type: multipart/mixed')],
    ['an unsupported charset', plainly('Content-Type: text/plain; charset=utf-7')],
    ['an encoded word in an unsupported charset', plainly('Subject: =?x-odd?Q?Hi?=')],
    ['an unknown transfer encoding', plainly('Content-Transfer-Encoding: x-uuencode')],
    ['base64 that continues after its padding', plainly('Content-Transfer-Encoding: base64', 'SGk=\r\nSGk=')],
    ['nested messages', plainly('Content-Type: message/rfc822', 'Content-Type: message/rfc822\r\n\r\n'.repeat(6))],
  ])('refuses content that it cannot search: %s', (_, raw) => {
    expect(findLeak(raw, ['alice@example.org'])).toBeDefined()
  })
})

it('finds both forms of an international domain, whichever is stored', () => {
  const forms = [
    'zoë@bücher.example',
    'ZOË@XN--BCHER-KVA.EXAMPLE',
    'zoe\u0308@bu\u0308cher.example',
    'zo%C3%AB%40b%c3%bccher.example',
    'zo&euml;@b&#xfc;cher.example',
  ]
  for (const form of forms) {
    expect(
      findLeak(plainly('Content-Type: text/plain; charset=utf-8', form), ['zoë@xn--bcher-kva.example']),
    ).toBeDefined()
    expect(findLeak(plainly('Content-Transfer-Encoding: base64', base64(form)), ['zoë@bücher.example'])).toBeDefined()
  }
})

it('passes a message with similar addresses of other people', () => {
  const raw = plainly(
    'To: malice@example.org',
    'alice @ work, alice@example.organic, mad.alice@example.org, alice@example.com',
  )
  expect(findLeak(raw, ['alice@example.org'])).toBeUndefined()
  expect(findLeak(raw, [])).toBeUndefined()
})

it('finds an address at the very end of a message of the maximum size', () => {
  const bytes = Buffer.alloc(17 * 1024 * 1024, 'no address at all here, \x00\xff\x12 only bytes\r\n', 'latin1')
  const wrap = (file: Buffer) =>
    plainly(
      'Content-Type: application/zip\r\nContent-Transfer-Encoding: base64',
      base64(file).replace(/.{76}/g, '$&\r\n'),
    )
  expect(findLeak(wrap(bytes), ['alice@example.org'])).toBeUndefined()
  expect(
    findLeak(wrap(Buffer.concat([bytes, Buffer.from('<alice@example.org>')])), ['alice@example.org']),
  ).toBeDefined()
})
