import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { foldRecoveryCode, hashRecoveryCodes, makeRecoveryCodes } from './recovery-code.ts'

it('makes ten codes of sixty bits in three groups, with distinct first characters', () => {
  for (let round = 0; round < 50; round++) {
    const codes = makeRecoveryCodes(randomBytes)
    expect(codes).toHaveLength(10)
    for (const code of codes)
      expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}$/)
    expect(new Set(codes.map((code) => code.slice(0, 2))).size).toBe(10)
  }
})

it('stores two characters and an argon2id hash only', async () => {
  const [stored] = await hashRecoveryCodes(['k7mq-4xrt-9pwc'])
  expect(stored?.selector).toBe('k7')
  expect(stored?.hash).toMatch(/^\$argon2id\$/)
})

describe('foldRecoveryCode', () => {
  it.each([
    'k7mq-4xr0-91wc',
    'K7MQ4XR091WC',
    ' k7mq 4xr0 91wc ',
    'k7mq-4xrO-9lwc',
    'k7mq-4xr0-9Iwc',
    'ｋ７ｍｑ-4xr0-91wc',
  ])('reads %j as the intended code', (typed) => {
    expect(foldRecoveryCode(typed)).toBe('k7mq4xr091wc')
  })

  it.each(['', '123456', 'k7mq-4xr0-91w', 'k7mq-4xr0-91wcc', 'k7mq-4xr0-91wu', "k7mq-4xr0-91w'", 'é7mq-4xr0-91wc'])(
    'refuses %j',
    (typed) => {
      expect(foldRecoveryCode(typed)).toBeUndefined()
    },
  )
})
