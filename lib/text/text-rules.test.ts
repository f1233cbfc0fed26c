import { randomBytes, randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { estimatedBits, initialsOf } from './text-rules.ts'

it.each([
  ['', 0],
  ['1234', 13],
  ['login', 26],
  ['a'.repeat(40), 0],
  ['abc'.repeat(10), 48],
])('estimates that %j holds at most %d bits', (text, bits) => {
  expect(Math.round(estimatedBits(text))).toBe(bits)
})

it.each(['base64url', 'hex', 'base64'] as const)('finds 128 bits in 17 random bytes in %s', (encoding) => {
  for (let n = 0; n < 1000; n++) expect(estimatedBits(randomBytes(17).toString(encoding))).toBeGreaterThanOrEqual(128)
})

it('finds 128 bits in a UUID, and fewer than 64 in a time stamp', () => {
  for (let n = 0; n < 1000; n++) expect(estimatedBits(randomUUID())).toBeGreaterThanOrEqual(128)
  expect(estimatedBits('1795395600000')).toBeLessThan(64)
})

it.each([
  ['Ada Lovelace', 'AL'],
  ['  ada  king  lovelace ', 'AL'],
  ['ada', 'A'],
  ['山田 花子', '山'],
  ['🦊 fox', '🦊F'],
  ['', ''],
])('shortens the name %j to %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
