import { expect, test } from 'vitest'
import { inOneLine } from './in-one-line.ts'

test('a short name keeps its words together, a long one may break', () => {
  expect(inOneLine('Demo App')).toBe('Demo\u00a0App')
  expect(inOneLine('The Long Name of an App that Goes On')).toBe('The Long Name of an App that Goes On')
})
