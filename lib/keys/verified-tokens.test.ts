import { expect, it } from 'vitest'
import { rememberVerified } from './verified-tokens.ts'

const verified = { kid: 'kid', claims: { sub: 'person' } }
const numbered = (number: number, length: number) => String(number).padEnd(length, '.')

it('finds a token by its type and text', () => {
  const { find, keep } = rememberVerified()
  keep('at+jwt', 'token', verified)
  expect(find('at+jwt', 'token')).toMatchObject(verified)
  expect(find('JWT', 'token')).toBeUndefined()
  expect(find('at+jwt', 'other')).toBeUndefined()
})

it('forgets the oldest of more than 10,000 tokens', () => {
  const { find, keep } = rememberVerified()
  for (let number = 0; number <= 10_000; number++) keep('at+jwt', numbered(number, 10), verified)
  expect(find('at+jwt', numbered(0, 10))).toBeUndefined()
  expect(find('at+jwt', numbered(1, 10))).toBeDefined()
})

it('forgets the oldest of tokens with more than 10,000,000 characters, and counts a repeated one once', () => {
  const { find, keep } = rememberVerified()
  for (let number = 0; number < 1250; number++) for (const _ of [1, 2]) keep('at+jwt', numbered(number, 8000), verified)
  expect(find('at+jwt', numbered(0, 8000))).toBeDefined()
  keep('at+jwt', 'one more', verified)
  expect(find('at+jwt', numbered(0, 8000))).toBeUndefined()
  expect(find('at+jwt', numbered(1, 8000))).toBeDefined()
})
