import { partContent } from '#lib/relay/quote/print/wholes'
import { lettersOf } from '#lib/relay/quote/reading/letters'
import { readHtml } from '#lib/relay/quote/reading/read-html'
import { readPlain } from '#lib/relay/quote/reading/read-plain'
import type { Paragraph, Span } from '#lib/relay/quote/reading/reading'
import { findDoubtful, namesIn } from './find-doubtful.ts'
import { findQuoted, findUnmarked, knownSubjectSpans, ownInIntroduction } from './find-quoted.ts'
import { isKnown, knowTexts, type SentPrints } from './known-text.ts'
import { type SetAside, setAside } from './set-aside.ts'

/** What in a reply is the app's own words: set aside while the rest is searched for the person's addresses, then put back. */
export type OwnWords = {
  /** Undefined for a text that is too long to be read so. */
  inText(text: string, isPage: boolean): SetAside | undefined
  inSubject(subject: string): SetAside
  isFileName(name: string): boolean
  /** Whether the app sent a calendar entry under this name. */
  isEntry(uid: string): boolean
  /** Whether the app is shown under this name. */
  isSender(name: string): boolean
  /** Whether a part comes back as the app sent it. */
  isPart(type: string, bytes: Buffer): boolean
}

/**
 * Recognises what the messages that a reply belongs to have sent. `addresses` are those under which a mail program quotes the
 * app. Which of the app's words are recognised never depends on whom they name (relay §6).
 */
export function recogniseWords(sent: SentPrints[], addresses: string[]): OwnWords {
  const texts = knowTexts(sent)
  const harmless = addresses.map((address) => address.toLowerCase())
  const isOfApp = (headerBlock: Paragraph) => ownInIntroduction(headerBlock, texts).length > 0
  const marks = { addresses: harmless, isOfApp }
  return {
    inText(text, isPage) {
      const reading = isPage ? readHtml(text, marks) : readPlain(text, marks)
      if (reading.isTooLong) return undefined
      const own = findQuoted(texts, reading)
      return setAside(text, own, {
        dropped: reading.unseen,
        blotted: findDoubtful(reading, own, {
          length: text.length,
          harmless,
          unmarked: findUnmarked(texts, reading),
        }),
      })
    },
    inSubject(subject) {
      const own = knownSubjectSpans(texts, subject)
      const isOwn = ([from]: Span) => own.some((span) => span[0] <= from && from < span[1])
      return setAside(subject, own, { blotted: namesIn(subject).filter((span) => !isOwn(span)) })
    },
    isSender: (name) => isKnown(texts, 'sender', lettersOf(name)),
    isEntry: (uid) => isKnown(texts, 'entry', uid),
    isFileName: (name) =>
      [name, name.replace(numbering, '')].some((one) => isKnown(texts, 'file-name', lettersOf(one))),
    isPart: (type, bytes) => isKnown(texts, 'part', partContent(type, bytes)),
  }
}

/** The number that a program puts behind the name of a file when there is one of that name already. */
const numbering = /(?: ?\(\d{1,3}\)|[-_ ]\d{1,3})(?=(?:\.\w{1,8})?$)/
