import { encodeBase64, encodeQuotedPrintable } from '#lib/relay/mime/encodings'
import { encodeWords, type HeaderField, makeField } from '#lib/relay/mime/header-fields'

/** A rewritten part. `judged` is the version for the leak gate, without text and data of the app. */
export type WrittenPart = Written & { judged?: Written | undefined }
export type Written = { fields: HeaderField[]; body: Buffer }

export const judgedOf = (part: WrittenPart): Written => part.judged ?? part

/** Returns a text in UTF-8 with the shorter transfer encoding. `type` must not contain a charset. */
export function writeText(type: string, names: HeaderField[], text: string, parameters = ''): WrittenPart {
  const full = `${type}; charset=utf-8${parameters}`
  const bytes = Buffer.from(text)
  if (bytes.length - bytes.toString('latin1').replace(/[^\0-\x7f]/g, '').length > bytes.length / 4) {
    return withBase64(full, names, bytes)
  }
  return withEncoding(full, names, 'quoted-printable', encodeQuotedPrintable(bytes))
}

export const withBase64 = (type: string, names: HeaderField[], bytes: Buffer): WrittenPart =>
  withEncoding(type, names, 'base64', encodeBase64(bytes))

export const withEncoding = (type: string, names: HeaderField[], encoding: string, body: string): WrittenPart => ({
  fields: [makeField('Content-Type', type), makeField('Content-Transfer-Encoding', encoding), ...names],
  body: Buffer.from(body, 'latin1'),
})

/** Returns Content-Disposition with the file name only, because its date parameters would reveal a time zone. */
export const dispositionField = (kind: string, name: string): HeaderField =>
  makeField('Content-Disposition', [kind, ...fileNameParameters(name)].join(';\r\n '))

export const safeFileName = (name: string): string =>
  name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}/\\]/gu, '_')
    .trim()
    .slice(0, 200)
    .toWellFormed()

/**
 * Returns a short ASCII name as a quoted string, and any other name as percent-encoded UTF-8 in sections (RFC 2231
 * §4.1).
 */
function fileNameParameters(name: string): string[] {
  if (name === '') return []
  if (/^[ -~]{1,60}$/.test(name)) return [`filename="${name.replace(/["\\]/g, '\\$&')}"`]
  const encoded = encodeURIComponent(name).replace(/['()*!]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  const pieces = encoded.match(/(?:%[0-9A-Fa-f]{2}|[^%]){1,50}/g) ?? []
  return pieces.map((piece, at) => `filename*${at}*=${at === 0 ? "UTF-8''" : ''}${piece}`)
}

/** Returns a mailbox for a header field; a plain name is quoted. */
export function writeMailbox(name: string, address: string): string {
  const clean = name
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200)
  if (clean === '') return `<${address}>`
  return `${/^[ -~]*$/.test(clean) ? `"${clean.replace(/["\\]/g, '\\$&')}"` : encodeWords(clean)} <${address}>`
}
