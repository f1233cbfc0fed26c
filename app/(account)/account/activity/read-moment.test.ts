import { expect, it } from 'vitest'
import { readMoment } from './read-moment.ts'

it.each([
  '0000-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '9999-01-01T00:00:00.000Z',
  '2026-13-01T00:00:00.000Z',
  '2026-01-01',
  "' OR 1=1",
  '',
  '9'.repeat(1000),
  '+275760-09-13T00:00:00.001Z',
])('rejects %j as a moment', (text) => expect(readMoment(text)).toBeUndefined())

it('reads a moment as it was written', () => {
  const moment = new Date('2026-01-02T03:04:05.678Z')
  expect(readMoment(moment.toISOString())).toEqual(moment)
  expect(readMoment([moment.toISOString()])).toBeUndefined()
})
