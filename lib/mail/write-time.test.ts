import { expect, it } from 'vitest'
import { timeWriter } from './write-time.ts'

const moment = new Date('2026-11-20T22:05:00Z')

it.each([
  ['en', 'UTC', 'November 20, 2026 at 10:05 PM UTC'],
  ['en', 'Europe/Berlin', 'November 20, 2026 at 11:05 PM GMT+1'],
  ['ja', 'Asia/Tokyo', '2026年11月21日 7:05 JST'],
] as const)('writes a moment in %s for %s', (locale, zone, text) => {
  expect(timeWriter(locale, zone)(moment)).toBe(text)
})
