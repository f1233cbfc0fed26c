import { partContent } from '#lib/relay/quote/fingerprint/fingerprints'
import { makeHarmless } from '#lib/relay/quote/names/harmless-names'
import { makeNameMatcher, type NameMatcher, type NameWatch } from '#lib/relay/quote/names/name-watch'
import { readHtml } from '#lib/relay/quote/reading/read-html'
import { readPlain } from '#lib/relay/quote/reading/read-plain'
import { lettersOf, type Paragraph, type Reading, type Span, spansOf } from '#lib/relay/quote/reading/reading'
import { findDoubtful, namesIn } from './find-doubtful.ts'
import { findQuoted, findUnmarked, knownSubjectSpans, ownInIntroduction } from './find-quoted.ts'
import { isKnown, knowTexts, type SentFingerprints } from './known-text.ts'
import { type SetAside, setAside } from './set-aside.ts'

/**
 * Recognises the app's own text in a reply. Placeholders replace that text while the rest is searched for the
 * person's addresses; then it is put back.
 */
export type OwnWords = {
  /**
   * Replaces the app's text in quotations by placeholders. Outside quotations, replaces the person's names and the
   * names that the app sent. Redacts other possible names in quotations and removes invisible text. Returns undefined
   * for a text that is too long.
   */
  inText(text: string, isPage: boolean): SetAside | undefined
  /**
   * Replaces the person's names and the names that the app sent in a text without quotations, such as a file or its
   * name.
   */
  withoutNames(text: string): string
  /** Finds the names that the app sent, for the leak gate. */
  names: NameWatch
  inSubject(subject: string): SetAside
  isFileName(name: string): boolean
  /** Returns whether the app sent a calendar entry with this UID. */
  isEntry(uid: string): boolean
  /** Returns whether this is the display name of the app. */
  isSender(name: string): boolean
  /** Returns whether a part is unchanged since the app sent it. */
  isPart(type: string, bytes: Buffer): boolean
}

/**
 * Recognises the text of the messages that a reply answers. The result never depends on whether that text names the
 * person (relay §6).
 */
export function recogniseWords(sent: SentFingerprints[], about: Conversation): OwnWords {
  const texts = knowTexts(sent)
  // Mail programs write these addresses in the attribution line of a quotation.
  const harmless = [about.reverse, about.alias].map((address) => address.toLowerCase())
  const matcher = makeNameMatcher(texts, { ...about, harmless: makeHarmless(about) })
  const isOfApp = (headerBlock: Paragraph) => ownInIntroduction(headerBlock, texts).length > 0
  const marks = { addresses: harmless, isOfApp }
  return {
    inText(text, isPage) {
      const reading = isPage ? readHtml(text, marks) : readPlain(text, marks)
      if (reading.isTooLong) return undefined
      const own = findQuoted(texts, reading)
      return setAside(text, own, {
        removed: reading.invisible,
        redacted: findDoubtful(reading, own, {
          length: text.length,
          harmless,
          unmarked: findUnmarked(texts, reading),
        }),
        replaced: findReplacedNames(reading, matcher),
      })
    },
    withoutNames: (text) => replaceSpans(text, matcher.inText(text)),
    names: matcher.watch,
    inSubject(subject) {
      const own = knownSubjectSpans(texts, subject)
      const isOwn = ([from]: Span) => own.some((span) => span[0] <= from && from < span[1])
      return setAside(subject, own, { redacted: namesIn(subject).filter((span) => !isOwn(span)) })
    },
    isSender: (name) => isKnown(texts, 'sender', lettersOf(name)),
    isEntry: (uid) => isKnown(texts, 'entry', uid),
    isFileName: (name) =>
      [name, name.replace(numbering, '')].some((one) => isKnown(texts, 'file-name', lettersOf(one))),
    isPart: (type, bytes) => isKnown(texts, 'part', partContent(type, bytes)),
  }
}

function replaceSpans(text: string, replaced: { span: Span; by: string }[]): string {
  const kept: string[] = []
  let at = 0
  for (const { span, by } of replaced.toSorted((a, b) => a.span[0] - b.span[0] || b.span[1] - a.span[1])) {
    if (span[0] < at) continue
    kept.push(text.slice(at, span[0]), by)
    at = span[1]
  }
  return kept.join('') + text.slice(at)
}

/**
 * The addresses of a conversation: the person's alias, the reverse address, the app's address (`to`) and the person's
 * own addresses (`hidden`). `hide` replaces the person's own addresses.
 */
export type Conversation = {
  alias: string
  reverse: string
  to: string
  hidden: string[]
  hide(text: string): string
}

/**
 * Returns the names outside quotations and their replacements. Markup may split a name: its first part is replaced
 * and the other parts are removed.
 */
function findReplacedNames({ unquoted, attributeTexts }: Reading, matcher: NameMatcher): { span: Span; by: string }[] {
  return [...unquoted, ...attributeTexts.filter(({ isQuoted, text }) => !isQuoted && !/^cid:/i.test(text))].flatMap(
    ({ text, places }) =>
      matcher
        .inText(text)
        .flatMap(({ span, by }) =>
          spansOf(places.slice(...span)).map((piece, at) => ({ span: piece, by: at === 0 ? by : '' })),
        ),
  )
}

/** Matches the number that a program adds to a file name that exists already. */
const numbering = /(?: ?\(\d{1,3}\)|[-_ ]\d{1,3})(?=(?:\.\w{1,8})?$)/
