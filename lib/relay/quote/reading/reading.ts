/** A part of a text, from the first index up to but excluding the second. */
export type Span = [from: number, to: number]

/** The index of a character in the source text and its length there, packed into one number to save memory. */
export type Place = number
export const placeOf = (from: number, to: number): Place => from * longestPlace + Math.min(to - from, longestPlace - 1)
export const beginOf = (place: Place): number => Math.floor(place / longestPlace)
export const endOf = (place: Place): number => beginOf(place) + (place % longestPlace)
const longestPlace = 64

/**
 * Text that is not part of the running text: an attribute, a link, or text in brackets. `at` is the number of letters
 * (see lettersOf) before it; `value` is the text reduced to letters, without the URL scheme.
 */
export type AttributeText = {
  at: number
  value: string
  text: string
  places: Place[]
  isLink: boolean
  isQuoted: boolean
}

/** A paragraph, and the place of each of its characters. */
export type Paragraph = { text: string; places: Place[] }

/**
 * A text reduced to its letters (see lettersOf), with the place of each letter in the source text, and its
 * quotations.
 */
export type Reading = {
  letters: string
  places: Place[]
  /** For each letter: 1 inside a quotation, 0 outside. */
  quoted: Uint8Array
  /** Punctuation between the letters: for each sign, the number of letters before it, and its place. */
  signs: { at: number; place: Place }[]
  attributeTexts: AttributeText[]
  /** Attribution lines before a quotation: "On … wrote:", or the fields of the message's header block. */
  introductions: Paragraph[]
  /** The paragraphs of quotations, and their introductions. */
  quotations: Paragraph[]
  /** The paragraphs outside quotations, each with its span of letters. */
  unquoted: (Paragraph & { span: Span })[]
  /** The indexes in `letters` at which a quoted message can begin and end. */
  begins: Set<number>
  ends: Set<number>
  /** Spans that mail programs do not show: comments, style sheets, scripts. */
  invisible: Span[]
  /** The text exceeds the limit; the rest was not read. */
  isTooLong: boolean
}

/**
 * Distinguishes the introduction of a quotation from other paragraphs: by the addresses under which the app and the
 * person write to each other, and by header blocks that contain the app's name or the subject of its message.
 */
export type Marks = { addresses: string[]; isOfApp?(headerBlock: Paragraph): boolean }

/** Joins consecutive places into spans; a place that is left out ends a span. */
export function spansOf(places: Place[], isLeftOut: (place: Place) => boolean = () => false): Span[] {
  const spans: Span[] = []
  for (const place of places) {
    const [from, to] = [beginOf(place), endOf(place)]
    const last = spans.at(-1)
    if (to === from || isLeftOut(place)) continue
    if (last && from >= last[0] && from <= last[1]) last[1] = Math.max(last[1], to)
    else spans.push([from, to])
  }
  return spans
}

/**
 * Returns the letters and digits of a text in lower case, without accents, punctuation and white space; full-width
 * forms become ordinary ones. Quoting, wrapping, re-encoding and re-serialising HTML do not change the result.
 */
export function lettersOf(text: string): string {
  let letters = ''
  for (const character of text) letters += lettersOfCharacter(character)
  return letters
}

/** Returns the result of lettersOf for one character: usually the character itself or an empty string. */
export function lettersOfCharacter(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 128 && character.length === 1) return ascii[code] as string
  const known = others.get(character)
  if (known !== undefined) return known
  const letters = [...character.normalize('NFKD').toLowerCase()].filter((one) => /[\p{L}\p{N}]/u.test(one)).join('')
  if (others.size > mostRemembered) others.clear()
  others.set(character, letters)
  return letters
}

const ascii = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[a-z0-9]/i.test(character) ? character.toLowerCase() : ''
})

const others = new Map<string, string>()
const mostRemembered = 20_000

/** An attribute text, and the range of its characters in the paragraph. The range is empty for an attribute. */
export type PlacedAttributeText = { start: number; stop: number; attributeText: AttributeText }

/**
 * Finds links and text in brackets, because programs that convert a page to plain text write link targets and image
 * names like this. Also finds list numbers and bullets, which the page does not contain as text.
 */
export const findAttributeTexts = (text: string, places: Place[]): PlacedAttributeText[] =>
  [...text.matchAll(pattern)].map((found) => {
    const [start, stop] = [found.index, found.index + found[0].length]
    return { start, stop, attributeText: makeAttributeText(found[0], places.slice(start, stop)) }
  })

const pattern =
  /(?:https?:\/\/|\bwww\.)[^\s<>"[\]()]+|\bmailto:[^\s<>"[\]()]*|\[[^[\]]{0,1000}\]|<[^<>]{0,1000}>|(?<!\S)(?:\(?\d{1,3}[.)]|o)(?!\S)/giu

export const makeAttributeText = (text: string, places: Place[]): AttributeText => ({
  at: 0,
  value: lettersOfAttribute(text),
  text,
  places,
  isQuoted: false,
  isLink: /^[<[(\s]*(?:https?:|www\.)/i.test(text),
})

/** Returns the letters (see lettersOf) of an attribute text without the URL scheme, which programs add or remove. */
export const lettersOfAttribute = (text: string): string =>
  lettersOf(unpercent(text.replace(/^[<[(\s]*(?:(?:mailto|https?):(?:\/\/)?)?(?:www\.)?/i, '')))

const unpercent = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'))

export const longestIntroduction = 2000

/**
 * Returns whether a mail program wrote this paragraph to introduce a quotation: it is an attribution line with one of
 * the addresses, or a header block with one of the addresses or with the app's name or subject.
 */
export function introduces(paragraph: Paragraph, { addresses, isOfApp }: Marks): boolean {
  const { text } = paragraph
  if (text.length > longestIntroduction) return false
  const isHeaderBlock = text.split('\n').filter((line) => isField(line)).length >= 3
  const plain = text.toLowerCase()
  if (addresses.some((address) => plain.includes(address))) return isHeaderBlock || /[:\uff1a]\s*$/.test(text)
  return isHeaderBlock && isOfApp?.(paragraph) === true
}

const isField = (line: string): boolean => /^[\s*_]*[^:\uff1a]{1,40}[:\uff1a]/.test(line)

/**
 * Returns the index at which an introduction begins in a paragraph, because Yahoo and Outlook write it directly below
 * the person's text; 0 if none begins inside the paragraph. An introduction is a line, possibly wrapped, with an
 * address and a date, or the header fields around an address.
 */
export function introductionAt(text: string, { addresses }: Marks): number {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => addresses.some((address) => line.toLowerCase().includes(address)))
  if (at <= 0) return 0
  const first =
    lines.slice(at).filter((line) => isField(line)).length >= 3
      ? firstField(lines, at)
      : firstDated(lines, at, addresses)
  return lines.slice(0, first).join('\n').length + (first > 0 ? 1 : 0)
}

function firstField(lines: string[], at: number): number {
  let first = at
  while (first > 0 && isField(lines[first - 1] as string)) first--
  return first > 0 && isRule.test(lines[first - 1] as string) ? first - 1 : first
}

const isRule = /^\s*[-_]{5,}/

function firstDated(lines: string[], at: number, addresses: string[]): number {
  const isDated = (line: string) =>
    /\d/.test(addresses.reduce((rest, address) => rest.replaceAll(address, ''), line.toLowerCase()))
  for (let first = at; first >= Math.max(0, at - 2); first--) if (isDated(lines[first] as string)) return first
  return at
}
