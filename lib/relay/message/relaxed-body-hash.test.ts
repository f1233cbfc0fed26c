import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RelaxedBodyHash } from './inspect-message.ts'

/** A literal implementation of RFC 6376 §3.4.4. */
function asWritten(body: string): string {
  const lines = body.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''))
  const text = lines.join('\r\n').replace(/(\r\n)+$/, '')
  return createHash('sha256')
    .update(text === '' ? '' : `${text}\r\n`, 'latin1')
    .digest('base64')
}

function hashOf(body: string, size: number): string {
  const hash = new RelaxedBodyHash()
  const bytes = Buffer.from(body, 'latin1')
  for (let at = 0; at < bytes.length; at += size) hash.update(bytes.subarray(at, at + size))
  return hash.digest()
}

it('equals the hash of the relaxed form for any white space and any chunk boundaries', () => {
  const piece = fc.oneof(
    fc.constantFrom('', ' ', '\t', ' \t ', '.', '=\xa0', 'a'.repeat(70)),
    fc.stringMatching(/^[A-Za-z0-9+/]{1,12}$/),
  )
  const line = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join(''))
  const body = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\r\n'))
  fc.assert(
    fc.property(body, fc.integer({ min: 1, max: 60 }), (text, size) => {
      expect(hashOf(text, size)).toBe(asWritten(text))
    }),
    { numRuns: 2000 },
  )
})

it('handles thousands of empty lines and one endless line like any other', () => {
  for (const body of ['\r\n'.repeat(3_000), `a${'\r\n'.repeat(3_000)}b`, 'x y'.repeat(10_000), ' '.repeat(20_000)]) {
    expect(hashOf(body, 1_000)).toBe(asWritten(body))
  }
})
