import fc from 'fast-check'
import { expect, it } from 'vitest'
import { alphabet, decodeBase31, encodeBase31 } from './local-part.ts'

it('decodes what it encoded and encodes what it decoded', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 31n ** 42n - 1n }), (number) => {
      expect(decodeBase31(encodeBase31(number, 42))).toBe(number)
    }),
  )
  const text = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: 42 })
  fc.assert(fc.property(text, (one) => encodeBase31(decodeBase31(one) ?? -1n, one.length) === one))
})

it.each(['0', '1', 'i', 'l', 'o', 'A', '-', 'é', '𝟚'])('rejects the character %s', (character) => {
  expect(decodeBase31(`a${character}b`)).toBeUndefined()
})
