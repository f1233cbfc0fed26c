import { expect, it } from 'vitest'
import { groupByDay } from './group-by-day.ts'

const at = (moment: string) => ({ at: new Date(moment) })

it('groups the entries of one day of a time zone, in order', () => {
  const lines = [at('2026-03-02T00:00:00Z'), at('2026-03-01T23:59:59Z'), at('2026-03-01T00:00:00Z')]
  expect(groupByDay(lines, 'UTC')).toEqual([
    { day: '2026-03-02', items: [lines[0]] },
    { day: '2026-03-01', items: [lines[1], lines[2]] },
  ])
  expect(groupByDay(lines, 'Asia/Tokyo')).toEqual([
    { day: '2026-03-02', items: [lines[0], lines[1]] },
    { day: '2026-03-01', items: [lines[2]] },
  ])
  expect(groupByDay([], 'UTC')).toEqual([])
})
