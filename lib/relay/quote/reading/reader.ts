import {
  findAttributeTexts,
  introduces,
  introductionAt,
  lettersOfCharacter,
  longestIntroduction,
  type Marks,
  makeAttributeText,
  type Paragraph,
  type Place,
  type PlacedAttributeText,
  placeOf,
  type Reading,
  type Span,
} from './reading.ts'

/** Builds a reading from the characters, paragraphs and quotation levels of a text, in their order. */
export class Reader {
  readonly #marks: Marks
  readonly #letters: string[] = []
  readonly #quoted: number[] = []
  readonly #reading = {
    places: [] as Place[],
    signs: [] as Reading['signs'],
    attributeTexts: [] as Reading['attributeTexts'],
    introductions: [] as Paragraph[],
    quotations: [] as Paragraph[],
    unquoted: [] as Reading['unquoted'],
    begins: new Set<number>(),
    ends: new Set<number>(),
    invisible: [] as Span[],
    isTooLong: false,
  }
  #count = 0
  #depth = 0
  /** The start of a quotation that only an introduction marks. Such a quotation extends to the end of the text. */
  #openedAt: number | undefined
  #paragraph: Open = { characters: [], places: [], attributeTexts: [] }
  #last: Paragraph | undefined

  constructor(marks: Marks) {
    this.#marks = marks
  }

  /** Adds one decoded character with its place in the text. */
  addCharacter(character: string, from: number, to: number): void {
    this.#count += 1
    if (this.#count > mostCharacters) {
      this.#reading.isTooLong = true
      return
    }
    const place = placeOf(from, to)
    for (const unit of character.split('')) {
      this.#paragraph.characters.push(unit)
      this.#paragraph.places.push(place)
    }
    if (this.#paragraph.characters.length > longestParagraph) this.endParagraph()
  }

  /** Adds an attribute at this point of the text. */
  addAttributeText(text: string, places: Place[]): void {
    const start = this.#paragraph.characters.length
    if (text.length < shortestAttributeText) return
    this.#paragraph.attributeTexts.push({ start, stop: start, attributeText: makeAttributeText(text, places) })
  }

  endParagraph(): void {
    const ended = this.#paragraph
    this.#paragraph = { characters: [], places: [], attributeTexts: [] }
    const cut = this.#isQuoted() ? 0 : introductionAt(ended.characters.join(''), this.#marks)
    for (const part of cut > 0 ? cutAt(ended, cut) : [ended]) this.#close(part)
  }

  #close(ended: Open): void {
    if (ended.characters.length + ended.attributeTexts.length === 0) return
    const before = this.#letters.length
    this.#emit(ended)
    const paragraph = { text: ended.characters.join(''), places: ended.places }
    if (paragraph.text.trim() === '') return
    this.#last = paragraph
    if (this.#isQuoted()) this.#reading.quotations.push(paragraph)
    else this.#reading.unquoted.push({ ...paragraph, span: [before, this.#letters.length] })
    // Inside a quotation only addresses are compared: checking header blocks in every paragraph would be slow.
    const marks = this.#isQuoted() ? { addresses: this.#marks.addresses } : this.#marks
    if (introduces(paragraph, marks)) this.#introduce(paragraph, before)
  }

  /** Sets the quotation level of the following text. */
  setDepth(depth: number): void {
    if (depth === this.#depth) return
    this.endParagraph()
    const here = this.#letters.length
    if (depth > this.#depth) {
      this.#reading.begins.add(here)
      if (!this.#isQuoted() && this.#last) this.#keepIntroduction(this.#last)
      // The introduced quotation has a level, so it ends with that level and not with the text.
      if (this.#depth === 0 && this.#openedAt === here) this.#openedAt = undefined
    } else this.#reading.ends.add(here)
    this.#depth = depth
  }

  /** Marks the text as too long to be read. */
  exceedLimit(): void {
    this.#reading.isTooLong = true
  }

  addInvisible(from: number, to: number): void {
    this.#reading.invisible.push([from, to])
  }

  finish(): Reading {
    this.endParagraph()
    this.#reading.ends.add(this.#letters.length)
    return { ...this.#reading, letters: this.#letters.join(''), quoted: Uint8Array.from(this.#quoted) }
  }

  #isQuoted = (): boolean => this.#depth > 0 || this.#openedAt !== undefined

  #introduce(paragraph: Paragraph, before: number): void {
    // Apple Mail writes the introduction as the first line of the quotation itself.
    if (!this.#isQuoted() || this.#reading.begins.has(before)) this.#keepIntroduction(paragraph)
    if (this.#isQuoted()) this.#reading.ends.add(before)
    else this.#reading.quotations.push(paragraph)
    this.#reading.begins.add(this.#letters.length)
    if (this.#depth === 0) this.#openedAt ??= this.#letters.length
  }

  #keepIntroduction(paragraph: Paragraph): void {
    const { introductions } = this.#reading
    if (introductions.length < mostIntroductions && paragraph.text.length <= longestIntroduction)
      introductions.push(paragraph)
  }

  #emit({ characters, places, attributeTexts }: Open): void {
    const text = characters.join('')
    const found = [...findAttributeTexts(text, places), ...attributeTexts].toSorted(
      (a, b) => a.start - b.start || a.stop - b.stop,
    )
    let at = 0
    for (const { attributeText, start, stop } of found) {
      this.#emitLetters(text, places, [at, start])
      this.#reading.attributeTexts.push({ ...attributeText, at: this.#letters.length, isQuoted: this.#isQuoted() })
      at = Math.max(at, stop)
    }
    this.#emitLetters(text, places, [at, text.length])
  }

  #emitLetters(text: string, places: Place[], [from, to]: Span): void {
    for (let at = from; at < to; ) {
      const character = String.fromCodePoint(text.codePointAt(at) as number)
      const place = places[at] as Place
      const letters = lettersOfCharacter(character)
      if (letters === '' && character.trim() !== '') this.#reading.signs.push({ at: this.#letters.length, place })
      for (const unit of letters.split('')) {
        this.#letters.push(unit)
        this.#reading.places.push(place)
        this.#quoted.push(this.#isQuoted() ? 1 : 0)
      }
      at += character.length
    }
  }
}

type Open = { characters: string[]; places: Place[]; attributeTexts: PlacedAttributeText[] }

const mostCharacters = 1_500_000
const longestParagraph = 100_000
const mostIntroductions = 20
/** The length of the shortest e-mail address, such as `a@b.de`. */
const shortestAttributeText = 6

function cutAt({ characters, places, attributeTexts }: Open, cut: number): [Open, Open] {
  const isBefore = ({ start }: PlacedAttributeText) => start < cut
  const later = attributeTexts.filter((one) => !isBefore(one))
  return [
    {
      characters: characters.slice(0, cut),
      places: places.slice(0, cut),
      attributeTexts: attributeTexts.filter(isBefore),
    },
    {
      characters: characters.slice(cut),
      places: places.slice(cut),
      attributeTexts: later.map((one) => ({ ...one, start: one.start - cut, stop: one.stop - cut })),
    },
  ]
}
