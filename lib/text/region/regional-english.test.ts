import { expect, it } from 'vitest'
import { regionalEnglish } from './regional-english.ts'

it.each([
  [['en-gb', 'en'], 'en-GB'],
  [['ja', 'en-AU'], 'en-AU'],
  [['en'], 'en'],
  [['en-Latn-XX-x-y', 'de'], 'en'],
  [[], 'en'],
])('chooses for %j the English %s', (languages, english) => {
  expect(regionalEnglish(languages)).toBe(english)
})
