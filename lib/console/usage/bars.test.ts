import { expect, it } from 'vitest'
import { barsOf } from './bars.ts'

const size = { width: 100, height: 50 }

it('gives the greatest number the whole height, and each number its place', () => {
  expect(barsOf([1, 2, 0, 4], size)).toEqual([
    { x: 2.5, y: 37.5, width: 20, height: 12.5 },
    { x: 27.5, y: 25, width: 20, height: 25 },
    { x: 52.5, y: 50, width: 20, height: 0 },
    { x: 77.5, y: 0, width: 20, height: 50 },
  ])
})

it('shows one beside a million, and draws no bar for zeros', () => {
  expect(barsOf([1, 1_000_000], size)[0]?.height).toBe(2)
  expect(barsOf([0, 0], size).map(({ height }) => height)).toEqual([0, 0])
})
