import type { TimeForm } from '#lib/text/region/time-form'
import type { Recipient } from './letter-words.ts'

/** Returns a function that writes a moment in a language, with the name of the time zone. */
export function timeWriter(locale: string, { timeZone, english }: TimeForm): (at: Date) => string {
  const language = locale === 'en' && english !== '' ? english : locale
  const zoned = { timeZone: timeZone || 'UTC' }
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', ...zoned })
  const zone = new Intl.DateTimeFormat(language, { timeZoneName: 'short', ...zoned })
  return (at) => {
    const name = zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value
    return `${time.format(at)} ${name}`
  }
}

/** Returns the form of times of the person's latest sign-in before a moment, or of the latest at all; undefined if unknown. */
export type TimeFormOf = (username: string, before?: Date) => Promise<TimeForm | undefined>

/**
 * Returns the form in which a letter writes its times: that of the browser which caused it, else that of the owner's
 * latest sign-in. A letter about a new sign-in prefers the earlier ones, since the new one may be a stranger's.
 */
export async function timeFormOfLetter(timeFormOf: TimeFormOf, recipient: Recipient): Promise<TimeForm> {
  const { username, signedInAt, timeForm: sent } = recipient
  const hasSent = sent !== undefined && sent.timeZone !== ''
  // While the database is away, the letter is sent all the same, with times in UTC.
  const known =
    username === undefined || (hasSent && !signedInAt)
      ? undefined
      : await timeFormOf(username, signedInAt).catch(() => undefined)
  return known ?? sent ?? { timeZone: '', english: '' }
}
