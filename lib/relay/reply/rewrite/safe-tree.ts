import { decodeBody, decodeLeniently, decodeText } from '#lib/relay/mime/encodings'
import { allParts, type MimePart, readMime } from '#lib/relay/mime/read-mime'
import { readCms } from '#lib/relay/reply/kinds/cms'
import { type ContentKind, contentKind, isClosedFile } from '#lib/relay/reply/kinds/content-kind'
import { withoutArmor } from '#lib/relay/reply/kinds/pgp-armor'
import { readTnef } from '#lib/relay/reply/kinds/tnef'
import { readUuencoded } from '#lib/relay/reply/kinds/uuencode'
import { RefusedPart } from '#lib/relay/reply/reply-refusal'

/** Notes that replace removed parts. Always in English: the person's language must not reach the app. */
const notes = {
  signature: 'A digital signature was removed from this message: it would show the address behind the relay address.',
  key: 'An encryption key was removed from this message: it would show the address behind the relay address.',
  report: 'A delivery report was removed from this message: it would show the address behind the relay address.',
}

/**
 * Returns the tree of a message without content that identifies the person even after addresses are replaced: notes
 * replace signatures, keys and reports, and the content of S/MIME and winmail.dat replaces these containers (relay
 * §6). Throws RefusedPart for content that cannot be made safe.
 */
export function makeSafeTree(root: MimePart): MimePart {
  const hasWords = allParts(root).some(
    ({ contentType, disposition, body }) =>
      contentType.first.startsWith('text/') && disposition.first !== 'attachment' && /\S/.test(body.toString('latin1')),
  )
  return group(safeParts(root, { depth: 0, hasWords }))
}

type Place = { depth: number; hasWords: boolean }
const below = ({ depth, hasWords }: Place): Place => ({ depth: depth + 1, hasWords })

/** Honest mail does not nest signed messages deeper. */
const deepest = 8

function safeParts(part: MimePart, place: Place): MimePart[] {
  if (place.depth > deepest) throw new RefusedPart('unreadable')
  return part.parts.length > 0 ? safeMultipart(part, place) : safeLeaf(part, place)
}

function safeMultipart(part: MimePart, place: Place): MimePart[] {
  const type = part.contentType.first
  const protocol = part.contentType.parameters.get('protocol') ?? ''
  if (type === 'multipart/encrypted') throw new RefusedPart(protocol.includes('pkcs7') ? 'smime' : 'pgp')
  // The first part is the signed content, whatever type the second part has (RFC 1847 §2.1).
  if (type === 'multipart/signed') return [...safeParts(part.parts[0] as MimePart, below(place)), note('signature')]
  const parts = part.parts.map((one) => safeParts(one, place))
  const isChoice = type === 'multipart/alternative' || type === 'multipart/related'
  const kept = isChoice ? parts.map(group) : parts.flat()
  return [kept.length > 0 ? { ...part, parts: kept } : emptyPart]
}

function safeLeaf(part: MimePart, place: Place): MimePart[] {
  const bytes = decodeBody(part.body, part.encoding)
  if (!bytes) return safeLeaf(withKnownEncoding(part), place)
  const name = fileNameOf(part)
  const kind = contentKind(part, name, bytes)
  if (kind) return opened[kind](part, bytes, place)
  if (isClosedFile(part.contentType.first, name, bytes)) throw new RefusedPart('packed')
  return part.contentType.first.startsWith('text/') ? safeText(part, bytes, place) : [part]
}

/**
 * Reads a part with an unknown transfer encoding: some programs write an invalid name (`8-bit`, `utf-8`) and do not
 * encode; old ones use uuencode.
 */
function withKnownEncoding(part: MimePart): MimePart {
  const [file] = readUuencoded(part.body.toString('latin1')).files
  const isText = part.contentType.first.startsWith('text/')
  if (!file && !isText) throw new RefusedPart('unreadable')
  return { ...part, encoding: 'binary', body: file?.bytes ?? part.body }
}

const refuse = (refusal: RefusedPart['refusal']) => (): never => {
  throw new RefusedPart(refusal)
}

const opened: Record<ContentKind, (part: MimePart, bytes: Buffer, place: Place) => MimePart[]> = {
  signature: () => [note('signature')],
  key: () => [note('key')],
  report: () => [note('report')],
  smime: openSmime,
  winmail: openWinmail,
  calendar: (part) => [part],
  message: (part) => [part],
  pgp_encrypted: refuse('pgp'),
  closed_message: refuse('attached_message'),
  closed_file: refuse('packed'),
}

function openSmime(_: MimePart, bytes: Buffer, place: Place): MimePart[] {
  const cms = readCms(bytes)
  if (cms.kind === 'closed') throw new RefusedPart('smime')
  if (cms.kind === 'certificates') return [note('key')]
  const { content } = cms
  const isCanonical = content.includes('\r\n')
  const inner = readMime(
    isCanonical ? content : Buffer.from(content.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
    { isLenient: true },
  )
  if (!inner) throw new RefusedPart('unreadable')
  return [...safeParts(inner, below(place)), note('signature')]
}

/** Returns the files of a winmail.dat, and its text if the message has no other text. */
function openWinmail(_: MimePart, bytes: Buffer, place: Place): MimePart[] {
  const tnef = readTnef(bytes)
  if (!tnef) throw new RefusedPart('winmail')
  const files = tnef.files.map(({ name, bytes: file }) => filePart(name, file))
  if (place.hasWords) return files.flatMap((file) => safeParts(file, below(place)))
  const words = tnef.html
    ? textPart('text/html', tnef.html)
    : tnef.text && textPart('text/plain', Buffer.from(tnef.text))
  // The only text may be compressed RTF, which the relay cannot read.
  if (!words) throw new RefusedPart('winmail')
  return [words, ...files].flatMap((one) => safeParts(one, below(place)))
}

function safeText(part: MimePart, bytes: Buffer, place: Place): MimePart[] {
  const { first, parameters } = part.contentType
  const charset = parameters.get('charset')
  const text = decodeLeniently(bytes, charset)
  if (text === undefined) throw new RefusedPart('unreadable')
  const isKnown = decodeText(bytes, charset) !== undefined
  const read = part.disposition.first === 'attachment' ? { text, files: [] } : readUuencoded(text)
  const unsigned = withoutArmor(read.text, first !== 'text/plain')
  if (unsigned === text && isKnown) return [part]
  const contentType = { first, parameters: new Map(parameters).set('charset', 'utf-8') }
  const rewritten = { ...part, contentType, encoding: '8bit', body: Buffer.from(unsigned) }
  return [rewritten, ...read.files.flatMap(({ name, bytes: file }) => safeParts(filePart(name, file), below(place)))]
}

/** Groups parts into one multipart; returns a single part as it is. */
function group(parts: MimePart[]): MimePart {
  const [only = emptyPart, ...others] = parts
  if (others.length === 0) return only
  return { ...emptyPart, contentType: { first: 'multipart/mixed', parameters: new Map() }, parts }
}

const emptyPart: MimePart = {
  fields: [],
  contentType: { first: 'text/plain', parameters: new Map() },
  disposition: { first: '', parameters: new Map() },
  encoding: '8bit',
  body: Buffer.alloc(0),
  parts: [],
}

const textPart = (first: string, body: Buffer): MimePart => ({
  ...emptyPart,
  contentType: { first, parameters: new Map() },
  disposition: { first: 'inline', parameters: new Map() },
  body,
})

const note = (kind: keyof typeof notes): MimePart => textPart('text/plain', Buffer.from(`[${notes[kind]}]\r\n`))

const filePart = (name: string, body: Buffer): MimePart => ({
  ...emptyPart,
  contentType: { first: 'application/octet-stream', parameters: new Map() },
  disposition: { first: 'attachment', parameters: new Map([['filename', name]]) },
  encoding: 'binary',
  body,
})

export const fileNameOf = ({ contentType, disposition }: MimePart): string =>
  (disposition.parameters.get('filename') ?? contentType.parameters.get('name') ?? '').trim()
