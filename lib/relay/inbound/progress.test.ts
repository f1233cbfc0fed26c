import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { progressLimits, watchProgress } from './deadlines.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A message that brings so many bytes in each minute; how many minutes it is borne, 40 at most. */
function borne(perMinute: number[], endsAfter = Number.POSITIVE_INFINITY): number {
  const stream = { byteLength: 0, writableEnded: false, destroyed: false }
  let givenUp = false
  watchProgress(stream, () => {
    givenUp = true
  })
  let minutes = 0
  for (; minutes < 40 && !givenUp; minutes++) {
    stream.byteLength += perMinute[minutes % perMinute.length] as number
    stream.writableEnded = minutes + 1 >= endsAfter
    vi.advanceTimersByTime(60_000)
  }
  expect(vi.getTimerCount()).toBe(givenUp || endsAfter < 40 ? 0 : 1)
  return minutes
}

const { bytes } = progressLimits

test.each([
  ['a few bytes and no more', [20, 0], 1],
  ['a byte short of 16 KiB', [bytes - 1], 1],
  ['much, and then nothing', [1_000_000, 0], 2],
  ['16 KiB a minute for ever', [bytes], 30],
  ['5 KB a second for ever', [300_000], 30],
])('%s is given up', (_, perMinute, minutes) => {
  expect(borne(perMinute)).toBe(minutes)
})

test('a message that is in is not given up, however long it takes to be dealt with', () => {
  expect(borne([20], 1)).toBe(40)
  expect(borne([bytes, 3], 2)).toBe(40)
})
