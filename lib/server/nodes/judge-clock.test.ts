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
  const machines = others.map((one, at) => ({ hostName: `other-${at}`, ahead: one }))
  expect(judgeClock({ hostName: 'own', ahead }, machines)).toBe(verdict)
})

it('counts the processes of one machine as one clock', () => {
  const clocks = (hostName: string, ...all: number[]) => all.map((ahead) => ({ hostName, ahead }))
  const own = { hostName: 'wrong', ahead: 600 }
  const workers = clocks('wrong', 600.1, 599.9, 600)
  expect(judgeClock(own, [...workers, ...clocks('right', 0, 0)])).toBe('node-off')
  expect(judgeClock(own, [...clocks('right', 0, 0, 0), ...clocks('a', 600), ...clocks('b', 600)])).toBe('database-off')
  expect(judgeClock(own, workers)).toBe('alone')
  // Two processes with different clocks do not run on one machine; they only have its name.
  expect(judgeClock(own, clocks('wrong', 0))).toBe('node-off')
})
