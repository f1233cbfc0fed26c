/** Decodes a body (RFC 2045 §6); undefined for an unknown encoding. */
export function decodeBody(body: Buffer, encoding: string): Buffer | undefined {
  switch (encoding) {
    case '7bit':
    case '8bit':
    case 'binary':
      return body
    case 'quoted-printable':
      return decodeQuotedPrintable(body)
    case 'base64':
      return Buffer.from(body.toString('latin1'), 'base64')
    default:
      return undefined
  }
}

export function decodeQuotedPrintable(body: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(body.length)
  let size = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] as number
    const jump = byte === equals ? (endOfSoftBreak(body, at + 1) ?? at) : at
    const value = byte === equals && jump === at ? hexAt(body, at + 1) : undefined
    if (jump > at) at = jump
    else decoded[size++] = value ?? byte
    if (value !== undefined) at += 2
  }
  return decoded.subarray(0, size)
}

/** Encodes as quoted-printable: lines of at most 76 characters, line breaks kept, all unusual bytes encoded. */
export function encodeQuotedPrintable(text: Buffer): string {
  return text.toString('latin1').split('\r\n').map(encodeLine).join('\r\n')
}

export const encodeBase64 = (bytes: Buffer): string => bytes.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n')

const equals = 0x3d
const lineLimit = 75

/** Returns the index of a soft line break's last byte; white space that a server added belongs to it. */
function endOfSoftBreak(body: Buffer, from: number): number | undefined {
  let at = from
  while (body[at] === 0x20 || body[at] === 0x09) at++
  if (at >= body.length) return at
  if (body[at] === 0x0d) at++
  return body[at] === 0x0a ? at : undefined
}

function hexAt(body: Buffer, at: number): number | undefined {
  const digits = body.toString('latin1', at, at + 2)
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined
}

function encodeLine(line: string): string {
  const marks = line.replace(/[^\t -<>-~]|[\t ]$|^F(?=rom )|^\./g, spellOut)
  if (marks.length <= lineLimit + 1) return marks
  const pieces: string[] = []
  for (let at = 0; at < marks.length; ) {
    const end = at + lineLimit >= marks.length ? marks.length : wholeMarks(marks, at + lineLimit)
    pieces.push(marks.slice(at, end))
    at = end
  }
  return pieces.join('=\r\n')
}

const spellOut = (char: string): string => `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** Returns the last place at or before `end` where the line can be broken without splitting an `=XX`. */
function wholeMarks(marks: string, end: number): number {
  if (marks[end - 1] === '=') return end - 1
  return marks[end - 2] === '=' ? end - 2 : end
}

/** Decodes bytes of a named character set; undefined for an unknown one. */
export function decodeText(bytes: Buffer, label: string | undefined): string | undefined {
  const name = (label ?? '').trim().toLowerCase()
  if (unnamed.has(name)) return decodeUnnamed(bytes)
  try {
    return new TextDecoder(name === 'utf-16' ? byteOrder(bytes) : (synonyms[name] ?? name)).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Decodes like `decodeText`, but reads text with a name that is no character set (`charset=UTF-8Return-Path`) as
 * unlabelled. Only for text that is rewritten. Undefined for known character sets that cannot be decoded here.
 */
export const decodeLeniently = (bytes: Buffer, label: string | undefined): string | undefined =>
  decodeText(bytes, label) ?? (closed.test(label ?? '') ? undefined : decodeUnnamed(bytes))

const closed = /^\s*(x-)?(unicode-\d-\d-utf-7|utf-?7|hz|iso-2022|iso-ir|utf-?32|ucs|ebcdic|ibm0|cp0|cp1047|punycode)/i

/** Decodes unlabelled text, and text wrongly labelled ASCII: as UTF-8 where that is valid. */
function decodeUnnamed(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const unnamed = new Set(['', 'us-ascii', 'ascii', 'ansi_x3.4-1968', 'unknown-8bit', 'x-unknown', 'binary'])

/** Names used by mail programs that the Encoding Standard lacks. */
const synonyms: Record<string, string> = {
  cp936: 'gbk',
  ms936: 'gbk',
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  cp950: 'big5',
  utf8mb4: 'utf-8',
  'utf-8-sig': 'utf-8',
}

/**
 * The byte order mark decides. Without one RFC 2781 §4.3 says big-endian, but real mail is often little-endian: the
 * position of the zero bytes shows which.
 */
function byteOrder(bytes: Buffer): 'utf-16be' | 'utf-16le' {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  const zeros = [0, 0]
  for (const [at, byte] of bytes.subarray(0, 2000).entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  return (zeros[1] as number) > (zeros[0] as number) ? 'utf-16le' : 'utf-16be'
}
