import { DecodingMode, HtmlEntityDecoder } from 'entities/decode'
import { type Place, placeOf } from './reading.ts'

/** An attribute: its lower-case name, its decoded value, and the place of each character of the value. */
export type Attribute = { name: string; text: string; places: Place[]; isTooLong?: boolean }

export type Tag = { name: string; isEnd: boolean; attributes: Attribute[]; end: number }

/** Returns the tag that begins at this place (HTML §13.2.5.8), or undefined for a `<` that is text. */
export function readTag(html: string, start: number): Tag | undefined {
  opening.lastIndex = start
  const [whole, slash = '', name = ''] = opening.exec(html) ?? []
  if (whole === undefined) return undefined
  const tag: Tag = { name: name.toLowerCase(), isEnd: slash === '/', attributes: [], end: html.length }
  if (/[^a-z0-9:-]/i.test(name)) tag.attributes.push(unnamed(html, start + 1, start + whole.length))
  for (let at = start + whole.length; at < html.length; ) {
    if (html[at] === '>') return { ...tag, end: at + 1 }
    attributePattern.lastIndex = at
    const found = attributePattern.exec(html)
    if (!found) {
      at += 1
      continue
    }
    const { attribute, end } = readAttribute(html, at, found)
    tag.attributes.push(
      attribute,
      ...(/[^a-z0-9:_-]/i.test(attribute.name) ? [unnamed(html, at, at + attribute.name.length)] : []),
    )
    at = end
  }
  return tag
}

const opening = /<(\/?)([a-z][^\s/>]*)/iy
const attributePattern = /([^\s/>=][^\s/>=]*)(?:\s*=\s*("|'|(?=[^\s>"'])))?/y

/**
 * Returns an attribute with an empty name whose value is the unusual name of a tag or attribute, so that the name is
 * searched like a value: a mail program may keep or drop it.
 */
function unnamed(html: string, from: number, to: number): Attribute {
  const text = html.slice(from, to)
  return { name: '', text, places: Array.from(text, (_, at) => placeOf(from + at, from + at + 1)) }
}

function readAttribute(html: string, at: number, [whole, name = '', quote]: RegExpExecArray) {
  const attribute: Attribute = { name: name.toLowerCase(), text: '', places: [] }
  const from = at + whole.length
  if (quote === undefined) return { attribute, end: from }
  const end = endOfValue(html, from, quote)
  if (end - from <= longestValue) readValue(html, { from, end }, attribute)
  else if (!isImage(attribute.name, html.slice(from, from + 60))) attribute.isTooLong = true
  return { attribute, end: quote === '' ? end : Math.min(end + 1, html.length) }
}

/** Longer values are not read. In honest mail only embedded images are longer. */
const longestValue = 20_000
const isImage = (name: string, start: string): boolean =>
  name === 'o:gfxdata' || /^\s*data:image\/[\w.+-]{1,40};base64,/i.test(start)

function endOfValue(html: string, from: number, quote: string): number {
  if (quote !== '') {
    const found = html.indexOf(quote, from)
    return found === -1 ? html.length : found
  }
  unquotedEnd.lastIndex = from
  return unquotedEnd.exec(html)?.index ?? html.length
}

const unquotedEnd = /[\s>]/g

function readValue(html: string, { from, end }: { from: number; end: number }, attribute: Attribute): void {
  const units: string[] = []
  for (let at = from; at < end; ) {
    const reference = html[at] === '&' ? readReference(html, at, true) : undefined
    const to = Math.min(reference?.to ?? at + 1, end)
    for (const unit of (reference?.text ?? (html[at] as string)).split('')) {
      units.push(unit)
      attribute.places.push(placeOf(at, to))
    }
    at = to
  }
  attribute.text = units.join('')
}

/** Decodes the HTML character reference at this place and returns its end; undefined for a plain `&`. */
export function readReference(
  html: string,
  at: number,
  isAttribute: boolean,
): { text: string; to: number } | undefined {
  let text = ''
  const decoder = new HtmlEntityDecoder((code) => {
    text += String.fromCodePoint(code)
  })
  decoder.startEntity(isAttribute ? DecodingMode.Attribute : DecodingMode.Legacy)
  // The longest name has 32 characters; numeric references may have leading zeros.
  const written = decoder.write(html.slice(at, at + longest), 1)
  const length = written < 0 ? decoder.end() : written
  return length > 0 ? { text, to: at + length } : undefined
}

const longest = 60
