/** The text that bytes in a named character set stand for; undefined when we cannot read that character set. */
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
 * The same, read as text that says nothing about itself where the name is of no character set (`charset=UTF-8Return-Path`); for
 * a text that is written anew. Undefined for character sets that exist, and cannot be read here.
 */
export const decodeLeniently = (bytes: Buffer, label: string | undefined): string | undefined =>
  decodeText(bytes, label) ?? (closed.test(label ?? '') ? undefined : decodeUnnamed(bytes))

const closed = /^\s*(x-)?(unicode-\d-\d-utf-7|utf-?7|hz|iso-2022|iso-ir|utf-?32|ucs|ebcdic|ibm0|cp0|cp1047|punycode)/i

/** Text that says nothing about itself, or that it is ASCII when it is not: UTF-8 where it can be. */
function decodeUnnamed(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const unnamed = new Set(['', 'us-ascii', 'ascii', 'ansi_x3.4-1968', 'unknown-8bit', 'x-unknown', 'binary'])

/** Names that mail programs use and the Encoding Standard does not have. */
const synonyms: Record<string, string> = {
  cp936: 'gbk',
  ms936: 'gbk',
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  cp950: 'big5',
  utf8mb4: 'utf-8',
  'utf-8-sig': 'utf-8',
}

/** RFC 2781 §3.3: the mark decides; without one big endian should, but what is sent is where the zero bytes stand. */
function byteOrder(bytes: Buffer): 'utf-16be' | 'utf-16le' {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  const zeros = [0, 0]
  for (const [at, byte] of bytes.subarray(0, 2000).entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  return (zeros[1] as number) > (zeros[0] as number) ? 'utf-16le' : 'utf-16be'
}
