import { decodeQuotedPrintable, decodeText } from './encodings.ts'

/** A header field: its name in lower case, and its raw bytes (latin1) with folding, without the final line break. */
export type HeaderField = { name: string; raw: string }

const emptyLine = Buffer.from('\r\n\r\n')

/** Returns the end of a message's header block, the empty line included; undefined when there is none yet. */
export function endOfHead(message: Buffer): number | undefined {
  if (message.subarray(0, 2).equals(emptyLine.subarray(0, 2))) return 2
  const at = message.indexOf(emptyLine)
  return at === -1 ? undefined : at + emptyLine.length
}

/** Returns the fields of a header block in order; a line that is no field has an empty name. */
export function readFields(head: Buffer): HeaderField[] {
  const text = head.toString('latin1').replace(/(\r\n)+$/, '')
  if (text === '') return []
  return text.split(/\r\n(?![ \t])/).map((raw) => ({ name: nameOf(raw), raw }))
}

/** Serializes fields into a header block, the empty line included. */
export const writeFields = (fields: HeaderField[]): Buffer =>
  Buffer.from(`${fields.map(({ raw }) => `${raw}\r\n`).join('')}\r\n`, 'latin1')

/** Returns the unfolded value of a field, its bytes still as latin1. */
export const fieldValue = ({ raw }: HeaderField): string =>
  raw
    .slice(raw.indexOf(':') + 1)
    .replace(/\r\n(?=[ \t])/g, '')
    .trim()

/** Creates a field. */
export const makeField = (name: string, value: string): HeaderField => ({
  name: name.toLowerCase(),
  raw: `${name}: ${value}`,
})

function nameOf(raw: string): string {
  const [name = ''] = /^[!-9;-~]+(?=[ \t]*:)/.exec(raw) ?? []
  return name.toLowerCase()
}

/** Decodes a header value (bytes as latin1; RFC 2047); undefined when a word has an unknown character set. */
export function decodeWords(value: string): string | undefined {
  const texts = value.split(run).map((piece, at) => (at % 2 === 1 ? decodeRun(piece) : decodeRaw(piece)))
  return texts.includes(undefined) ? undefined : texts.join('')
}

/** Encodes text as a header value: unchanged when plain, else as encoded words, one on each line. */
export function encodeWords(text: string): string {
  if (/^[ -~]*$/.test(text) && !text.includes('=?') && text.length < 900) return text
  return chunks(text)
    .map((chunk) => `=?UTF-8?B?${Buffer.from(chunk).toString('base64')}?=`)
    .join('\r\n ')
}

/** White space between adjacent encoded words is ignored (RFC 2047 §6.2). */
const run = /((?:=\?[^?\s]+\?[bq]\?[^?]*\?=\s*)*=\?[^?\s]+\?[bq]\?[^?]*\?=)/i
const word = /=\?([^?\s*]+)(?:\*[^?\s]*)?\?([bq])\?([^?]*)\?=/gi

const decodeRaw = (piece: string): string | undefined => decodeText(Buffer.from(piece, 'latin1'), undefined)

/** Joins adjacent words of one character set before decoding, because senders split characters. */
function decodeRun(piece: string): string | undefined {
  const sets: { charset: string; bytes: Buffer[] }[] = []
  for (const [, charset = '', encoding = '', content = ''] of piece.matchAll(word)) {
    const last = sets.at(-1)
    const bytes = decodeWord(encoding, content)
    if (last?.charset === charset.toLowerCase()) last.bytes.push(bytes)
    else sets.push({ charset: charset.toLowerCase(), bytes: [bytes] })
  }
  const texts = sets.map(({ charset, bytes }) => decodeText(Buffer.concat(bytes), charset))
  return texts.includes(undefined) ? undefined : texts.join('')
}

const decodeWord = (encoding: string, content: string): Buffer =>
  encoding.toLowerCase() === 'b'
    ? Buffer.from(content, 'base64')
    : decodeQuotedPrintable(Buffer.from(content.replaceAll('_', ' '), 'latin1'))

/** At most 45 bytes each, so that an encoded word has at most 75 characters; never splits a character. */
function chunks(text: string): string[] {
  const made = ['']
  for (const char of text.toWellFormed()) {
    const longer = (made.at(-1) as string) + char
    if (Buffer.byteLength(longer) <= 45) made[made.length - 1] = longer
    else made.push(char)
  }
  return made
}

/** A structured value (RFC 2045 §5.1) such as Content-Type: its first token in lower case, and its parameters. */
export type Parameterized = { first: string; parameters: Map<string, string> }

/**
 * Reads continuations and character sets (RFC 2231), and the encoded words that many programs write instead; the
 * first of two equal parameters wins.
 */
export function readParameters(value: string): Parameterized {
  const bare = value.replace(quotedOrComment, (piece) => (piece.startsWith('(') ? ' ' : piece))
  const pieces = [...bare.matchAll(parameter)].map(readPiece)
  const names = new Set(pieces.map(({ name }) => name))
  return {
    first: (/^[^;]*/.exec(bare)?.[0] ?? '').trim().toLowerCase(),
    parameters: new Map([...names].map((name) => [name, join(pieces.filter((piece) => piece.name === name))])),
  }
}

type Piece = { name: string; section: number | undefined; isExtended: boolean; value: string }

// An unclosed quote or comment extends to the end of the value; backtracking from each one would take quadratic time.
const quotedOrComment = /"(?:[^"\\]|\\.)*"?|\((?:[^()\\]|\\.)*\)?/g
const parameter = /;\s*([^=;\s]+)\s*=\s*("(?:[^"\\]|\\.)*"?|[^;]*)/g
const quoted = /^"((?:[^"\\]|\\.)*)/

function readPiece([, name = '', value = '']: RegExpExecArray): Piece {
  const [, base = '', section, star] = /^(.*?)(?:\*(\d{1,3}))?(\*)?$/.exec(name.toLowerCase()) ?? []
  return {
    name: base,
    section: section === undefined ? undefined : Number(section),
    isExtended: star === '*',
    value: quoted.exec(value)?.[1]?.replace(/\\(.)/g, '$1') ?? value.trim(),
  }
}

function join(pieces: Piece[]): string {
  const sections = pieces.filter(({ section }) => section !== undefined)
  const extended = pieces.find(({ section, isExtended }) => section === undefined && isExtended)
  if (extended) return readExtended([extended])
  if (sections.length) return readExtended(sections.toSorted((a, b) => (a.section ?? 0) - (b.section ?? 0)))
  const plain = pieces[0]?.value ?? ''
  return decodeWords(plain) ?? plain
}

/** Decodes charset'language'text; only the sections marked as extended are percent-encoded (RFC 2231). */
function readExtended(pieces: Piece[]): string {
  const [, charset, start] = pieces[0]?.isExtended ? (/^([^']*)'[^']*'(.*)$/s.exec(pieces[0].value) ?? []) : []
  const bytes = pieces.map(({ value, isExtended }, at) => {
    const text = at === 0 ? (start ?? value) : value
    return Buffer.from(isExtended ? text.replace(/%([0-9a-f]{2})/gi, (_, hex) => byte(hex)) : text, 'latin1')
  })
  const whole = Buffer.concat(bytes)
  return decodeText(whole, charset) ?? whole.toString('latin1')
}

const byte = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16))
