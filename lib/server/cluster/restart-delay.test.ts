import { expect, it } from 'vitest'
import { makeRestartDelay } from './restart-delay.ts'

it('waits longer each time a worker ends soon after its start, up to 30 seconds', () => {
  const delay = makeRestartDelay()
  expect([500, 500, 500, 500, 500, 500, 500].map(delay)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
})

it('does not wait after a worker that lived long, and forgets earlier failures', () => {
  const delay = makeRestartDelay()
  expect([500, 500, 40_000, 3_600_000, 500].map(delay)).toEqual([1000, 2000, 0, 0, 1000])
})
