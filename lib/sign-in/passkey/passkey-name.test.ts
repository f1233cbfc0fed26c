import { expect, test } from 'vitest'
import { numberName } from './passkey-name.ts'

test.each([
  ['Linux', [], 'Linux'],
  ['Linux', ['macOS', 'Linux 2'], 'Linux'],
  ['Linux', ['Linux'], 'Linux 2'],
  ['Linux', ['Linux', 'Linux 2'], 'Linux 3'],
  ['Linux', ['Linux', 'Linux 3'], 'Linux 2'],
  ['', ['', ''], ''],
])('%j among %j is called %j', (name, taken, called) => {
  expect(numberName(name, taken)).toBe(called)
})
