import { expect, it } from 'vitest'
import { sha256 } from '#lib/crypto/hash'
import { makeSecret } from './secret.ts'

it('makes secrets of 256 bits in unreserved characters', () => {
  expect(makeSecret()).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(makeSecret()).not.toBe(makeSecret())
})

it('hashes a secret with SHA-256, in base64url', () => {
  expect(sha256('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
})
