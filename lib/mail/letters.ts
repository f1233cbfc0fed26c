import { nameOfPlace, placeOf } from '#lib/account/activity/place'
import type { Log } from '#lib/server/observe/log'
import type { Metrics } from '#lib/server/observe/metrics'
import type { Config } from '#lib/server/settings/config'
import { chooseLocale, type Locale } from '#lib/text/locales'
import { type Messages, messagesFor } from '#lib/text/messages'
import { type Words, writeHtml, writeText } from './letter.ts'
import type { Post } from './post.ts'

/** Whose inbox, and in which of our languages; who has no address gets no letter. */
export type Recipient = { to: string | undefined; locale: string }
type Owner = Recipient & { username: string }
type Happened = { at: Date; device: string; address: string }
type Recovered = Owner & Happened & { by: 'letter' | 'code'; signOut: boolean; revoke: boolean }
type Code = { code: string; minutes: number }
export type FactorChange = keyof Messages['letters']['factorChanged']

export type Letters = ReturnType<typeof makeLetters>
type Office = { post: Post; config: Config; log: Log; metrics: Metrics }

/**
 * Every letter of our own, one function each. They answer whether the next mail server has taken the letter, and never
 * throw: a mail server that is away is told to the person, not a fault of the page.
 */
export function makeLetters(office: Office) {
  const underway = new Set<Promise<boolean>>()
  const send = (recipient: Recipient, name: keyof Messages['letters'], write: (desk: Desk) => Words) => {
    const sending = deliver(office, recipient, name, write).finally(() => underway.delete(sending))
    underway.add(sending)
    return sending
  }
  const alert = (owner: Owner, name: Alert, facts?: Facts) =>
    send(owner, name, (desk) => alertWords(desk, owner, desk.texts[name], { facts }))
  return {
    /** To an address that somebody wants to bind; it may not be theirs, so it says nothing about the account. */
    codeToBind: (to: Recipient & Code) => send(to, 'codeToBind', (desk) => codeWords(desk, desk.texts.codeToBind, to)),
    codeToRecover: (to: Owner & Code) =>
      send(to, 'codeToRecover', (desk) => codeWords(desk, desk.texts.codeToRecover, to, to.username)),
    /** To the bound address whose mail came back, to see whether it works again. */
    codeToConfirm: (to: Owner & Code) =>
      send(to, 'codeToConfirm', (desk) => codeWords(desk, desk.texts.codeToConfirm, to, to.username)),
    /** To the owner of a bound address that another account wants to bind. */
    addressTaken: (owner: Owner) => alert(owner, 'addressTaken'),
    /** To the address that was bound until now. */
    addressChanged: (owner: Owner & Happened) => alert(owner, 'addressChanged', happened(owner)),
    addressRemoved: (owner: Owner & Happened) => alert(owner, 'addressRemoved', happened(owner)),
    passwordChanged: (owner: Owner & Happened) => alert(owner, 'passwordChanged', happened(owner)),
    newSignIn: (owner: Owner & Happened) => alert(owner, 'newSignIn', happened(owner)),
    recovered: (owner: Recovered) => send(owner, 'recovered', (desk) => recoveredWords(desk, owner)),
    factorChanged: (owner: Owner & Happened & { change: FactorChange }) =>
      send(owner, 'factorChanged', (desk) =>
        alertWords(
          desk,
          owner,
          { ...desk.texts.factorChanged[owner.change], notYou: desk.texts.notYou },
          { facts: happened(owner) },
        ),
      ),
    deletionAsked: (owner: Owner & { until: Date }) =>
      send(owner, 'deletionAsked', (desk) =>
        alertWords(desk, owner, desk.texts.deletionAsked, { values: { until: desk.time(owner.until) } }),
      ),
    deletionUndone: (owner: Owner) => alert(owner, 'deletionUndone'),
    /** Does something after the answer has gone out, so that its time tells nothing; a fault of it is logged. */
    later(run: () => Promise<void>): void {
      const running: Promise<boolean> = run()
        .then(
          () => true,
          (err: unknown) => {
            office.log.error({ err }, 'what was to happen after an answer failed')
            return false
          },
        )
        .finally(() => underway.delete(running))
      underway.add(running)
    },
    /** Resolves when nothing is on its way any more. */
    async settled(): Promise<void> {
      while (underway.size > 0) await Promise.all(underway)
    },
  }
}

type Alert = 'addressTaken' | 'addressChanged' | 'addressRemoved' | 'passwordChanged' | 'newSignIn' | 'deletionUndone'
type Values = Record<string, string>
type Desk = {
  texts: Messages['letters']
  fill(text: string, values?: Values): string
  time(at: Date): string
  place(address: string): string
  accountUrl: string
}
type AlertTexts = { subject: string; heading: string; what: string; notYou: string }
type CodeTexts = AlertTexts & { valid: string }

async function deliver(
  { post, config, log, metrics }: Office,
  { to, locale: wished }: Recipient,
  name: string,
  write: (desk: Desk) => Words,
): Promise<boolean> {
  if (to === undefined) return false
  const locale = chooseLocale(wished)
  const words = write(openDesk(config, locale))
  const head = { service: config.serviceName, url: config.accountUrl, locale }
  try {
    const subject = words.subject.replace(/\p{Cc}+/gu, ' ')
    await post.send({ to, locale, subject, text: writeText(words, head), html: writeHtml(words, head) })
    metrics.letters.inc({ letter: name, outcome: 'sent' })
    return true
  } catch (err) {
    metrics.letters.inc({ letter: name, outcome: 'failed' })
    log.warn({ err, letter: name }, 'a letter could not be sent')
    return false
  }
}

function openDesk({ serviceName, accountUrl }: Config, locale: Locale): Desk {
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return {
    texts: messagesFor(locale).letters,
    fill: (text, values = {}) => {
      const known: Values = { service: serviceName, ...values }
      return text.replace(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole)
    },
    time: (at) => `${time.format(at)} UTC`,
    place: (address) => nameOfPlace(placeOf(address), locale, messagesFor(locale).place) ?? '',
    accountUrl,
  }
}

/** The code stands in the letter alone: subjects are shown on locked screens, for anybody to read. */
function codeWords({ texts, fill }: Desk, own: CodeTexts, { code, minutes }: Code, username?: string): Words {
  const values = { minutes: String(minutes), username: username ?? '' }
  return {
    subject: fill(own.subject),
    heading: fill(own.heading),
    paragraphs: [fill(own.what, values), fill(own.valid, values)],
    code,
    warning: fill(own.notYou),
    small: [fill(texts.automatic)],
  }
}

type Facts = (desk: Desk) => [string, string][]

function alertWords(
  desk: Desk,
  { username }: Owner,
  own: AlertTexts,
  { facts, values }: { facts?: Facts | undefined; values?: Values },
): Words {
  const { texts, fill, accountUrl } = desk
  const known = { username, ...values }
  return {
    subject: fill(own.subject, known),
    heading: fill(own.heading, known),
    paragraphs: [fill(own.what, known)],
    facts: facts?.(desk) ?? [],
    warning: fill(own.notYou, known),
    action: { label: fill(texts.action), url: `${accountUrl}/account/security` },
    small: [fill(texts.about, known), fill(texts.automatic)],
  }
}

/** What ended and what stays; and what a stranger must have had: the inbox, or the list of codes. */
function recoveredWords(desk: Desk, owner: Recovered): Words {
  const { notYouByCode, signedOut, stay, appsEnded, remains, ...words } = desk.texts.recovered
  const own = owner.by === 'code' ? { ...words, notYou: notYouByCode } : words
  const all = alertWords(desk, owner, own, { facts: happened(owner) })
  const ended = [owner.signOut ? signedOut : stay, ...(owner.revoke ? [appsEnded] : []), remains]
  return { ...all, paragraphs: [...all.paragraphs, ...ended] }
}

const happened =
  ({ at, device, address }: Happened): Facts =>
  ({ texts, time, place }) =>
    [
      [texts.facts.when, time(at)],
      [texts.facts.device, device],
      [texts.facts.place, place(address)],
      [texts.facts.address, address],
    ].filter((fact): fact is [string, string] => fact[1] !== '')
