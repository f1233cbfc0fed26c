import { decodeBody, decodeText } from '#lib/relay/mime/encodings'
import { decodeWords, fieldValue, type HeaderField, readParameters } from '#lib/relay/mime/header-fields'
import { allParts, type MimePart, readMime } from '#lib/relay/mime/read-mime'
import type { NameWatch } from '#lib/relay/quote/names/name-watch'
import { fileLeaks, packedLeaks, wrappedLeak } from './file-leaks.ts'
import { bytesLeak, makeSearch, type Search, textLeaks } from './text-leaks.ts'
import { UnreadableContent } from './unreadable.ts'

/** The result of a search: 'leak' for an address, or the reason why content could not be searched. */
export type Found = 'leak' | UnreadableContent['refusal']

/**
 * The last check before a message leaves (relay §6). Returns 'leak' if its text, decoded text or packed data contains
 * one of these addresses, and a reason if some content cannot be searched; undefined if it may leave.
 */
export function findLeak(message: Buffer, addresses: string[], names?: NameWatch): Found | undefined {
  if (addresses.length === 0) return undefined
  try {
    return messageLeaks(message, makeSearch(addresses, names), 0) ? 'leak' : undefined
  } catch (fault) {
    if (fault instanceof UnreadableContent) return fault.refusal
    throw fault
  }
}

const deepestMessage = 4

function messageLeaks(message: Buffer, search: Search, depth: number): boolean {
  const root = readMime(message)
  if (!root || depth > deepestMessage) throw new UnreadableContent('unreadable')
  const parts = allParts(root)
  return (
    unnamedLeaks(withoutBodies(message, parts), search) ||
    parts.some(({ fields }) => fieldsLeak(fields, search)) ||
    parts.filter((part) => part.parts.length === 0).some((part) => leafLeaks(part, search, depth))
  )
}

/** Returns a message without the bodies of its leaf parts: header fields, boundaries and the text around them. */
function withoutBodies(message: Buffer, parts: MimePart[]): Buffer {
  const kept: Buffer[] = []
  let from = 0
  for (const { body, parts: inner } of parts) {
    if (inner.length > 0 || body.length === 0) continue
    const start = body.byteOffset - message.byteOffset
    kept.push(message.subarray(from, start))
    from = start + body.length
  }
  return Buffer.concat([...kept, message.subarray(from)])
}

function fieldsLeak(fields: HeaderField[], search: Search): boolean {
  const values = fields.map(fieldValue)
  const texts = values.map(decodeWords)
  if (texts.includes(undefined)) throw new UnreadableContent('unreadable')
  const parameters = values.flatMap((value) => [...readParameters(value).parameters.values()])
  const text = [...texts, ...parameters].join('\n')
  return textLeaks(text, search) || wrappedLeak(text, search, 0)
}

function leafLeaks({ contentType, encoding, body }: MimePart, search: Search, depth: number): boolean {
  const bytes = decodeBody(body, encoding)
  if (!bytes || (encoding === 'base64' && !isBase64(body))) throw new UnreadableContent('unreadable')
  if (contentType.first.startsWith('message/') && !/\/.*(status|notification)$/.test(contentType.first)) {
    return messageLeaks(bytes, search, depth + 1)
  }
  const charset = contentType.parameters.get('charset')
  if (!contentType.first.startsWith('text/')) return fileLeaks(bytes, charset, search)
  const text = decodeText(bytes, charset)
  if (text === undefined) throw new UnreadableContent('unreadable')
  // The raw bytes are searched too, because a mail program may ignore the declared charset.
  const isMisnamed = text !== bytes.toString('utf8') && bytesLeak(bytes, search)
  return textLeaks(text, search) || isMisnamed || packedLeaks(bytes, search, 0) || wrappedLeak(text, search, 0)
}

/**
 * Returns whether a body is strict base64 with padding only at its end. After other padding our decoder stops, but a
 * lenient one continues.
 */
function isBase64(body: Buffer): boolean {
  const text = body.toString('latin1')
  return !/[^A-Za-z0-9+/=\s]|=\s{0,9}[^=\s]|=\s{10}/.test(text.trimEnd())
}

/** Searches bytes of unknown charset as latin1 and as UTF-8. */
const unnamedLeaks = (bytes: Buffer, search: Search): boolean =>
  textLeaks(bytes.toString('latin1'), search) || (!isPlain(bytes) && textLeaks(bytes.toString('utf8'), search))

const isPlain = (bytes: Buffer): boolean => !/[^\0-\x7f]/.test(bytes.toString('latin1'))
