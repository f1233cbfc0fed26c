import { expect, it } from 'vitest'
import { rotationStep } from './rotation-step.ts'

const now = new Date('2026-11-23T12:00:00Z')
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
const one = (made: number, used?: number) => ({
  createdAt: ago(made),
  lastUsedAt: used === undefined ? null : ago(used),
})

it.each([
  ['add', 'no credential', []],
  ['add', 'one credential', [one(100, 1)]],
  ['change', 'a second one that was never used', [one(100, 1), one(2)]],
  ['wait', 'an old one that was used today', [one(100, 20), one(30, 1)]],
  ['remove', 'an old one that was not used for a day', [one(100, 24), one(30, 1)]],
  ['remove', 'an old one that was never used', [one(100), one(30, 1)]],
  ['wait', 'three, of which an old one is used', [one(200), one(100, 2), one(30, 1)]],
] as const)('returns the step %s for %s', (step, _, credentials) => {
  expect(rotationStep([...credentials], now).step).toBe(step)
})

it('returns no use of the old one from before it was made', () => {
  const old = { createdAt: new Date('2026-01-01T12:20Z'), lastUsedAt: new Date('2026-01-01T12:00Z') }
  const newest = { createdAt: new Date('2026-01-01T12:40Z'), lastUsedAt: null }
  expect(rotationStep([old, newest], new Date('2026-01-01T13:00Z')).oldUsedAt).toEqual(old.createdAt)
})
