import { expect, it } from 'vitest'
import { dayBefore, dayOf, knownTimeZone, regionalEnglish } from './time-form.ts'

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['asia/tokyo', 'Asia/Tokyo'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
])('knows %s as %s', (sent, known) => {
  expect(knownTimeZone(sent)).toBe(known)
})

it.each([undefined, '', 'Nowhere/City', '+05:30', '../../etc', 'Europe/Berlin\r\nx: y', 'x'.repeat(5000), '<b>'])(
  'falls back to UTC for %j',
  (sent) => {
    expect(knownTimeZone(sent)).toBe('UTC')
  },
)

it('returns the date of a moment where the person is', () => {
  const moment = new Date('2026-03-01T23:30:00Z')
  expect(['UTC', 'Asia/Tokyo', 'America/Los_Angeles'].map((zone) => dayOf(moment, zone))).toEqual([
    '2026-03-01',
    '2026-03-02',
    '2026-03-01',
  ])
  expect(dayBefore('2026-03-01')).toBe('2026-02-28')
})

it.each([
  [['en-gb', 'en'], 'en-GB'],
  [['ja', 'en-AU'], 'en-AU'],
  [['en'], 'en'],
  [['en-Latn-XX-x-y', 'de'], 'en'],
  [['en-zz'], 'en-ZZ'],
  [['en-G<', 'en-GB\r\nx: y', `en-${'x'.repeat(5000)}`, 'en-1', 'en-'], 'en'],
  [[], 'en'],
])('chooses for %j the English %s', (languages, english) => {
  expect(regionalEnglish(languages)).toBe(english)
})
