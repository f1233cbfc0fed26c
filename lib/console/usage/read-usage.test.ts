import { expect, it } from 'vitest'
import { byWeek, readUsage, totalsOf, type UsageSpan } from './read-usage.ts'
import type { UsageRow } from './store.ts'

const day = (text: string) => new Date(`2026-${text}T00:00:00.000Z`)
const at = (rows: UsageRow[], now = '2026-11-23T23:59:59.999Z') => ({
  appUsage: { read: async (_: string, since: Date) => rows.filter((row) => row.day >= since) },
  now: () => new Date(now),
})
const read = (rows: UsageRow[], span: UsageSpan = 30) => readUsage(at(rows), 'acme-web', span)

it('returns 30 days that end today, with zeros for days without counts', async () => {
  const days = await read([
    { day: day('10-25'), what: 'sign_ins', count: 3 },
    { day: day('10-24'), what: 'sign_ins', count: 100 },
    { day: day('11-23'), what: 'failures', count: 2 },
    { day: day('11-23'), what: 'state strong', count: 9 },
  ])
  expect(days).toHaveLength(30)
  expect(days[0]).toMatchObject({ from: day('10-25'), counts: { sign_ins: 3, failures: 0 } })
  expect(days.at(-1)).toMatchObject({ to: day('11-23'), counts: { sign_ins: 0, failures: 2 } })
  expect(totalsOf(days)).toEqual({
    sign_ins: 3,
    new_people: 0,
    refreshes: 0,
    failures: 2,
    forwarded: 0,
    blocked: 0,
    replied: 0,
  })
})

it('adds up weeks that end today, and loses no day', async () => {
  const rows = Array.from({ length: 400 }, (_, n) => ({
    day: new Date(day('11-23').getTime() - n * 86_400_000),
    what: 'sign_ins',
    count: 1,
  }))
  const weeks = byWeek(await read(rows, 365))
  expect(weeks).toHaveLength(53)
  expect(weeks[0]?.counts.sign_ins).toBe(1)
  expect(weeks.slice(1).every(({ counts }) => counts.sign_ins === 7)).toBe(true)
  expect(weeks.at(-1)).toMatchObject({ from: day('11-17'), to: day('11-23') })
  expect(totalsOf(weeks).sign_ins).toBe(365)
})
