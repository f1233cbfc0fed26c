import { expect, test } from 'vitest'
import { makeDoors } from './doors.ts'

test('mail to the operator leaves room for all other mail, however many networks it comes from', () => {
  const doors = makeDoors(() => false)
  const ends = Array.from({ length: 60 }, (_, network) => doors.begin(`network-${network}`, 'operator'))
  expect(ends.filter(Boolean)).toHaveLength(50)
  expect(doors.begin('another', 'forward')).toBeDefined()
  ends[0]?.()
  expect(doors.begin('another', 'operator')).toBeDefined()
})
