import { expect, it } from 'vitest'
import { inOneLine } from './in-one-line.ts'

it('keeps a short name on one line and lets a long one break', () => {
  expect(inOneLine('Demo App')).toBe('Demo\u00a0App')
  expect(inOneLine('The Long Name of an App that Goes On')).toBe('The Long Name of an App that Goes On')
})
