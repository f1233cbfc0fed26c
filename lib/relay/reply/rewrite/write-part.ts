import { encodeWords } from '#lib/relay/mime/encoded-words'
import { type HeaderField, makeField } from '#lib/relay/mime/header-fields'
import { encodeBase64, encodeQuotedPrintable } from '#lib/relay/mime/transfer-encoding'

/** A part that leaves; `judged` is the version for the leak gate, where some of the part is the app's own. */
export type WrittenPart = Written & { judged?: Written | undefined }
export type Written = { fields: HeaderField[]; body: Buffer }

export const judgedOf = (part: WrittenPart): Written => part.judged ?? part

/** Returns a text in UTF-8, in the encoding that is shorter; `type` says nothing of its characters yet. */
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

/** Content-Disposition with a file name and nothing else: its dates tell a time zone. */
export const dispositionField = (kind: string, name: string): HeaderField =>
  makeField('Content-Disposition', [kind, ...fileNameParameters(name)].join(';\r\n '))

export const safeFileName = (name: string): string =>
  name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}/\\]/gu, '_')
    .trim()
    .slice(0, 200)
    .toWellFormed()

/** In quotes when it is plain, else in pieces of percent-encoded UTF-8 (RFC 2231 §4.1). */
function fileNameParameters(name: string): string[] {
  if (name === '') return []
  if (/^[ -~]{1,60}$/.test(name)) return [`filename="${name.replace(/["\\]/g, '\\$&')}"`]
  const encoded = encodeURIComponent(name).replace(/['()*!]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  const pieces = encoded.match(/(?:%[0-9A-Fa-f]{2}|[^%]){1,50}/g) ?? []
  return pieces.map((piece, at) => `filename*${at}*=${at === 0 ? "UTF-8''" : ''}${piece}`)
}

/** A mailbox as a header field holds it: the name, if there is one, in quotes when it is plain. */
export function writeMailbox(name: string, address: string): string {
  const clean = name
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200)
  if (clean === '') return `<${address}>`
  return `${/^[ -~]*$/.test(clean) ? `"${clean.replace(/["\\]/g, '\\$&')}"` : encodeWords(clean)} <${address}>`
}
