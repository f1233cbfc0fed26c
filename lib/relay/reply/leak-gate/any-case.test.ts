import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyCase } from './any-case.ts'

const pieces = [
  'k',
  'S',
  'at',
  'é',
  'ß',
  'ς',
  'ⅷ',
  'ⓐ',
  '1',
  '_',
  '[a-f]',
  '[^A-C]',
  '[xé.-]',
  String.raw`[\p{L}-]`,
  '(?<=k)',
]
const escapes = ['\\x62', '\\u0041', '\\p{N}', '\\d', '\\.', '(?<name>a)', '(?:ab|Cd)+', 'a{2}', '(?!x)']
const texts = [
  'k',
  'K',
  '\u212a',
  's',
  'S',
  'ſ',
  'a',
  'A',
  't',
  'T',
  'b',
  'B',
  'c',
  'D',
  'é',
  'É',
  'ß',
  'ẞ',
  'ς',
  'Σ',
  'ⅷ',
  'Ⅷ',
  'ⓐ',
  'Ⓐ',
  '1',
]

it('matches what the flag i matches', () => {
  let matched = 0
  const source = fc.array(fc.constantFrom(...pieces, ...escapes.slice(0, 5)), { minLength: 1, maxLength: 2 })
  const text = fc.array(fc.constantFrom(...texts, '_', 'x', '-', '.'), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(source, fc.constantFrom('', ...escapes.slice(5)), text, (some, one, characters) => {
      const whole = some.join('') + one
      const found = characters.join('').search(new RegExp(whole, 'giu'))
      expect([whole, characters.join('').search(new RegExp(anyCase(whole), 'gu'))]).toEqual([whole, found])
      if (found !== -1) matched++
    }),
    { numRuns: 5000 },
  )
  expect(matched).toBeGreaterThan(500)
})
