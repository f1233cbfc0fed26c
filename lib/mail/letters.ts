import { textsOf } from '#lib/brand/brand-texts'
import type { Brand } from '#lib/brand/read-brand'
import { fillPlaceholders, type Locale, type Messages } from '#lib/text/messages'
import type { TimeForm } from '#lib/text/region/time-form'
import { addressLetters } from './address-letters.ts'
import { type Words, writeHtml, writeText } from './letter.ts'
import {
  type AlertTexts,
  alertWords,
  type EventFacts,
  type Facts,
  type Format,
  factsOf,
  type Owner,
  type Recipient,
  type Send,
} from './letter-words.ts'
import { languageOfLetter, type OwnerLookups } from './owner-lookups.ts'
import type { Post } from './post.ts'
import { timeFormOfLetter, timeWriter } from './write-time.ts'

type Recovered = Owner &
  EventFacts & { by: 'letter' | 'code' | 'operator'; signOut: boolean; revoke: boolean; removesSecondFactor?: boolean }
type Code = { code: string; minutes: number }
export type FactorChange = keyof Messages['letters']['factorChanged']

export type Letters = ReturnType<typeof makeLetters>

/** The dependencies of letters: mail server, addresses, and callbacks for results. */
export type LetterNeeds = {
  post: Post
  serviceName: string
  accountUrl: string
  brand: Brand
  /** The languages of letters, the usual one first. */
  languages: readonly Locale[]
  owners: OwnerLookups
  /** Whether replies to letters reach a person (MAIL_REPLY_TO). */
  answersAreRead: boolean
  /** The name of the place a network address is in; undefined when it is unknown. */
  placeName(address: string, locale: Locale): string | undefined
  /** Called after the next mail server has accepted a letter. */
  sent(letter: string): void
  failed(letter: string, err: unknown): void
  /** Called when work that `later` began fails. */
  fault(err: unknown): void
}

/**
 * Every letter of Postern's own, one function each. Each resolves to whether the next mail server accepted the letter
 * and never rejects, so that the page can report a letter that was not sent.
 */
export function makeLetters(needs: LetterNeeds) {
  const pending = new Set<Promise<boolean>>()
  const send = (recipient: Recipient, name: keyof Messages['letters'], write: (format: Format) => Words) => {
    const sending = deliver(needs, recipient, name, write).finally(() => pending.delete(sending))
    pending.add(sending)
    return sending
  }
  const alert = (owner: Owner, name: Alert, facts?: Facts) =>
    send(owner, name, (format) => alertWords(format, owner, format.texts[name], { facts }))
  return {
    /** To an address that a person wants to bind. It may be another person's, so the letter does not name the account. */
    codeToBind: (to: Recipient & Code) =>
      send(to, 'codeToBind', (format) => codeWords(format, format.texts.codeToBind, to)),
    codeToRecover: (to: Owner & Code) =>
      send(to, 'codeToRecover', (format) => codeWords(format, format.texts.codeToRecover, to, to.username)),
    /** To the bound address after its mail bounced, to confirm that it works again. */
    codeToConfirm: (to: Owner & Code) =>
      send(to, 'codeToConfirm', (format) => codeWords(format, format.texts.codeToConfirm, to, to.username)),
    /** To the owner of a bound address that another account wants to bind. */
    addressTaken: (owner: Owner) => alert(owner, 'addressTaken'),
    ...addressLetters(send),
    passwordChanged: (owner: Owner & EventFacts) => alert(owner, 'passwordChanged', factsOf(owner)),
    newSignIn: (owner: Owner & EventFacts) => alert(owner, 'newSignIn', factsOf(owner)),
    recovered: (owner: Recovered) => send(owner, 'recovered', (format) => recoveredWords(format, owner)),
    factorChanged: (owner: Owner & EventFacts & { change: FactorChange }) =>
      send(owner, 'factorChanged', (format) =>
        alertWords(
          format,
          owner,
          { ...format.texts.factorChanged[owner.change], notYou: format.texts.notYou },
          { facts: factsOf(owner) },
        ),
      ),
    deletionUndone: (owner: Owner) => alert(owner, 'deletionUndone'),
    ...deletionLetters(send),
    ...operatorLetters(send),
    teamInvitation: teamInvitation(send),
    teamDomain: teamDomain(send),
    /** Starts work that the answer does not wait for, so that response times reveal nothing. */
    later(run: () => Promise<void>): void {
      const running: Promise<boolean> = run()
        .then(
          () => true,
          (err: unknown) => {
            needs.fault(err)
            return false
          },
        )
        .finally(() => pending.delete(running))
      pending.add(running)
    },
    /** Resolves when no letter and no later work is pending. */
    async settled(): Promise<void> {
      while (pending.size > 0) await Promise.all(pending)
    },
  }
}

/** Letters that name the day on which an account is deleted: because its owner asked, or the operator. */
const deletionLetters = (send: Send) => {
  const letter = (name: 'deletionAsked' | 'deletionByOperator') => (owner: Owner & { until: Date }) =>
    send(owner, name, (format) =>
      alertWords(format, owner, format.texts[name], { values: { until: format.time(owner.until) } }),
    )
  return { deletionAsked: letter('deletionAsked'), deletionByOperator: letter('deletionByOperator') }
}

/** Letters about acts of the operator: a link for a new password, and a removal of all passkeys and second factors. */
const operatorLetters = (send: Send) => ({
  recoveryLink: (owner: Owner & { minutes: number }) =>
    send(owner, 'recoveryLink', (format) =>
      alertWords(format, owner, format.texts.recoveryLink, { values: { minutes: String(owner.minutes) } }),
    ),
  /** The button cancels the removal, without a sign-in. */
  factorResetAsked: (owner: Owner & { until: Date; link: string }) =>
    send(owner, 'factorResetAsked', (format) => {
      const own = format.texts.factorResetAsked
      const words = alertWords(format, owner, own, { values: { until: format.time(owner.until) } })
      return { ...words, action: { label: format.fill(own.keep), url: owner.link } }
    }),
  factorsReset: (owner: Owner) =>
    send(owner, 'factorsReset', (format) => alertWords(format, owner, format.texts.factorsReset, {})),
})

/**
 * The invitation to a team, to an address that may belong to a stranger. Its subject does not quote the team's name,
 * because anyone can name a team.
 */
const teamInvitation = (send: Send) => (to: Recipient & { team: string; link: string; days: number }) =>
  send(to, 'teamInvitation', ({ texts: { teamInvitation: own, automatic }, fill }) => ({
    subject: fill(own.subject),
    heading: fill(own.heading),
    paragraphs: [fill(own.what, { team: to.team }), fill(own.valid, { days: String(to.days) })],
    action: { label: fill(own.action), url: to.link },
    warning: fill(own.notYou),
    small: [fill(automatic)],
  }))

/** To an owner of a team: the DNS record of a domain is missing, or its proof is lost (`until` is undefined). */
const teamDomain =
  (send: Send) => (owner: Owner & { team: string; page: string; domain: string; until?: Date | undefined }) =>
    send(owner, 'teamDomain', ({ texts: { teamDomain: own, automatic }, fill, time, accountUrl }) => {
      const { subject, what, next } = own[owner.until ? 'missing' : 'lost']
      const values = { team: owner.team, domain: owner.domain, until: owner.until ? time(owner.until) : '' }
      return {
        subject: fill(subject, values),
        heading: fill(subject, values),
        paragraphs: [fill(what, values)],
        action: { label: fill(own.action), url: `${accountUrl}${owner.page}` },
        warning: fill(next, values),
        small: [fill(automatic)],
      }
    })

type Alert = 'addressTaken' | 'passwordChanged' | 'newSignIn' | 'deletionUndone'
type CodeTexts = AlertTexts & { valid: string }

async function deliver(
  needs: LetterNeeds,
  recipient: Recipient,
  name: string,
  write: (format: Format) => Words,
): Promise<boolean> {
  const { to } = recipient
  if (to === undefined) return false
  const { brand, owners } = needs
  const locale = await languageOfLetter(needs, recipient)
  const words = write(formatFor(needs, locale, await timeFormOfLetter(owners.timeFormOf, recipient)))
  const head = { service: needs.serviceName, url: needs.accountUrl, locale, brand }
  try {
    const subject = words.subject.replace(/\p{Cc}+/gu, ' ')
    await needs.post.send({
      to,
      locale,
      subject,
      text: writeText(words, head),
      html: writeHtml(words, head),
      logo: brand.letterLogo,
    })
    needs.sent(name)
    return true
  } catch (err) {
    needs.failed(name, err)
    return false
  }
}

function formatFor(
  { serviceName, accountUrl, placeName, brand, answersAreRead }: LetterNeeds,
  locale: Locale,
  timeForm: TimeForm,
): Format {
  const texts = textsOf(brand, locale).letters
  return {
    texts: answersAreRead ? { ...texts, automatic: texts.automaticAnswered } : texts,
    fill: (text, values = {}) => fillPlaceholders(text, { service: serviceName, ...values }),
    time: timeWriter(locale, timeForm),
    place: (address) => placeName(address, locale) ?? '',
    accountUrl,
  }
}

/** The subject does not contain the code: lock screens show subjects. */
function codeWords({ texts, fill }: Format, own: CodeTexts, { code, minutes }: Code, username?: string): Words {
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

/**
 * Returns the words of the letter about a recovery: the access that it ended or kept, and the proof that an attacker
 * must have had, such as the inbox or a recovery code.
 */
function recoveredWords(format: Format, owner: Recovered): Words {
  const { notYouByCode, notYouByOperator, signedOut, stay, appsEnded, remains, ...words } = format.texts.recovered
  const notYou = { letter: words.notYou, code: notYouByCode, operator: notYouByOperator }[owner.by]
  const own = { ...words, notYou }
  const all = alertWords(format, owner, own, { facts: factsOf(owner) })
  const ended = [owner.signOut ? signedOut : stay, ...(owner.revoke ? [appsEnded] : [])]
  // Another letter reports the removed second factor.
  if (!owner.removesSecondFactor) ended.push(remains)
  return { ...all, paragraphs: [...all.paragraphs, ...ended] }
}
