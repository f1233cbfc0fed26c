import type { Messages } from '#lib/text/messages'
import type { TimeForm } from '#lib/text/region/time-form'
import type { Words } from './letter.ts'

/** The address and language of a letter. Nothing is sent without an address. */
export type Recipient = {
  to: string | undefined
  /** The language of the letter, unless the account of `username` has chosen one for its pages. */
  locale: string
  /** How the browser that caused the letter writes times. */
  timeForm?: TimeForm
  /** The account that the letter is about. */
  username?: string
  /** The time of the new sign-in that the letter is about. */
  signedInAt?: Date
}
export type Owner = Recipient & { username: string }
/** The time, device and network address of an event. */
export type EventFacts = { at: Date; device: string; address: string }
/** Sends a letter with these words. */
export type Send = (
  to: Recipient,
  name: keyof Messages['letters'],
  write: (format: Format) => Words,
) => Promise<boolean>

export type Values = Record<string, string>
/** The texts of one language, and how values are written in it. */
export type Format = {
  texts: Messages['letters']
  fill(text: string, values?: Values): string
  time(at: Date): string
  place(address: string): string
  accountUrl: string
}
export type AlertTexts = { subject: string; heading: string; what: string; notYou: string }

/** The lines of facts of a letter. */
export type Facts = (format: Format) => [string, string][]

/** Returns the words of a letter that reports a change to the owner of the account. */
export function alertWords(
  format: Format,
  { username }: Owner,
  own: AlertTexts,
  { facts, values }: { facts?: Facts | undefined; values?: Values },
): Words {
  const { texts, fill, accountUrl } = format
  const known = { username, ...values }
  return {
    subject: fill(own.subject, known),
    heading: fill(own.heading, known),
    paragraphs: [fill(own.what, known)],
    facts: facts?.(format) ?? [],
    warning: fill(own.notYou, known),
    action: { label: fill(texts.action), url: `${accountUrl}/account/security` },
    small: [fill(texts.about, known), fill(texts.automatic)],
  }
}

/** Returns the lines of time, device and place of an event. */
export const factsOf =
  ({ at, device, address }: EventFacts): Facts =>
  ({ texts, time, place }) =>
    [
      [texts.facts.when, time(at)],
      [texts.facts.device, device],
      [texts.facts.place, place(address)],
      [texts.facts.address, address],
    ].filter((fact): fact is [string, string] => fact[1] !== '')
