import { findNames } from '#lib/relay/quote/names/find-names'
import { beginOf, type Paragraph, type Place, type Reading, type Span, spansOf } from '#lib/relay/quote/reading/reading'

/**
 * Returns the spans of a reply's quotations that may contain a name and are not recognised as the app's text. They
 * are redacted whether or not they name the person, so an unusual way of quoting, or a quotation that the person
 * edited, reveals nothing to the app. The same applies to `unmarked` text, which repeats the app's text without
 * quotation marks. `harmless` are the addresses under which the app and the person write to each other.
 */
export function findDoubtful(
  { letters, quotations, unquoted, attributeTexts }: Reading,
  own: Span[],
  { length, harmless, unmarked }: Doubt,
): Span[] {
  const isRepeated = new Uint8Array(letters.length + 1)
  for (const [from, to] of unmarked) isRepeated.fill(1, Math.max(0, from), to + 1)
  const repeats = ([from, to]: Span) => isRepeated.subarray(from, to + 1).includes(1)
  const isOwn = new Uint8Array(length)
  for (const [from, to] of own) isOwn.fill(1, from, to)
  const namesOf = ({ text, places }: Paragraph): Place[][] =>
    namesIn(text, harmless).map(([from, to]) =>
      places.slice(from, to).filter((_, at) => /\S/.test(text[from + at] ?? '')),
    )
  const beside = attributeTexts
    .filter(({ isQuoted, at }) => isQuoted || repeats([at, at]))
    .filter(({ text }) => !/^[<[(\s]*cid:/i.test(text))
    .filter(({ text }) => namesIn(text, harmless).length > 0)
    .map(({ places }) => places)
  const repeated = unquoted.filter(({ span }) => repeats(span))
  return [...[...quotations, ...repeated].flatMap(namesOf), ...beside].flatMap((places) =>
    spansOf(places, (place) => isOwn[beginOf(place)] === 1),
  )
}

/** `length` is the length of the source text; `unmarked` counts in its letters (see lettersOf). */
type Doubt = { length: number; harmless: string[]; unmarked: Span[] }

/**
 * Returns the spans of a text that could be an address, a digest or base64 in any spelling. May return too many
 * spans.
 */
export const namesIn = (text: string, harmless: string[] = []): Span[] => [
  ...wordsIn(text, harmless),
  ...findNames(text)
    // A folder name may contain spaces, so findNames returns one span for each possible number of words. Only the
    // shortest span is used.
    .filter(({ span }, at, names) => names[at - 1]?.span[0] !== span[0])
    .filter((name) => !isHarmless(name.text, harmless))
    .map(({ span }) => span),
]

function wordsIn(text: string, harmless: string[]): Span[] {
  const found = [...text.matchAll(/[^\s<>"]+/g)].map((match) => ({ word: match[0], from: match.index }))
  const words = found.map(({ word }) => word)
  return found.flatMap(({ word, from }, at): Span[] => {
    if (couldName(word)) return isHarmless(word, harmless) ? [] : [[from, from + word.length]]
    const last = isAt.test(word) ? found[lastOfAddress(words, at)] : undefined
    return last ? [[found[at - 1]?.from ?? from, last.from + last.word.length]] : []
  })
}

const isHarmless = (word: string, harmless: string[]): boolean =>
  harmless.includes(word.toLowerCase().replace(/^(?:[^\p{L}\p{N}]|mailto:)+|[^\p{L}\p{N}]+$/gu, ''))

const isAt = /^[[({]?(?:at|@)[\])}]?$/i
const isDot = /^[[({]?(?:dot|\.)[\])}]?$/i

/**
 * Returns the index of the last word of "user at domain.example" or "user at domain dot example"; -1 for an ordinary
 * "at".
 */
function lastOfAddress(words: string[], at: number): number {
  let end = at + 1
  while (end + 2 < words.length && end - at < mostWords && isDot.test(words[end + 1] as string)) end += 2
  const isAddress = end > at + 1 || /\w\.\w/.test(words[end] ?? '') || (words[at] as string).length > 2
  return isAddress ? Math.min(end, words.length - 1) : -1
}

const mostWords = 12

function couldName(word: string): boolean {
  if (/[@\uff20\ufe6b]|%(?:25)*40|=40|\\u0040|\\100|[[({]at[\])}]|&(?:#x?)?\w+;/i.test(word)) return true
  // user_domain_example, user=domain.example: two signs between letters, one of them unusual in prose.
  const signs = word.match(/(?<=[\p{L}\p{N}])[=_%#+.\-/]+(?=[\p{L}\p{N}])/gu) ?? []
  if (signs.length >= 2 && signs.some((sign) => /[=_%#]/.test(sign))) return true
  return (word.match(/[\w+/=-]{14,}/g) ?? []).some(isCode)
}

/** Matches digests and base64: mixed letters and digits, capitals inside a word, or more letters than a word has. */
const isCode = (run: string): boolean =>
  (/\d/.test(run) && /[a-z]/i.test(run)) || /[a-z][A-Z].*[a-z][A-Z]/.test(run) || run.length >= 30
