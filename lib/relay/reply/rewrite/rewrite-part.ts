import { isAscii, isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { decodeBody, decodeText } from '#lib/relay/mime/encodings'
import { type HeaderField, makeField } from '#lib/relay/mime/header-fields'
import { allParts, findValue, type MimePart } from '#lib/relay/mime/read-mime'
import { type AttachedRules, rewriteAttached } from '#lib/relay/reply/kinds/attached-message'
import { rewriteCalendar } from '#lib/relay/reply/kinds/calendar'
import { contentKind } from '#lib/relay/reply/kinds/content-kind'
import { RefusedPart } from '#lib/relay/reply/reply-refusal'
import { rewriteText } from './rewrite-text.ts'
import { fileNameOf, makeSafeTree } from './safe-tree.ts'
import {
  dispositionField,
  judgedOf,
  safeFileName,
  type Written,
  type WrittenPart,
  withBase64,
  withEncoding,
  writeText,
} from './write-part.ts'

export type PartRules = AttachedRules & {
  /**
   * The new Message-ID. Content-IDs and boundaries are derived from it, because those of mail programs contain host
   * names.
   */
  messageId: string
  /** `to` is the app's own address, which replaces the reverse address in a calendar entry. */
  reverse: string
  to: string
  alias: string
  /** The number of messages that contain this one. */
  depth: number
}

/**
 * Returns the rewritten tree: only known header fields, new Content-IDs and boundaries, and texts with the addresses
 * hidden. Throws RefusedPart for content that cannot be made safe.
 */
export function rewriteTree(root: MimePart, rules: PartRules): WrittenPart {
  const safe = makeSafeTree(root)
  const stem = createHash('sha256').update(rules.messageId).digest('hex').slice(0, 20)
  const domain = rules.messageId.replace(/^.*@|>$/g, '')
  const named = allParts(safe).flatMap(({ fields }) => contentIdOf(fields) ?? [])
  const contentIds = new Map([...new Set(named)].map((id, at) => [id, `part${at + 1}.${stem}@${domain}`]))
  let made = 0
  return rewritePart(safe, { ...rules, contentIds, nextName: () => `${stem}_${++made}` })
}

type Rules = PartRules & {
  contentIds: Map<string, string>
  /** Returns a unique label for a boundary or for the Message-ID of an attached message. */
  nextName(): string
}

function rewritePart(part: MimePart, rules: Rules): WrittenPart {
  return part.parts.length > 0 ? rewriteMultipart(part, rules) : rewriteLeaf(part, rules)
}

function rewriteMultipart(part: MimePart, rules: Rules): WrittenPart {
  // Neither quoted-printable nor base64 can contain `=_` (RFC 2045 §6.7).
  const boundary = `=_${rules.nextName()}`
  const inner = part.parts.map((one) => rewritePart(one, rules))
  const fields = [makeField('Content-Type', multipartType(part, boundary, rules))]
  const written = { fields, body: joinParts(inner, boundary) }
  if (!inner.some(({ judged }) => judged)) return written
  return { ...written, judged: { fields, body: joinParts(inner.map(judgedOf), boundary) } }
}

function joinParts(parts: Written[], boundary: string): Buffer {
  const lines = parts.flatMap(({ fields, body }) => [
    `--${boundary}\r\n${fields.map(({ raw }) => `${raw}\r\n`).join('')}\r\n`,
    body,
    '\r\n',
  ])
  return Buffer.concat([...lines, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece as string, 'latin1')))
}

/** Keeps alternative, related and mixed. Any other multipart type becomes mixed (RFC 2046 §5.1.7). */
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
  const { fields: names, judged } = nameFields(part, rules)
  // A part that the app sent stays unchanged: refusing or changing it would reveal whether it names the person (relay
  // §6).
  if (isFromApp(part, bytes, rules)) return writeFromApp(part, names, bytes, judged)
  const written = writeLeaf(part, names, bytes, rules)
  if (judged === names && !written.judged) return written
  return { ...written, judged: withFields(judgedOf(written), names, judged) }
}

/**
 * Returns whether the app sent this part. Never true for a contact card, because mail programs attach the person's
 * card automatically.
 */
const isFromApp = (part: MimePart, bytes: Buffer, { own }: Rules): boolean =>
  own?.isPart(part.contentType.first, bytes) === true && !/BEGIN:VCARD/i.test(bytes.toString('latin1'))

const writeFromApp = (part: MimePart, names: HeaderField[], bytes: Buffer, judged: HeaderField[]): WrittenPart => ({
  ...unchangedFile(part, names, bytes),
  judged: withBase64('application/octet-stream', judged, Buffer.alloc(0)),
})

const withFields = ({ fields, body }: Written, names: HeaderField[], judged: HeaderField[]): Written => ({
  fields: [...fields.filter((field) => !names.includes(field)), ...judged],
  body,
})

function writeLeaf(part: MimePart, names: HeaderField[], bytes: Buffer, rules: Rules): WrittenPart {
  const kind = contentKind(part, fileNameOf(part), bytes)
  if (kind === 'message') return writeAttached(names, bytes, rules)
  if (kind === 'calendar') return writeCalendar(part, names, bytes, rules)
  if (part.contentType.first.startsWith('text/')) return writeOwnText(part, names, bytes, rules)
  return isTextFile(part, bytes) ? writeTextFile(part, names, bytes, rules) : withBase64(mediaType(part), names, bytes)
}

/** The deepest nesting of attached messages, the same as in leak-gate.ts. */
const deepestMessage = 4

/**
 * An attached message is not encoded (RFC 2046 §5.2.1); the rewritten one is ASCII except for international
 * addresses.
 */
function writeAttached(names: HeaderField[], bytes: Buffer, rules: Rules): WrittenPart {
  const depth = rules.depth + 1
  if (depth > deepestMessage) throw new RefusedPart('unreadable')
  const messageId = rules.messageId.replace('<', `<${rules.nextName()}.`)
  const { whole, judged } = rewriteAttached(bytes, rules, (root) => rewriteTree(root, { ...rules, messageId, depth }))
  const encoding = isAscii(whole) ? '7bit' : '8bit'
  const write = (message: Buffer) => withEncoding('message/rfc822', names, encoding, message.toString('latin1'))
  return { ...write(whole), judged: write(judged) }
}

function writeCalendar(part: MimePart, names: HeaderField[], bytes: Buffer, rules: Rules): WrittenPart {
  const entry = rewriteCalendar(textOf(part, bytes), { ...rules, hide: rules.hideNames })
  if (!entry) return writeTextFile(part, names, bytes, rules)
  const write = (text: string) => writeText('text/calendar', names, text, `; method=${entry.method}`)
  return { ...write(entry.text), judged: write(entry.judged) }
}

function writeOwnText(part: MimePart, names: HeaderField[], bytes: Buffer, rules: Rules): WrittenPart {
  const text = textOf(part, bytes)
  if (part.disposition.first === 'attachment' && rules.hideNames(text) === text)
    return unchangedFile(part, names, bytes)
  const { first, parameters } = part.contentType
  // DelSp lines were joined to long lines, which `format=flowed` no longer describes.
  const isFlowed = /^flowed$/i.test(parameters.get('format') ?? '') && !/^yes$/i.test(parameters.get('delsp') ?? '')
  const format = first === 'text/plain' && isFlowed ? '; format=flowed' : ''
  const rewritten = rewriteText(text, part.contentType, rules)
  if (!rewritten) throw new RefusedPart('unreadable')
  const judged = writeText(mediaType(part), names, rewritten.judged, format)
  return rewritten.text === rewritten.judged
    ? judged
    : { ...writeText(mediaType(part), names, rewritten.text, format), judged }
}

/** A text file keeps its bytes and charset unless an address has to be replaced. */
function writeTextFile(part: MimePart, names: HeaderField[], bytes: Buffer, { hideNames }: Rules): WrittenPart {
  const text = textOf(part, bytes)
  const hidden = hideNames(text)
  return hidden === text ? unchangedFile(part, names, bytes) : writeText(mediaType(part), names, hidden)
}

const unchangedFile = (part: MimePart, names: HeaderField[], bytes: Buffer): WrittenPart =>
  withBase64(fileType(part), names, bytes)

function textOf({ contentType }: MimePart, bytes: Buffer): string {
  const isWide = ['fffe', 'feff'].includes(bytes.toString('hex', 0, 2))
  const text = decodeText(bytes, isWide ? 'utf-16' : contentType.parameters.get('charset'))
  if (text === undefined) throw new RefusedPart('unreadable')
  return text
}

/** Returns whether a part is a file of UTF-8 text, such as a contact card, a table, data or a page. */
const isTextFile = (part: MimePart, bytes: Buffer): boolean =>
  (textTypes.test(part.contentType.first) || textNames.test(fileNameOf(part))) && isUtf8(bytes) && !bytes.includes(0)

const textTypes =
  /^(application\/((x-)?(json|xml|yaml|sql|javascript|vcard|csv|ndjson|sh)|[\w.-]+\+(json|xml)|(x-)?vcard(\+\w+)?)|image\/svg\+xml|model\/gltf\+json)$/
const textNames =
  /\.(csv|tsv|json|ndjson|geojson|xml|ya?ml|txt|log|md|html?|svg|sql|vcf|vcard|ics|ini|conf|toml|[jt]s|css|py|sh)$/i

const mediaType = ({ contentType }: MimePart): string =>
  /^[a-z]+\/[a-z0-9][a-z0-9.+_-]{0,80}$/.test(contentType.first) ? contentType.first : 'application/octet-stream'

function fileType(part: MimePart): string {
  const charset = part.contentType.parameters.get('charset')?.toLowerCase() ?? ''
  return /^[a-z0-9_-]{1,40}$/.test(charset) ? `${mediaType(part)}; charset=${charset}` : mediaType(part)
}

/**
 * Returns the Content-ID and Content-Disposition fields with new names. `judged` has no file name that the app sent.
 */
function nameFields(
  part: MimePart,
  { hideNames, own, contentIds }: Rules,
): Pick<Written, 'fields'> & { judged: HeaderField[] } {
  const contentId = contentIds.get(contentIdOf(part.fields) ?? '')
  const given = fileNameOf(part)
  const isFromApp = given !== '' && own?.isFileName(given) === true
  const fields = writeNames(part, contentId, safeFileName(isFromApp ? given : hideNames(given)))
  return { fields, judged: isFromApp ? writeNames(part, contentId, '') : fields }
}

function writeNames(part: MimePart, contentId: string | undefined, name: string): HeaderField[] {
  const kinds = ['inline', 'attachment']
  const kind = kinds.find((one) => one === part.disposition.first) ?? (contentId ? 'inline' : 'attachment')
  const isNamed = part.disposition.first !== '' || name !== ''
  return [
    ...(contentId ? [makeField('Content-ID', `<${contentId}>`)] : []),
    ...(isNamed ? [dispositionField(kind, name)] : []),
  ]
}

const bare = (id: string): string => id.trim().replace(/^<|>$/g, '')

function contentIdOf(fields: HeaderField[]): string | undefined {
  const value = findValue(fields, 'content-id')
  return value && bare(value)
}
