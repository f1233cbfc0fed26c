/** A piece of a text by its place: from one index up to another. */
export type Span = [from: number, to: number]

/** The index and source length of one character, packed into one number to save memory. */
export type Place = number
export const placeOf = (from: number, to: number): Place => from * longestPlace + Math.min(to - from, longestPlace - 1)
export const beginOf = (place: Place): number => Math.floor(place / longestPlace)
export const endOf = (place: Place): number => beginOf(place) + (place % longestPlace)
const longestPlace = 64

/** An attribute, a link or bracketed text beside the running text. `at` is the number of letters before it. */
export type Aside = { at: number; value: string; text: string; places: Place[]; isLink: boolean; isQuoted: boolean }

/** A paragraph, and the place of each of its characters. */
export type Paragraph = { text: string; places: Place[] }

/** A text as its letters (see lettersOf) with the place of each, and how it is quoted. */
export type Reading = {
  letters: string
  places: Place[]
  /** For each letter: 1 inside a quotation, 0 outside. */
  quoted: Uint8Array
  /** Punctuation between the letters: for each sign, the number of letters before it, and its place. */
  signs: { at: number; place: Place }[]
  asides: Aside[]
  /** Attribution lines before a quotation: "On … wrote:", or the fields of the message's header block. */
  introductions: Paragraph[]
  /** The paragraphs of quotations, and their introductions. */
  quotations: Paragraph[]
  /** The paragraphs outside quotations, each with its span of letters. */
  unquoted: (Paragraph & { span: Span })[]
  /** Where, in letters, a quoted message can begin and end. */
  begins: Set<number>
  ends: Set<number>
  /** Pieces of the text that no reader sees: comments, style sheets, scripts. */
  unseen: Span[]
  /** The text exceeds the limit; the rest was not read. */
  isTooLong: boolean
}

/**
 * What tells the introduction of a quotation from any other paragraph: the addresses under which the app and the person write to
 * each other, and whether a header block says who the app is, or what its message is about.
 */
export type Marks = { addresses: string[]; isOfApp?(headerBlock: Paragraph): boolean }

/** Places that follow each other as spans; those left out end a span. */
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
