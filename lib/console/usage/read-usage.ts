import type { UsageRow, UsageStore } from './store.ts'

/** The counts that the usage page shows, by their stored names. */
export const usageCounts = [
  'sign_ins',
  'new_people',
  'refreshes',
  'failures',
  'forwarded',
  'blocked',
  'replied',
] as const
export type UsageCount = (typeof usageCounts)[number]

/** The lengths of time that can be shown, in days. */
export const usageSpans = [30, 365] as const
export type UsageSpan = (typeof usageSpans)[number]

/** The counts of one day (UTC), or of several days from `from` to `to`. */
export type UsagePeriod = { from: Date; to: Date; counts: Record<UsageCount, number> }

const dayLength = 86_400_000

/** Returns the counts of each of the last days, today included; days without counts have zeros. */
export async function readUsage(
  { appUsage, now }: { appUsage: UsageStore; now(): Date },
  appId: string,
  span: UsageSpan,
): Promise<UsagePeriod[]> {
  const time = now().getTime()
  const first = time - (time % dayLength) - (span - 1) * dayLength
  const byDay = Map.groupBy(await appUsage.read(appId, new Date(first)), ({ day }) => day.getTime())
  return Array.from({ length: span }, (_, at) => {
    const day = new Date(first + at * dayLength)
    return periodOf(byDay.get(day.getTime()) ?? [], day)
  })
}

function periodOf(rows: UsageRow[], day: Date): UsagePeriod {
  const numbers = new Map(rows.map(({ what, count }) => [what, count]))
  return { from: day, to: day, counts: countsOf((what) => numbers.get(what) ?? 0) }
}

const countsOf = (count: (what: UsageCount) => number) =>
  Object.fromEntries(usageCounts.map((what) => [what, count(what)])) as Record<UsageCount, number>

/** Returns the sums of all periods. */
export const totalsOf = (periods: UsagePeriod[]): Record<UsageCount, number> =>
  countsOf((what) => periods.reduce((sum, { counts }) => sum + counts[what], 0))

/** Returns the sums of each seven days that end today; the first period may be shorter. */
export function byWeek(days: UsagePeriod[]): UsagePeriod[] {
  const weeks = Math.ceil(days.length / 7)
  return Array.from({ length: weeks }, (_, at) => {
    const end = days.length - (weeks - 1 - at) * 7
    const week = days.slice(Math.max(0, end - 7), end)
    return { from: (week[0] as UsagePeriod).from, to: (week.at(-1) as UsagePeriod).to, counts: totalsOf(week) }
  })
}
