import { nameOfPlace, placeOf } from '#lib/account/activity/place'
import { textsOf } from '#lib/brand/brand-texts'
import { ownerLookups } from '#lib/db/sign-in/sign-in-store'
import { type Letters, makeLetters } from '#lib/mail/letters'
import type { OwnerLookups } from '#lib/mail/owner-lookups'
import { openMailbox, openPost, type Post } from '#lib/mail/post'
import { smtpWarning } from '#lib/text/smtp-url'
import type { Parts } from './parts.ts'

type Base = Pick<Parts, 'config' | 'log' | 'metrics' | 'now' | 'database'>

/** Opens the mail server that the settings name; an evaluation without one keeps its letters in a mailbox (design §7). */
export async function openMail(base: Base) {
  const { config, log, now } = base
  const mailbox = config.evaluation && !config.smtpUrl ? await openMailbox(now) : undefined
  if (mailbox) log.debug({ url: mailbox.url }, 'the mailbox of the evaluation accepts mail')
  const url = config.smtpUrl ?? mailbox?.url
  const warning = config.smtpUrl && smtpWarning(config.smtpUrl)
  if (warning) log.warn(`SMTP_URL ${warning}`)
  const post = openPost(url, config)
  const letters = composeLetters(base, post, ownerLookups(base.database.prisma))
  const close = async () => {
    await letters.settled()
    post.close()
    await mailbox?.close()
  }
  return { url, mailbox, post, letters, close }
}

/** Composes the letters from the settings, place names, log and metrics. */
export function composeLetters(
  { config, log, metrics }: Omit<Base, 'now' | 'database'>,
  post: Post,
  owners: OwnerLookups = { timeFormOf: async () => undefined, pageLanguageOf: async () => undefined },
): Letters {
  return makeLetters({
    post,
    serviceName: config.serviceName,
    accountUrl: config.accountUrl,
    brand: config.brand,
    owners,
    languages: config.letterLanguages,
    answersAreRead: config.mailReplyTo !== undefined,
    placeName: (address, locale) => nameOfPlace(placeOf(address), locale, textsOf(config.brand, locale).place),
    sent: (letter) => metrics.letters.inc({ letter, outcome: 'sent' }),
    failed(letter, err) {
      metrics.letters.inc({ letter, outcome: 'failed' })
      log.warn({ err, letter }, 'a letter could not be sent')
    },
    fault: (err) => log.error({ err }, 'work after an answer failed'),
  })
}
