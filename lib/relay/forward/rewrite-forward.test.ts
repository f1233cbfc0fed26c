import { globSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { addressParser } from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { endOfHead, fieldValue, type HeaderField, readFields, writeFields } from '#lib/relay/mime/header-fields'
import { alias, knownIds, received, reverse, rewriteHead } from '#lib/testing/relay/forward'

describe('golden pairs', () => {
  const pairs = globSync('lib/relay/forward/golden/forward-*.before.eml').sort()

  it('are complete', () => expect(pairs.length).toBeGreaterThanOrEqual(10))

  it.each(pairs)('rewrites %s to its expected form, byte for byte', (file) => {
    const before = readFileSync(file)
    const bodyAt = endOfHead(before) as number
    const after = Buffer.concat([writeFields(rewriteHead(before.subarray(0, bodyAt))), before.subarray(bodyAt)])
    expect(after.toString('latin1')).toBe(readFileSync(file.replace('.before.', '.after.'), 'latin1'))
  })
})

describe('any header block', () => {
  const gone = [
    ...['Cc', 'Bcc', 'Resent-From', 'Resent-To', 'Resent-Anything', 'Sender', 'Mail-Followup-To', 'Mail-Reply-To'],
    ...['Errors-To', 'Return-Path', 'Delivered-To', 'X-Original-To', 'DKIM-Signature', 'Disposition-Notification-To'],
    ...['Disposition-Notification-Options', 'Return-Receipt-To', 'X-Confirm-Reading-To', 'Read-Receipt-To'],
    ...['Generate-Delivery-Report', 'To', 'Reply-To', 'Request-Receipt', 'X-PMRQC', 'Autocrypt', 'Autocrypt-Gossip'],
    ...['Newsgroups', 'Followup-To', 'Delivery-Receipt-To', 'X-Confirm-Delivery-To', 'X-Acknowledge-To', 'OpenPGP'],
    ...['X-PGP-Key', 'Chat-Version', 'Chat-Disposition-Notification-To', 'Secure-Join', 'CFBL-Address', 'Envelope-To'],
    ...['X-Errors-To', 'X-Complaints-To', 'Apparently-To', 'X-MS-Read-Receipt', 'Return-Receipt-Requested'],
  ]
  const single = ['Subject', 'Date', 'Message-ID', 'MIME-Version', 'Content-Type', 'Content-Transfer-Encoding']
  const kept = ['Received', 'X-Anything', 'Auto-Submitted', 'Precedence']
  const other = ['References', 'In-Reply-To', 'List-Unsubscribe', 'List-Unsubscribe-Post', 'List-Post', 'List-Id']

  const name = fc
    .tuple(fc.constantFrom(...gone, ...single, ...kept, ...other), fc.infiniteStream(fc.boolean()))
    .map(([text, upper]) => [...text].map((one) => (upper.next().value ? one.toUpperCase() : one)).join(''))
  const word = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/[\r\n\0]/g, '')),
    fc.constantFrom(
      '<mailto:a@acme.example>',
      '<https://acme.example/u>',
      ...knownIds.keys(),
      'ada@acme.example',
      '=?',
      '"',
      '(',
    ),
  )
  const value = fc
    .array(fc.tuple(fc.constantFrom(' ', '\t', '\r\n ', '\r\n\t', ' \r\n  '), word), { maxLength: 6 })
    .map((pieces) => pieces.flat().join(''))
  const line = fc.oneof(
    { weight: 20, arbitrary: fc.tuple(name, fc.constantFrom(':', ' :'), value).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: fc.constantFrom('no field at all', 'From the mbox', '\xa0odd: x', ': x') },
  )
  const author = fc
    .tuple(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.constantFrom('ada@acme.example', '"a b"@acme.example'))
    .map(([text, address]) => `From: "${text.replace(/[\r\n\0]/g, '').replace(/["\\]/g, '\\$&')}" <${address}>`)
  const heads = fc
    .tuple(fc.array(line, { maxLength: 12 }), author, fc.array(line, { maxLength: 12 }))
    .map(([before, from, after]) => Buffer.from([...before, from, ...after, '', ''].join('\r\n')))

  const holds = (property: (before: HeaderField[], after: HeaderField[]) => void) =>
    fc.assert(
      fc.property(heads, (head) => {
        const written = writeFields(rewriteHead(head))
        property(readFields(head), readFields(written))
      }),
      { numRuns: 500 },
    )
  const named = (fields: HeaderField[], wanted: string) => fields.filter(({ name }) => name === wanted.toLowerCase())

  it('is left with exactly one From, Reply-To and To, all set by the relay', () => {
    holds((_before, after) => {
      expect(named(after, 'From').map((field) => addressParser(fieldValue(field)))).toMatchObject([
        [{ address: reverse }],
      ])
      expect(named(after, 'Reply-To').map(fieldValue)).toEqual([`<${reverse}>`])
      expect(named(after, 'To').map(fieldValue)).toEqual([`<${alias}>`])
    })
  })

  it('gets a display name without @, control characters or bare quotes', () => {
    holds((_before, after) => {
      const [from] = named(after, 'From') as [HeaderField]
      const shown = from.raw.slice('From: '.length, -`\r\n <${reverse}>`.length)
      expect(shown).toMatch(
        /^(?:"(?:[ !#-?A-[\]-~]|\\["\\])*"|=\?UTF-8\?B\?[A-Za-z0-9+/=]+\?=(?:\r\n =\?UTF-8\?B\?[A-Za-z0-9+/=]+\?=)*)$/,
      )
      for (const encoded of shown.split('\r\n '))
        expect(encoded.length).toBeLessThanOrEqual(shown.startsWith('"') ? 400 : 75)
      expect(addressParser(fieldValue(from))[0]?.name).not.toMatch(/[@\p{Cc}\u202a-\u202e]/u)
    })
  })

  it('loses every removed field, in any spelling', () => {
    const ours = new Set(['to', 'reply-to'])
    const forbidden = new Set(gone.map((one) => one.toLowerCase()).filter((one) => !ours.has(one)))
    holds((_before, after) => {
      expect(after.filter(({ name }) => name === '' || forbidden.has(name))).toEqual([])
      for (const one of ['List-Unsubscribe', 'List-Post']) {
        expect(named(after, one).filter(({ raw }) => raw.includes('mailto:'))).toEqual([])
      }
    })
  })

  it('keeps the first of each field that may occur once', () => {
    holds((before, after) => {
      for (const one of single) expect(named(after, one)).toEqual(named(before, one).slice(0, 1))
    })
  })

  it('keeps trace fields and unknown fields in their order, below the new Received field', () => {
    holds((before, after) => {
      expect(named(after, 'Received')).toEqual([received, ...named(before, 'Received')])
      for (const one of kept.slice(1)) expect(named(after, one)).toEqual(named(before, one))
    })
  })

  it('gets the other side’s Message-IDs for known ones in its thread fields, and no other change there', () => {
    const mapped = ({ raw }: HeaderField) =>
      [...knownIds].reduce((text, [ours, theirs]) => text.replaceAll(ours, theirs), raw)
    holds((before, after) => {
      for (const one of ['References', 'In-Reply-To']) {
        expect(named(after, one).map(({ raw }) => raw)).toEqual(named(before, one).slice(0, 1).map(mapped))
      }
    })
  })

  it('parses to the same fields after it is written', () => {
    fc.assert(
      fc.property(heads, (head) => {
        const fields = rewriteHead(head)
        expect(readFields(writeFields(fields))).toEqual(fields)
      }),
    )
  })
})
