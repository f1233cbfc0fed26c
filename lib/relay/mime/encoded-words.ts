import { decodeText } from './charset.ts'
import { decodeQuotedPrintable } from './transfer-encoding.ts'

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
