import type { Locale } from '#lib/text/messages'
import type { Recipient } from './letter-words.ts'

/** Returns a function that writes a moment in a language, with the name of the time zone. */
export function timeWriter(locale: Locale, timeZone: string): (at: Date) => string {
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone })
  const zone = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' })
  return (at) => {
    const name = zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value
    return `${time.format(at)} ${name}`
  }
}

/** Returns the time zone of the person's latest sign-in before a moment, or of the latest at all; undefined if unknown. */
export type ZoneOf = (username: string, before?: Date) => Promise<string | undefined>

/**
 * Returns the time zone in which a letter writes its times: that of the browser which caused it, else that of the owner's
 * latest sign-in, else UTC. A letter about a new sign-in prefers the earlier ones, since the new one may be a stranger's.
 */
export async function zoneOfLetter(zoneOf: ZoneOf, recipient: Recipient): Promise<string> {
  const { username, signedInAt } = recipient
  const sent = recipient.timeZone === 'UTC' ? undefined : recipient.timeZone
  if (username === undefined || (sent && !signedInAt)) return sent ?? 'UTC'
  // The zone is not worth a letter: while the database is away, times are in UTC.
  const known = await zoneOf(username, signedInAt).catch(() => undefined)
  return known || sent || 'UTC'
}
