import type { UsageRow } from '#lib/console/usage/store'

/** The mail of one day or of several: delivered to people, refused, and replies of people. */
export type MailNumbers = { forwarded: number; blocked: number; replied: number }

/** The days that the page sums up. */
export const mailDays = 30

/** Returns the sums of an app's daily numbers. Bounces at inboxes are not among them: an app must not learn about them. */
export function sumMail(rows: readonly UsageRow[]): MailNumbers {
  const sum = (wanted: string) => rows.reduce((all, { what, count }) => (what === wanted ? all + count : all), 0)
  return { forwarded: sum('forwarded'), blocked: sum('blocked'), replied: sum('replied') }
}
