import type { Locale } from '#lib/text/messages'

/** Returns a function that writes a moment in a language, with the name of the time zone. */
export function timeWriter(locale: Locale, timeZone: string): (at: Date) => string {
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone })
  const zone = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' })
  return (at) => {
    const name = zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value
    return `${time.format(at)} ${name}`
  }
}
