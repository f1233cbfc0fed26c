import { decodeText } from './charset.ts'
import { decodeWords } from './encoded-words.ts'

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
