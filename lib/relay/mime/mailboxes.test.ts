import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseMailboxes } from './mailboxes.ts'

const latin1 = (text: string) => Buffer.from(text).toString('latin1')

describe('mailboxes of a From value', () => {
  it.each([
    ['a@acme.example', [{ address: 'a@acme.example', name: '' }]],
    ['  <a@acme.example>  ', [{ address: 'a@acme.example', name: '' }]],
    ['Acme <a@acme.example>', [{ address: 'a@acme.example', name: 'Acme' }]],
    ['"Acme, Inc." <a@acme.example>', [{ address: 'a@acme.example', name: 'Acme, Inc.' }]],
    ['"a \\"b\\" \\\\ c" <a@acme.example>', [{ address: 'a@acme.example', name: 'a "b" \\ c' }]],
    ['a@acme.example (Acme (the one))', [{ address: 'a@acme.example', name: 'Acme (the one)' }]],
    ['Acme (x, y) <a@acme.example> (z)', [{ address: 'a@acme.example', name: 'Acme' }]],
    ['"b@other.example" <a@acme.example>', [{ address: 'a@acme.example', name: 'b@other.example' }]],
    ['b@other.example <a@acme.example>', [{ address: 'a@acme.example', name: 'b@other.example' }]],
    ['"x@y <b@other.example>" <a@acme.example>', [{ address: 'a@acme.example', name: 'x@y <b@other.example>' }]],
    ['"a b"@acme.example', [{ address: '"a b"@acme.example', name: '' }]],
    ['=?utf-8?Q?Gr=C3=BC=C3=9Fe?= <a@acme.example>', [{ address: 'a@acme.example', name: 'Grüße' }]],
    ['=?utf-8?B?4oKs?= =?utf-8?Q?_5?= x <a@acme.example>', [{ address: 'a@acme.example', name: '€ 5 x' }]],
    ['=?us-ascii?Q?Gr=C3=BC=C3=9Fe?= <a@acme.example>', [{ address: 'a@acme.example', name: 'Grüße' }]],
    ['=?utf-7?Q?+AGE-?= <a@acme.example>', [{ address: 'a@acme.example', name: '' }]],
    ['[Acme] v2.0 <a@acme.example>', [{ address: 'a@acme.example', name: '[Acme] v2.0' }]],
    [latin1('山田　太郎 <山田@例え.example>'), [{ address: '山田@例え.example', name: '山田 太郎' }]],
    ['caf\xe9 <a@acme.example>', [{ address: 'a@acme.example', name: 'café' }]],
    ['root@localhost', [{ address: 'root@localhost', name: '' }]],
    [
      ',a@x.example,, b@y.example',
      [
        { address: 'a@x.example', name: '' },
        { address: 'b@y.example', name: '' },
      ],
    ],
    ['', []],
    ['(nobody)', []],
  ])('parses %s', (value, mailboxes) => expect(parseMailboxes(value)).toEqual(mailboxes))

  it.each([
    'Group: a@acme.example;',
    'undisclosed-recipients:;',
    '<@one.example,@two.example:a@acme.example>',
    '<a@acme.example> <b@other.example>',
    '<a@acme.example> b@other.example',
    'a@acme.example b@other.example',
    'a@b@acme.example',
    '<a@acme.example',
    '"Acme <a@acme.example>',
    'Acme (a <a@acme.example>',
    'a@[192.0.2.1]',
    'a@acme..example',
    '@acme.example',
    'a@',
    'Acme',
    '<>',
    'Acme <a@acme.example>; <b@other.example>',
    '<a\x00@acme.example>',
    '<"a>b"@acme.example>',
    '"a<b"@acme.example',
    `<${'a'.repeat(250)}@acme.example>`,
  ])('rejects %s as ambiguous', (value) => expect(parseMailboxes(value)).toBeUndefined())

  it('reads any quoted text as a name and never as an address', () => {
    const names = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('=?'))
    fc.assert(
      fc.property(names, (name) => {
        const value = latin1(`"${name.replace(/["\\]/g, '\\$&')}" <a@acme.example>`)
        expect(parseMailboxes(value)?.map(({ address }) => address)).toEqual(['a@acme.example'])
      }),
    )
  })

  it('parses or rejects any bytes, and returns only addresses with an @ and without line breaks', () => {
    const pieces = fc.constantFrom(
      'a@b.example',
      '<',
      '>',
      '"',
      '(',
      ')',
      ',',
      ';',
      ':',
      '\\',
      ' ',
      '\x80',
      '\x01',
      'x',
      '@',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        for (const { address } of parseMailboxes(parts.join('')) ?? []) {
          expect(address).toMatch(/^[^\p{Cc}<>]+@[^\p{Cc}\s<>"(),:;@]+$/u)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
