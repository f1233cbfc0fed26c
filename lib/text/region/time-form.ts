/** How a browser writes times. An unknown part is empty: times are then in UTC, and English is American. */
export type TimeForm = {
  /** A time zone (IANA). */
  timeZone: string
  /** The English of a region, such as `en-GB`. */
  english: string
}

/** Returns the English of the first region that a browser asks for, for dates and numbers; else `en`, which is American. */
export const regionalEnglish = (languages: readonly string[]): string =>
  Intl.getCanonicalLocales(languages.find((tag) => /^en-[a-z]{2}$/i.test(tag)) ?? 'en')[0] ?? 'en'

/** The cookie in which a page's script stores the time zone of its browser (public/own.js). */
export const timeZoneCookie = 'postern_zone'

/** Returns a time zone (IANA) that a browser sent, by its canonical name; UTC for an unknown one. */
export function knownTimeZone(sent: string | undefined): string {
  if (!sent || !/^[A-Za-z][\w+/-]{0,63}$/.test(sent)) return 'UTC'
  try {
    return new Intl.DateTimeFormat('en', { timeZone: sent }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

/** Returns the date of a moment in a time zone, in ISO 8601. */
export function dayOf(moment: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const of = Object.fromEntries(parts.formatToParts(moment).map(({ type, value }) => [type, value]))
  return `${of.year}-${of.month}-${of.day}`
}

/** Returns the date before a date in ISO 8601. */
export const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
