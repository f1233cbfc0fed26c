import { decodeHTML } from 'entities'
import { decodeText } from '#lib/relay/mime/charset'

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
 * Decodes `u0040`, `u{40}`, `x40`, `'40` or `000040 `. Each form has a maximum number of digits; the rest is text.
 */
function unescapeBackslash(escaped: string): string {
  const [, prefix = '', digits = '', end = ''] = /^(u\{?|x|'|0{1,4})([0-9a-f]+)(.*)$/i.exec(escaped) ?? []
  const most = { u: 4, 'u{': 6, x: 2, "'": 2 }[prefix.toLowerCase()] ?? 6 - prefix.length
  const rest = digits.length > most ? digits.slice(most) + end : ''
  return character(Number.parseInt(digits.slice(0, most), 16)) + rest
}

/** Decodes the base64, hexadecimal and octal runs of a text at each possible alignment. */
export function unwrap(text: string): string[] {
  // Wrapped lines are one run, also when quoted.
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
 * Returns the text near octal escapes (`\100`, in PDF and scripts) with the escapes undone. It works in place,
 * because a text can consist of such escapes only; and it skips text far from an escape, so that one in the noise of
 * an image does not double the work.
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

/** Re-encodes each run of base64 or hexadecimal digits whose decoded text `hide` changes. */
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

/** Applies `work` to a text except for the inside of very long runs, which contain neither an `@` nor a dot. */
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

// An address has at most 254 characters.
const runEdge = 512
const longRun = 4096

const escapes =
  /=\r?\n|((?:[=%][0-9a-f]{2})+)|(?:\\|%(?=u[0-9a-f]{4}))((?:u\{?|x|'|0{1,4})[0-9a-f]{2,6}\}? ?)|&#(\d{1,7});?|&#x([0-9a-f]{1,6});?|&([a-z]\w{1,40});|\+AEA-/gi

type RunEncoding = 'base64' | 'base64url' | 'hex' | 'spacedHex'

const shifts = { base64: [0, 1, 2, 3], base64url: [0], hex: [0, 1] }

/** The slash is a digit of base64 and a separator of paths; runs without it are tried first. */
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
 * Returns where runs begin and end. Not a regular expression, because a run of several megabytes overflows its stack.
 */
export function runsOf(text: string, encoding: RunEncoding): [number, number][] {
  const isInside = alphabets[encoding]
  const least = encoding.startsWith('base64') ? 8 : 12
  const runs: [number, number][] = []
  let from = 0
  for (let at = 0; at <= text.length; at++) {
    // Reading beyond the end of a typed array is ten times slower.
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
