import { expect, it } from 'vitest'
import { regionName } from './region-name.ts'

it.each([
  ['GB', 'en', 'United Kingdom'],
  ['JP', 'ja', '日本'],
  ['CN-11', 'en', 'China (CN-11)'],
  ['ZZ', 'en', 'Unknown Region'],
])('names %s in %s', (code, locale, name) => {
  expect(regionName(code, locale)).toBe(name)
})
