import { blockLength, replyPrefix, subjectStep } from '#lib/relay/quote/fingerprint/fingerprints'
import {
  type AttributeText,
  lettersOf,
  lettersOfAttribute,
  lettersOfCharacter,
  type Paragraph,
  type Place,
  type Reading,
  type Span,
  spansOf,
} from '#lib/relay/quote/reading/reading'
import { findSender, isKnown, type KnownRun, type KnownText, knownSubject, runAt, shortRunAt } from './known-text.ts'

/**
 * Returns the spans of a reply's text that are the app's text. A character counts as the app's only inside a
 * quotation, and only if its neighbours occur in the same order in a message of the app: 128 characters on each side,
 * or fewer at the start or end of both the quotation and the message. Text that the mail program or the person wrote
 * is never the app's, even if the app sent similar text.
 */
export function findQuoted(texts: KnownText[], reading: Reading): Span[] {
  const own = texts.flatMap((text) => ownRanges(text, reading))
  // Is 1 at each index inside or at the edge of the app's text, so that punctuation and attributes there belong to it.
  const isInside = new Uint8Array(reading.letters.length + 1)
  for (const [from, to] of own) isInside.fill(1, from, to + 1)
  return [
    ...own.flatMap(([from, to]) => spansOf(reading.places.slice(from, to))),
    ...spansOf(reading.signs.filter(({ at }) => isInside[at] === 1).map(({ place }) => place)),
    ...reading.attributeTexts.flatMap((attributeText) =>
      spansOf(ownAttributeText(texts, reading, attributeText, isInside[attributeText.at] === 1)),
    ),
    ...reading.introductions.flatMap((introduction) => ownInIntroduction(introduction, texts)),
  ]
}

const margin = 2 * blockLength

type Range = [from: number, to: number]

function ownRanges(text: KnownText, reading: Reading): Range[] {
  const { letters, quoted } = reading
  const ranges = rangesAtBeginnings(text, reading)
  const ahead = ranges.toSorted((a, b) => a[0] - b[0])
  for (let at = 0; at + blockLength <= letters.length; ) {
    while (ahead[0] && ahead[0][1] - blockLength <= at) ahead.shift()
    if (ahead[0] && ahead[0][0] <= at) {
      at = ahead[0][1] - blockLength
      continue
    }
    const run = quoted[at] === 1 ? runAt(text, letters, at) : undefined
    const range = run && withinMargins(run, reading)
    if (range) ranges.push(range)
    // A rejected run may overlap the start of a longer one, so the search advances by one character.
    at = run && range ? Math.max(at + 1, run.to - blockLength) : at + 1
  }
  return ranges
}

/**
 * Returns the spans of letters (see lettersOf) outside all quotations that repeat a message of the app, because the
 * mail program marked the quotation in an unknown way. A span is extended by a block on both sides, because an edited
 * block is not recognised, unless it is a whole message shorter than a block.
 */
export function findUnmarked(texts: KnownText[], { letters, quoted, unquoted }: Reading): Span[] {
  return texts.flatMap((text) => {
    const spans: Span[] = []
    for (let at = 0; at + blockLength <= letters.length; ) {
      const run = quoted[at] === 0 ? runAt(text, letters, at) : undefined
      if (run) spans.push([run.from - blockLength, run.to + blockLength])
      at = run?.to ?? at + 1
    }
    for (const { span } of unquoted.slice(0, mostBeginnings)) {
      const run = shortRunAt(text, letters, span[0])
      if (run && run.to >= span[1]) spans.push([run.from, run.to])
    }
    return spans
  })
}

/**
 * Returns the app's text at the beginnings of quotations. Searched first, because an accidental match slightly
 * earlier would hide the beginning of a message.
 */
function rangesAtBeginnings(text: KnownText, reading: Reading): Range[] {
  return [...reading.begins].slice(0, mostBeginnings).flatMap((at) => {
    const run = runAt(text, reading.letters, at) ?? shortRunAt(text, reading.letters, at)
    const range = run?.isFirst && withinMargins(run, reading)
    return range ? [range] : []
  })
}

const mostBeginnings = 1000

function withinMargins({ from, to, isFirst, isLast }: KnownRun, { quoted, begins, ends }: Reading): Range | undefined {
  if (quoted.subarray(from, to).includes(0)) return undefined
  const range: Range = [isFirst && begins.has(from) ? from : from + margin, isLast && ends.has(to) ? to : to - margin]
  return range[0] < range[1] ? range : undefined
}

/**
 * Returns the characters of an attribute text that belong to the app: all of them, only a link inside a gateway's
 * link, or none.
 */
function ownAttributeText(
  texts: KnownText[],
  reading: Reading,
  attributeText: AttributeText,
  isInside: boolean,
): Place[] {
  const { value, text, places, isLink } = attributeText
  // Mail programs write new Content-IDs in every message, so a Content-ID never matches one of the app.
  if (value === '' || /^[<[(\s]*cid:/i.test(text)) return []
  if (isLink && attributeText.isQuoted) {
    return isLong(value) && isKnown(texts, 'aside', value) ? places : innerLinks(texts, attributeText)
  }
  return isInside && (isKnown(texts, 'aside', value) || repeats(reading, attributeText)) ? places : []
}

const isLong = (value: string): boolean => value.length >= shortestLink
/** A link of at least this length is specific enough to be recognised as the app's. */
const shortestLink = 24

/**
 * Returns whether the letters before or after an attribute text repeat it: mail programs turn addresses into links,
 * and write the target of a link next to its text.
 */
const repeats = ({ letters }: Reading, { at, value }: AttributeText): boolean =>
  letters.startsWith(value, at) || letters.slice(0, at).endsWith(value)

/**
 * Returns the characters of the app's links inside the links of security gateways. The rest of such a link contains
 * the reader's address.
 */
function innerLinks(texts: KnownText[], { text, places }: AttributeText): Place[] {
  return [...text.matchAll(innerLink)].flatMap((found) => {
    const value = lettersOfAttribute(unpercent(found[0]))
    const isOwn = isLong(value) && isKnown(texts, 'aside', value)
    return isOwn ? places.slice(found.index, found.index + found[0].length) : []
  })
}

const innerLink = /(?<=[=?&/])https?(?::\/\/|%3A%2F%2F)[^&\s"'<>]+/gi

function unpercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the app's text in an attribution line or header block: the sender's name and the subject. */
export function ownInIntroduction({ text, places }: Paragraph, texts: KnownText[]): Span[] {
  // Maps each letter (see lettersOf) to the index of its character in the text.
  const indexes: number[] = []
  for (let at = 0; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) as number)
    for (const _ of lettersOfCharacter(character).split('')) indexes.push(at)
    at += character.length
  }
  const [from, to] = findSender(texts, lettersOf(text)) ?? [0, 0]
  const sender = places.slice(indexes[from] ?? 0, to > from ? (indexes[to - 1] as number) + 1 : 0)
  return [...spansOf(sender), ...subjectIn(texts, text, places)]
}

function subjectIn(texts: KnownText[], text: string, places: Place[]): Span[] {
  const found = subjectLine.exec(text)
  if (!found) return []
  const start = found.index + found[0].length
  return knownSubjectSpans(texts, text.slice(start).split('\n')[0] ?? '').flatMap(([from, to]) =>
    spansOf(places.slice(start + from, start + to)),
  )
}

/** Returns the spans of a subject that are the app's, after prefixes such as "Re:". */
export function knownSubjectSpans(texts: KnownText[], subject: string): Span[] {
  for (let start = 0, prefixes = 0; prefixes <= mostPrefixes; prefixes++) {
    const rest = subject.slice(start)
    const known = knownSubject(texts, rest, subjectStep)
    if (known > 0) return [[start, start + lengthOfLetters(rest, known)]]
    const prefix = replyPrefix.exec(rest)?.[0]
    if (prefix === undefined) break
    start += prefix.length
  }
  return []
}

const mostPrefixes = 4

/** Returns the length of the prefix of a text that contains this number of letters (see lettersOf). */
function lengthOfLetters(text: string, letters: number): number {
  let count = 0
  let length = 0
  for (const character of text) {
    count += lettersOfCharacter(character).length
    if (count > letters) break
    length += character.length
  }
  return length
}

/** "Subject:" in the languages of mail programs. */
const subjectLine = new RegExp(
  `^[\\s*_]*(?:${'Subject|Betreff|Objet|Asunto|Oggetto|Onderwerp|Assunto|Ämne|Emne|Aihe|Temat|Předmět|Predmet|Tárgy|Subiect|Konu|Θέμα|Тема|Относно|הנושא|נושא|الموضوع|件名|主题|主旨|主題|标题|제목|เรื่อง|Chủ đề|Subjek|Perihal'})\\s*[*_]*\\s*[:\\uff1a][*_]*\\s*`,
  'imu',
)
