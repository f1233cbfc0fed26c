import { type Attribute, readReference, readTag } from './html-tag.ts'
import { Reader } from './reader.ts'
import type { Marks, Place, Reading } from './reading.ts'

/**
 * Selects the text of a page to read: `hidden` includes text hidden by styles, `forOutlook` includes text for Outlook
 * only.
 */
export type Shown = { hidden: boolean; forOutlook: boolean }

/** Reads a page as mail programs show it; each `blockquote` is a quotation level. */
export function readHtml(html: string, marks: Marks, shown: Shown = { hidden: true, forOutlook: false }): Reading {
  const reader = new Reader(marks)
  const state: State = { html, reader, shown, depth: 0, preformatted: 0, hiddenBy: undefined }
  for (let at = 0; at < html.length; ) {
    const next = html.indexOf('<', at)
    const end = next === -1 ? html.length : next
    readCharacters(state, at, end)
    at = next === -1 ? end : readMarkup(state, end)
  }
  return reader.finish()
}

type State = {
  html: string
  reader: Reader
  shown: Shown
  depth: number
  preformatted: number
  /** The open element whose content is hidden, and the number of open elements with its name, including itself. */
  hiddenBy: { name: string; open: number } | undefined
}

function readCharacters({ html, reader, preformatted, hiddenBy }: State, from: number, to: number): void {
  if (hiddenBy) return
  for (let at = from; at < to; ) {
    const reference = html[at] === '&' ? readReference(html, at, false) : undefined
    const text = reference?.text ?? String.fromCodePoint(html.codePointAt(at) as number)
    const end = reference?.to ?? at + text.length
    if (text !== '') reader.addCharacter(/[\r\n]/.test(text) ? (preformatted > 0 ? '\n' : ' ') : text, at, end)
    at = end
  }
}

/** Reads the markup that begins with `<` and returns its end. */
function readMarkup(state: State, start: number): number {
  const { html, reader } = state
  if (html.startsWith('<!--', start)) return readComment(state, start)
  // A doctype is kept, because without it browsers use quirks mode.
  if (/^<(?:[!?](?!doctype)|\/[^a-z])/i.test(html.slice(start, start + 9))) {
    const end = endOr(html, html.indexOf('>', start), 1)
    reader.addInvisible(start, end)
    return end
  }
  const tag = readTag(html, start)
  if (!tag) {
    readCharacters(state, start, start + 1)
    return start + 1
  }
  // A value over the limit is not searched, so it must not reach the app: the page is treated as too long. Replacing
  // only values with the person's address would reveal that address.
  if (tag.attributes.some(({ isTooLong }) => isTooLong)) reader.exceedLimit()
  if (tag.isEnd) closeElement(state, tag.name)
  else openElement(state, tag.name, tag.attributes)
  if (!tag.isEnd && rawElements.has(tag.name)) return skipRaw(state, tag.name, start, tag.end)
  return tag.end
}

function readComment({ html, reader, shown }: State, start: number): number {
  const opening = shown.forOutlook ? /^<!--\[if[^\]>]*\bmso\b[^\]>]*\]>/i.exec(html.slice(start, start + 200)) : null
  if (opening) return start + opening[0].length
  commentEnd.lastIndex = start + 2
  const end = commentEnd.test(html) ? commentEnd.lastIndex : html.length
  reader.addInvisible(start, end)
  return end
}

const commentEnd = /--!?>/g
const endOr = (html: string, found: number, length: number): number => (found === -1 ? html.length : found + length)

/** Elements whose content is not text, such as style sheets and scripts. */
const rawElements = new Set(['script', 'style', 'title', 'template'])

function skipRaw({ html, reader }: State, name: string, start: number, from: number): number {
  const closing = new RegExp(`</${name}[^>]*>`, 'gi')
  closing.lastIndex = from
  const end = closing.test(html) ? closing.lastIndex : html.length
  reader.addInvisible(start, end)
  return end
}

function openElement(state: State, name: string, attributes: Attribute[]): void {
  const { reader, shown, hiddenBy } = state
  if (hiddenBy) {
    if (name === hiddenBy.name) hiddenBy.open += 1
    return
  }
  if (!shown.hidden && !voidElements.has(name) && attributes.some(hides)) {
    state.hiddenBy = { name, open: 1 }
    return
  }
  if (name === 'br') reader.addCharacter('\n', 0, 0)
  if (blocks.has(name)) reader.endParagraph()
  for (const attribute of attributes)
    for (const piece of piecesOf(attribute)) reader.addAttributeText(piece.text, piece.places)
  if (name === 'pre') state.preformatted += 1
  if (name === 'blockquote') reader.setDepth(++state.depth)
}

function closeElement(state: State, name: string): void {
  const { reader, hiddenBy } = state
  if (hiddenBy) {
    if (name === hiddenBy.name && --hiddenBy.open === 0) state.hiddenBy = undefined
    return
  }
  if (blocks.has(name)) reader.endParagraph()
  if (name === 'pre') state.preformatted = Math.max(0, state.preformatted - 1)
  if (name === 'blockquote') {
    state.depth = Math.max(0, state.depth - 1)
    reader.setDepth(state.depth)
  }
}

const hides = ({ name, text }: Attribute): boolean =>
  name === 'hidden' || (name === 'style' && /display\s*:\s*none|mso-hide\s*:\s*all|visibility\s*:\s*hidden/i.test(text))

/** Splits a value into the pieces that mail programs keep, drop and reorder separately. */
function piecesOf({ name, text, places }: Attribute): { text: string; places: Place[] }[] {
  const separator = separators[name]
  if (!separator) return [{ text, places }]
  const pieces: { text: string; places: Place[] }[] = []
  for (const found of text.matchAll(separator)) {
    // Gmail prefixes class names with `m_-123`.
    const skipped = name === 'class' ? (/^m_-?\d+/.exec(found[0])?.[0].length ?? 0) : 0
    const [start, stop] = [found.index + skipped, found.index + found[0].length]
    pieces.push({ text: text.slice(start, stop), places: places.slice(start, stop) })
  }
  return pieces
}

const separators: Record<string, RegExp> = { class: /\S+/g, style: /[^;]+/g, srcset: /[^,\s]+/g }

const blocks = new Set(
  'address article aside blockquote body center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)
const voidElements = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
