import { expect, it } from 'vitest'
import { judgeClock } from './judge-clock.ts'

it.each([
  [0, [], 'right'],
  [30, [], 'right'],
  [-30, [900], 'right'],
  [30.1, [], 'alone'],
  [-600, [], 'alone'],
  [600, [0], 'node-off'],
  [-600, [0.2, -0.1], 'node-off'],
  [600, [-600], 'node-off'],
  [600, [600], 'database-off'],
  [-600, [-601, -599, -600], 'database-off'],
  [600, [600, 0, 600], 'database-off'],
  [600, [0, 600, 0], 'node-off'],
  // Two nodes to compare with: the one that agrees with the database decides.
  [600, [0, 600], 'node-off'],
  [600, [600, 0], 'node-off'],
  [40, [20], 'database-off'],
  [60, [20], 'node-off'],
  [31, [1], 'database-off'],
] as const)('judges a clock %s s ahead, with the other nodes %j s ahead, as %s', (ahead, others, verdict) => {
  expect(judgeClock(ahead, [...others])).toBe(verdict)
})
