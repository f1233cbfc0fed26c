import { expect, test } from 'vitest'
import { makeDoors } from './doors.ts'

const begin = (doors: ReturnType<typeof makeDoors>, count: number, networkOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => doors.begin(networkOf(index), 'operator')).filter(
    (end) => end !== undefined,
  )

test('mail to the operator leaves room for all other mail, however many networks it comes from', () => {
  const doors = makeDoors(() => false)
  const ends = begin(doors, 60, (index) => `network-${index}`)
  expect(ends).toHaveLength(50)
  expect(doors.begin('another', 'forward')).toBeDefined()
  ends[0]?.()
  expect(doors.begin('another', 'operator')).toBeDefined()
})

test('one network leaves room for the mail of others to the operator', () => {
  const doors = makeDoors(() => false)
  expect(begin(doors, 6, () => 'one')).toHaveLength(5)
  expect(doors.begin('another', 'operator')).toBeDefined()
})
