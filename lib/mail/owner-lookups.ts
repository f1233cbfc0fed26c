import { chooseAmong, type Locale } from '#lib/text/messages'
import type { Recipient } from './letter-words.ts'
import type { TimeFormOf } from './write-time.ts'

/** Looks up, by username, how the owner of an account reads letters. */
export type OwnerLookups = {
  timeFormOf: TimeFormOf
  /** Returns the language chosen in the footer of the pages; empty or undefined if none was chosen. */
  pageLanguageOf(username: string): Promise<string | undefined>
}

/** Returns the language that the account chose for its pages, else that of the recipient; one of `languages`. */
export async function languageOfLetter(
  { owners, languages }: { owners: OwnerLookups; languages: readonly Locale[] },
  { username, locale }: Recipient,
): Promise<Locale> {
  // While the database is away, the letter is sent all the same.
  const chosen = username === undefined ? undefined : await owners.pageLanguageOf(username).catch(() => undefined)
  return chooseAmong(languages, chosen, locale)
}
