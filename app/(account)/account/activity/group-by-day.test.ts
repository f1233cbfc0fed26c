import { expect, it } from 'vitest'
import { groupByDay } from './group-by-day.ts'
import { readMoment } from './read-moment.ts'

const at = (moment: string) => ({ at: new Date(moment) })

it('groups the entries of one day, in order', () => {
  const lines = [at('2026-03-02T00:00:00Z'), at('2026-03-01T23:59:59Z'), at('2026-03-01T00:00:00Z')]
  expect(groupByDay(lines)).toEqual([
    { day: '2026-03-02', items: [lines[0]] },
    { day: '2026-03-01', items: [lines[1], lines[2]] },
  ])
  expect(groupByDay([])).toEqual([])
})

it.each(['2026-13-01T00:00:00.000Z', '2026-01-01', "' OR 1=1", '', '9'.repeat(1000), '+275760-09-13T00:00:00.001Z'])(
  'rejects %j as a moment',
  (text) => expect(readMoment(text)).toBeUndefined(),
)

it('reads a moment as it was written', () => {
  const moment = new Date('2026-01-02T03:04:05.678Z')
  expect(readMoment(moment.toISOString())).toEqual(moment)
  expect(readMoment([moment.toISOString()])).toBeUndefined()
})
