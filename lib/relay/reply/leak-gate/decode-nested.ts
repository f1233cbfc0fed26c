import { decodeHTML } from 'entities'
import { decodeText } from '#lib/relay/mime/encodings'

/** Undoes the escapes of a text once: quoted-printable, percent, HTML entities, JavaScript, CSS and RTF. */
export const unescapeOnce = (text: string): string =>
  text.replace(
    escapes,
    (whole, bytes?: string, backslashed?: string, decimal?: string, hexadecimal?: string, name?: string) => {
      if (bytes) return decodeText(Buffer.from(bytes.replace(/[^0-9a-f]/gi, ''), 'hex'), undefined) ?? bytes
      if (backslashed) return unescapeBackslash(backslashed)
      if (decimal) return character(Number(decimal))
      if (hexadecimal) return character(Number.parseInt(hexadecimal, 16))
      if (name) return decodeHTML(whole)
      return whole === '+AEA-' ? '@' : ''
    },
  )

/**
 * Decodes an escape without its backslash: `u0040`, `u{40}`, `x40`, `'40` or `000040 `. Digits beyond the maximum of
 * a form are text.
 */
function unescapeBackslash(escaped: string): string {
  const [, prefix = '', digits = '', end = ''] = /^(u\{?|x|'|0{1,4})([0-9a-f]+)(.*)$/i.exec(escaped) ?? []
  const most = { u: 4, 'u{': 6, x: 2, "'": 2 }[prefix.toLowerCase()] ?? 6 - prefix.length
  const rest = digits.length > most ? digits.slice(most) + end : ''
  return character(Number.parseInt(digits.slice(0, most), 16)) + rest
}

/**
 * Returns the decoded base64 and hexadecimal runs of a text at each alignment, its octal escapes, masked addresses
 * and lists of byte values.
 */
export function unwrap(text: string): string[] {
  // A wrapped run continues on the next line, also when it is quoted.
  const joined = text.replace(/=?\r?\n[>|\u2502 \t]{0,80}/g, '')
  const wrapped = (['base64', 'hex'] as const).flatMap((encoding) => {
    const runs = runsOf(joined, encoding)
    return shifts[encoding].map((shift) =>
      runs.map(([from, to]) => Buffer.from(joined.slice(from + shift, to), encoding).toString('latin1')).join('\n'),
    )
  })
  return [...wrapped, ...readSpacedHex(joined), unescapeOctal(text), readMasked(joined), readNumbers(joined)]
}

/** PDF allows white space between any two digits (ISO 32000-1 §7.3.4.3). */
function readSpacedHex(text: string): string[] {
  const runs = runsOf(text, 'spacedHex')
    .map(([from, to]) => text.slice(from, to).trim())
    .filter((run) => /\s/.test(run))
    .map((run) => run.replace(/\s+/g, ''))
  return shifts.hex.map((shift) =>
    runs.map((run) => Buffer.from(run.slice(shift), 'hex').toString('latin1')).join('\n'),
  )
}

/** Decodes bytes printed as lists of numbers: `[97, 108, 105]`, `0x61, 0x6c`. */
const readNumbers = (text: string): string =>
  (text.match(/(?<![\w.])(?:(?:0x[0-9a-f]{2}|\d{1,3})\s{0,3}[,;]\s{0,3}){8,2000}(?:0x[0-9a-f]{2}|\d{1,3})/gi) ?? [])
    .map((list) => String.fromCharCode(...list.split(/[,;]/).map(Number)))
    .join('\n')

/** Decodes addresses that Cloudflare masks: hexadecimal digits, each byte XORed with the first. */
function readMasked(text: string): string {
  if (!/cfemail|email-protection/.test(text)) return ''
  return runsOf(text, 'hex')
    .map(([from, to]) => Buffer.from(text.slice(from, to), 'hex'))
    .map(([mask = 0, ...bytes]) => String.fromCharCode(...bytes.slice(0, longestAddress).map((byte) => byte ^ mask)))
    .join('\n')
}

const longestAddress = 254

/**
 * Returns the text near octal escapes (`\100`, in PDF and scripts) with the escapes decoded. Decodes in place,
 * because a text can consist of escapes only. Omits text far from an escape, so that an accidental escape in the
 * bytes of an image does not double the work.
 */
function unescapeOctal(text: string): string {
  if (!/\\[0-7]/.test(text)) return ''
  const bytes = Buffer.from(`${text}\n`, 'latin1')
  let to = 0
  let last = -runEdge
  for (let at = 0; at < bytes.length; at++) {
    let code = bytes[at] as number
    if (code === backslash && isOctal(bytes[at + 1])) {
      code = 0
      for (let digits = 0; digits < 3 && isOctal(bytes[at + 1]); digits++)
        code = code * 8 + (bytes[++at] as number) - 48
      const start = Math.min(to, last + 2 * runEdge)
      if (start < to) bytes.copyWithin(start - Math.min(start, runEdge), to - Math.min(start, runEdge), to)
      to = start
      last = to
    }
    bytes[to++] = code
  }
  return bytes.toString('latin1', 0, Math.min(to, last + runEdge))
}

const backslash = 92
const isOctal = (code: number | undefined): boolean => code !== undefined && code >= 48 && code < 56

/**
 * Applies `hide` to the decoded text of each run of base64 or hexadecimal digits, and re-encodes the changed runs.
 */
export function hideInside(text: string, hide: (plain: string) => string): string {
  return (['base64url', 'base64', 'hex'] as const).reduce((rest, encoding) => {
    let from = 0
    const pieces = runsOf(rest, encoding).flatMap(([start, end]) => {
      const piece = [rest.slice(from, start), hideInRun(rest.slice(start, end), encoding, hide)]
      from = end
      return piece
    })
    return pieces.join('') + rest.slice(from)
  }, text)
}

/**
 * Applies `work` to a text except for the middle of very long base64 runs, which contain neither an `@` nor a dot.
 */
export function aroundLongRuns(text: string, work: (prose: string) => string): string {
  let from = 0
  const pieces: string[] = []
  for (const [start, end] of runsOf(text, 'base64')) {
    if (end - start < longRun) continue
    pieces.push(work(text.slice(from, start + runEdge)), text.slice(start + runEdge, end - runEdge))
    from = end - runEdge
  }
  return pieces.join('') + work(text.slice(from))
}

// The edges of a long run are searched too. An address has at most 254 characters.
const runEdge = 512
const longRun = 4096

const escapes =
  /=\r?\n|((?:[=%][0-9a-f]{2})+)|(?:\\|%(?=u[0-9a-f]{4}))((?:u\{?|x|'|0{1,4})[0-9a-f]{2,6}\}? ?)|&#(\d{1,7});?|&#x([0-9a-f]{1,6});?|&([a-z]\w{1,40});|\+AEA-/gi

type RunEncoding = 'base64' | 'base64url' | 'hex' | 'spacedHex'

const shifts = { base64: [0, 1, 2, 3], base64url: [0], hex: [0, 1] }

/**
 * A slash may be a base64 digit or separate the parts of a path, so `hideInside` tries base64url, which has no slash,
 * first.
 */
const alphabets: Record<RunEncoding, Uint8Array> = {
  base64: tableOf(/[\w+/-]/),
  base64url: tableOf(/[\w-]/),
  hex: tableOf(/[0-9a-f]/i),
  spacedHex: tableOf(/[0-9a-f\s]/i),
}

function tableOf(letters: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => Number(letters.test(String.fromCharCode(code))))
}

/**
 * Returns the start and end of each run. Scans by hand, because a regular expression overflows its stack on a run of
 * several megabytes.
 */
export function runsOf(text: string, encoding: RunEncoding): [number, number][] {
  const isInside = alphabets[encoding]
  const least = encoding.startsWith('base64') ? 8 : 12
  const runs: [number, number][] = []
  let from = 0
  for (let at = 0; at <= text.length; at++) {
    // Avoids reads beyond the end of a typed array, which are ten times slower.
    const code = at < text.length ? text.charCodeAt(at) : 0
    if (code < 128 && isInside[code] === 1) continue
    if (at - from >= least) runs.push([from, at])
    from = at + 1
  }
  return runs
}

const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '')

function hideInRun(run: string, encoding: 'base64' | 'base64url' | 'hex', hide: (plain: string) => string): string {
  for (const shift of shifts[encoding]) {
    const plain = Buffer.from(run.slice(shift), encoding).toString('latin1')
    const hidden = hide(plain)
    if (hidden !== plain) return run.slice(0, shift) + Buffer.from(hidden, 'latin1').toString(encoding)
  }
  return run
}
