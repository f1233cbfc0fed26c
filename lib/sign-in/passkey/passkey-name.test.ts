import { expect, it } from 'vitest'
import { numberName } from './passkey-name.ts'

it.each([
  ['Linux', [], 'Linux'],
  ['Linux', ['macOS', 'Linux 2'], 'Linux'],
  ['Linux', ['Linux'], 'Linux 2'],
  ['Linux', ['Linux', 'Linux 2'], 'Linux 3'],
  ['Linux', ['Linux', 'Linux 3'], 'Linux 2'],
  ['', ['', ''], ''],
])('numbers %j among %j as %j', (name, taken, called) => {
  expect(numberName(name, taken)).toBe(called)
})
