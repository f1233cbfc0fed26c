import fc from 'fast-check'
import { expect, test } from 'vitest'
import { alphabet, decodeBase31, encodeBase31 } from './local-part.ts'

test('a number is read again as it was spelled, and a text is spelled again as it was read', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 31n ** 42n - 1n }), (number) => {
      expect(decodeBase31(encodeBase31(number, 42))).toBe(number)
    }),
  )
  const text = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: 42 })
  fc.assert(fc.property(text, (one) => encodeBase31(decodeBase31(one) ?? -1n, one.length) === one))
})

test.each(['0', '1', 'i', 'l', 'o', 'A', '-', 'é', '𝟚'])('%s is no character of it', (character) => {
  expect(decodeBase31(`a${character}b`)).toBeUndefined()
})
