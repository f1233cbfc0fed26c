import { decodeText } from './mime/charset.ts'
import { htmlEntities } from './mime/html-entities.ts'

/** A text with its escapes undone once: quoted-printable, percent, HTML entities, JavaScript, CSS and RTF. */
export const unescapeOnce = (text: string): string =>
  text.replace(
    escapes,
    (whole, bytes?: string, code?: string, decimal?: string, hexadecimal?: string, name?: string) => {
      if (bytes) return decodeText(Buffer.from(bytes.replace(/[^0-9a-f]/gi, ''), 'hex'), undefined) ?? bytes
      if (code ?? hexadecimal) return character(Number.parseInt((code ?? hexadecimal) as string, 16))
      if (decimal) return character(Number(decimal))
      if (name) return htmlEntities.get(name) ?? whole
      return whole === '+AEA-' ? '@' : ''
    },
  )

/** Whatever stands in a text as base64 or in hexadecimal digits, read from each place where it could begin. */
export function unwrap(text: string): string[] {
  // Wrapped lines are one run, quoted ones too.
  const joined = text.replace(/=?\r?\n[> \t]*/g, '')
  return [
    ...[0, 1, 2, 3].map((shift) => decodeRuns(joined, base64Run, 'base64', shift)),
    ...[0, 1].map((shift) => decodeRuns(joined, hexRun, 'hex', shift)),
  ]
}

/** A text in which each run of base64 or of hexadecimal digits that `hide` changes is encoded again, changed. */
export function hideInside(text: string, hide: (plain: string) => string): string {
  return text
    .replace(pathSegment, (run) => hideInRun(run, 'base64url', [0], hide))
    .replace(base64Run, (run) => hideInRun(run, 'base64', [0, 1, 2, 3], hide))
    .replace(hexRun, (run) => hideInRun(run, 'hex', [0, 1], hide))
}

const escapes =
  /=\r?\n|((?:[=%][0-9a-f]{2})+)|\\(?:u\{?|x|'|0{1,4})([0-9a-f]{2,6})\}? ?|&#(\d{1,7});?|&#x([0-9a-f]{1,6});?|&([a-z]\w{1,15});|\+AEA-/gi
/** The slash is a letter of base64, and what stands between the parts of a path. */
const pathSegment = /[A-Za-z0-9_-]{8,}/g
const base64Run = /[A-Za-z0-9+/_-]{8,}={0,2}/g
const hexRun = /[0-9a-f]{12,}/gi

const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '')

const decodeRuns = (text: string, run: RegExp, encoding: 'base64' | 'hex', shift: number): string =>
  (text.match(run) ?? []).map((one) => Buffer.from(one.slice(shift), encoding).toString('latin1')).join('\n')

function hideInRun(run: string, encoding: BufferEncoding, shifts: number[], hide: (plain: string) => string): string {
  for (const shift of shifts) {
    const plain = Buffer.from(run.slice(shift), encoding).toString('latin1')
    const hidden = hide(plain)
    if (hidden !== plain) return run.slice(0, shift) + Buffer.from(hidden, 'latin1').toString(encoding)
  }
  return run
}
