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
