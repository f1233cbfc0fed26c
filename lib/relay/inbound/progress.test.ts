import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { progressLimits, watchProgress } from './deadlines.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/**
 * Returns after how many minutes, at most 40, the relay gives up a message that sends these numbers of bytes in
 * successive minutes.
 */
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

it.each([
  ['a few bytes and then nothing', [20, 0], 1],
  ['a byte short of 16 KiB', [bytes - 1], 1],
  ['a megabyte and then nothing', [1_000_000, 0], 2],
  ['16 KiB a minute without end', [bytes], 30],
  ['5 KB a second without end', [300_000], 30],
])('gives up a message with %s', (_, perMinute, minutes) => {
  expect(borne(perMinute)).toBe(minutes)
})

it('does not give up a complete message while it is processed', () => {
  expect(borne([20], 1)).toBe(40)
  expect(borne([bytes, 3], 2)).toBe(40)
})
