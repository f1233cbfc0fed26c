import { expect, it } from 'vitest'
import { timeWriter } from './write-time.ts'

const moment = new Date('2026-11-20T22:05:00Z')

it.each([
  ['', 'November 20, 2026 at 11:05 PM GMT+1'],
  ['en-US', 'November 20, 2026 at 11:05 PM GMT+1'],
  ['en-GB', '20 November 2026 at 23:05 CET'],
  ['en-AU', '20 November 2026 at 11:05 pm GMT+1'],
])('writes English as in %j', (english, text) => {
  const form = { timeZone: 'Europe/Berlin', english }
  expect(timeWriter('en', form)(moment)).toBe(text)
  expect(timeWriter('ja', form)(moment)).toBe('2026年11月20日 23:05 GMT+1')
})

it.each([
  ['en', 'UTC', 'November 20, 2026 at 10:05 PM UTC'],
  ['en', 'Europe/Berlin', 'November 20, 2026 at 11:05 PM GMT+1'],
  ['ja', 'Asia/Tokyo', '2026年11月21日 7:05 JST'],
] as const)('writes a moment in %s for %s', (locale, zone, text) => {
  expect(timeWriter(locale, { timeZone: zone, english: '' })(moment)).toBe(text)
})
