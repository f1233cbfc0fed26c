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
