import { createHash } from 'node:crypto'
import { type HeaderField, makeField } from '../message/header-fields.ts'
import { decodeText } from '../mime/charset.ts'
import { allParts, findValue, type MimePart } from '../mime/read-mime.ts'
import { decodeBody, encodeBase64, encodeQuotedPrintable } from '../mime/transfer-encoding.ts'
import { refusedContent } from './refused-content.ts'
import type { ReplyRefusal } from './reply-refusal.ts'
import { rewriteText } from './rewrite-text.ts'

/** A part as it leaves: its fields and its body. */
export type WrittenPart = { fields: HeaderField[]; body: Buffer }

export type PartRules = {
  hide(text: string): string
  /** From which the names of parts and boundaries are made, because a client's own name machines and domains. */
  messageId: string
}

export class RefusedPart extends Error {
  readonly refusal: ReplyRefusal
  constructor(refusal: ReplyRefusal) {
    super(refusal)
    this.refusal = refusal
  }
}

/** The whole tree written anew: known fields only, our names, texts with the addresses hidden; throws RefusedPart. */
export function rewriteTree(root: MimePart, { hide, messageId }: PartRules): WrittenPart {
  const stem = createHash('sha256').update(messageId).digest('hex').slice(0, 20)
  const domain = messageId.replace(/^.*@|>$/g, '')
  const named = allParts(root).flatMap(({ fields }) => contentIdOf(fields) ?? [])
  const contentIds = new Map([...new Set(named)].map((id, at) => [id, `part${at + 1}.${stem}@${domain}`]))
  let boundaries = 0
  return rewritePart(root, { hide, contentIds, nextBoundary: () => `=_${stem}_${++boundaries}` })
}

type Rules = {
  hide(text: string): string
  contentIds: Map<string, string>
  /** Begins with `=_`, which neither quoted-printable nor base64 can hold (RFC 2045 §6.7). */
  nextBoundary(): string
}

function rewritePart(part: MimePart, rules: Rules): WrittenPart {
  return part.contentType.first.startsWith('multipart/') ? rewriteMultipart(part, rules) : rewriteLeaf(part, rules)
}

function rewriteMultipart(part: MimePart, rules: Rules): WrittenPart {
  const refused = refusedContent(part, '', Buffer.alloc(0))
  if (refused) throw new RefusedPart(refused)
  const boundary = rules.nextBoundary()
  const inner = part.parts.map((one) => rewritePart(one, rules))
  const lines = inner.flatMap(({ fields, body }) => [
    `--${boundary}\r\n${fields.map(({ raw }) => `${raw}\r\n`).join('')}\r\n`,
    body,
    '\r\n',
  ])
  return {
    fields: [makeField('Content-Type', multipartType(part, boundary, rules))],
    body: Buffer.concat([...lines, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece as string, 'latin1'))),
  }
}

/** Of the kinds of multipart three mean something to a reader; the rest is a list of parts (RFC 2046 §5.1.7). */
function multipartType(part: MimePart, boundary: string, { contentIds }: Rules): string {
  const kind = ['multipart/alternative', 'multipart/related'].find((one) => one === part.contentType.first)
  const written = [kind ?? 'multipart/mixed', `boundary="${boundary}"`]
  if (kind === 'multipart/related') {
    const start = contentIds.get(bare(part.contentType.parameters.get('start') ?? ''))
    const root = part.parts.find(({ fields }) => start && contentIds.get(contentIdOf(fields) ?? '') === start)
    written.push(`type="${mediaType(root ?? (part.parts[0] as MimePart))}"`, ...(root ? [`start="<${start}>"`] : []))
  }
  return written.join(';\r\n ')
}

function rewriteLeaf(part: MimePart, rules: Rules): WrittenPart {
  const bytes = decodeBody(part.body, part.encoding)
  if (!bytes) throw new RefusedPart('unreadable')
  const { first, parameters } = part.contentType
  const given = part.disposition.parameters.get('filename') ?? parameters.get('name') ?? ''
  const text = first.startsWith('text/') ? decodeText(bytes, parameters.get('charset')) : ''
  const refused = refusedContent(part, given.trim(), bytes, text)
  if (refused) throw new RefusedPart(refused)
  if (text === undefined) throw new RefusedPart('unreadable')
  const names = nameFields(part, given, rules)
  if (!first.startsWith('text/')) return withBase64(mediaType(part), names, bytes)
  const isFile = part.disposition.first === 'attachment'
  // A file stays what it is, character set and all, unless an address has to be taken out of it.
  if (isFile && rules.hide(text) === text) return withBase64(fileType(part), names, bytes)
  return writeText(part, names, rewriteText(text, part.contentType, rules))
}

function writeText(part: MimePart, names: HeaderField[], text: string): WrittenPart {
  const { first, parameters } = part.contentType
  // Joined lines (delsp) are long lines now: only plain `flowed` still describes them.
  const isFlowed = /^flowed$/i.test(parameters.get('format') ?? '') && !/^yes$/i.test(parameters.get('delsp') ?? '')
  const type = `${mediaType(part)}; charset=utf-8${first === 'text/plain' && isFlowed ? '; format=flowed' : ''}`
  const bytes = Buffer.from(text)
  if (bytes.length - bytes.toString('latin1').replace(/[^\0-\x7f]/g, '').length > bytes.length / 4) {
    return withBase64(type, names, bytes)
  }
  return withEncoding(type, names, 'quoted-printable', encodeQuotedPrintable(bytes))
}

const withBase64 = (type: string, names: HeaderField[], bytes: Buffer): WrittenPart =>
  withEncoding(type, names, 'base64', encodeBase64(bytes))

const withEncoding = (type: string, names: HeaderField[], encoding: string, body: string): WrittenPart => ({
  fields: [makeField('Content-Type', type), makeField('Content-Transfer-Encoding', encoding), ...names],
  body: Buffer.from(body, 'latin1'),
})

const mediaType = ({ contentType }: MimePart): string =>
  /^[a-z]+\/[a-z0-9][a-z0-9.+_-]{0,80}$/.test(contentType.first) ? contentType.first : 'application/octet-stream'

function fileType(part: MimePart): string {
  const charset = part.contentType.parameters.get('charset')?.toLowerCase() ?? ''
  return /^[a-z0-9_-]{1,40}$/.test(charset) ? `${mediaType(part)}; charset=${charset}` : mediaType(part)
}

/** Content-ID and Content-Disposition with a file name and nothing else: its dates tell a time zone. */
function nameFields(part: MimePart, given: string, { hide, contentIds }: Rules): HeaderField[] {
  const contentId = contentIds.get(contentIdOf(part.fields) ?? '')
  const name = safeFileName(hide(given))
  const kinds = ['inline', 'attachment']
  const kind = kinds.find((one) => one === part.disposition.first) ?? (contentId ? 'inline' : 'attachment')
  const isNamed = part.disposition.first !== '' || name !== ''
  return [
    ...(contentId ? [makeField('Content-ID', `<${contentId}>`)] : []),
    ...(isNamed ? [makeField('Content-Disposition', [kind, ...fileNameParameters(name)].join(';\r\n '))] : []),
  ]
}

const safeFileName = (name: string): string =>
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

const bare = (id: string): string => id.trim().replace(/^<|>$/g, '')

function contentIdOf(fields: HeaderField[]): string | undefined {
  const value = findValue(fields, 'content-id')
  return value && bare(value)
}
