import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeAdmission, progressLimits, watchProgress } from './client-limits.ts'

const begin = (admission: ReturnType<typeof makeAdmission>, count: number, networkOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => admission.begin(networkOf(index), 'operator')).filter(
    (end) => end !== undefined,
  )

describe('the limits of connections and messages', () => {
  it('leaves room for all other mail during mail to the operator from many networks', () => {
    const admission = makeAdmission(() => false)
    const ends = begin(admission, 60, (index) => `network-${index}`)
    expect(ends).toHaveLength(50)
    expect(admission.begin('another', 'forward')).toBeDefined()
    ends[0]?.()
    expect(admission.begin('another', 'operator')).toBeDefined()
  })

  it('leaves room for others when one customer uses a whole /56 or /48', () => {
    const admission = makeAdmission(() => false)
    const open = (count: number, address: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => admission.begin(address(index), 'forward')).filter(Boolean).length
    expect(open(60, () => '2001:db8:5:700::1')).toBe(50)
    expect(open(600, (index) => `2001:db8:5:7${(16 + (index % 200)).toString(16)}::1`)).toBe(450)
    expect(open(900, (index) => `2001:db8:5:${(16 + (index % 80)).toString(16)}00::1`)).toBe(0)
    expect(open(60, () => '2001:db8:6::1')).toBe(50)
  })

  it('leaves room for mail from other networks to the operator', () => {
    const admission = makeAdmission(() => false)
    expect(begin(admission, 6, () => 'one')).toHaveLength(5)
    expect(admission.begin('another', 'operator')).toBeDefined()
  })
})

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

describe('the progress of a message', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

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
})
