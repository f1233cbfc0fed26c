import { fieldValue, type HeaderField } from '../message/header-fields.ts'
import { decodeText } from '../mime/charset.ts'
import { decodeWords } from '../mime/encoded-words.ts'
import { readParameters } from '../mime/parameters.ts'
import { allParts, type MimePart, readMime } from '../mime/read-mime.ts'
import { decodeBody } from '../mime/transfer-encoding.ts'
import { digestsOf, holdsDigest, likely } from './hide-addresses.ts'
import { isClosedFile } from './packed/closed-file.ts'
import { makeRoom, type Room } from './packed/inflate.ts'
import { unpack } from './packed/unpack.ts'
import { isSpelled, type Spelling, spellingsOf } from './spellings.ts'
import { Unseen } from './unseen.ts'
import { aroundLongRuns, unescapeOnce, unwrap } from './unwrap.ts'
import { withoutOddTags } from './without-odd-tags.ts'

/** What is found in a message: an address, or something that could hide one. */
export type Found = 'leak' | Unseen['refusal']

/**
 * The last gate before a message leaves (relay §6): whether one of these addresses can be found in it, in what
 * stands there, in what it decodes to or in what is packed in it. Closed when in doubt.
 */
export function findLeak(message: Buffer, addresses: string[]): Found | undefined {
  if (addresses.length === 0) return undefined
  const wanted = {
    addresses: addresses.map((address) => address.toLowerCase()),
    spellings: spellingsOf(addresses),
    digests: addresses.flatMap(digestsOf),
    isInternational: /[^\0-\x7f]|xn--/i.test(addresses.join()),
    room: makeRoom(),
  }
  try {
    return messageLeaks(message, wanted, 0) ? 'leak' : undefined
  } catch (fault) {
    if (fault instanceof Unseen) return fault.refusal
    throw fault
  }
}

type Wanted = { addresses: string[]; spellings: Spelling[]; digests: string[]; isInternational: boolean; room: Room }

const deepestMessage = 4
const deepestFile = 6
const deepestText = 3
const unescapings = 4

function messageLeaks(message: Buffer, wanted: Wanted, depth: number): boolean {
  const root = readMime(message)
  if (!root || depth > deepestMessage) throw new Unseen('unreadable')
  const parts = allParts(root)
  return (
    unnamedLeaks(withoutBodies(message, parts), wanted) ||
    parts.some(({ fields }) => fieldsLeak(fields, wanted)) ||
    parts.filter((part) => part.parts.length === 0).some((part) => leafLeaks(part, wanted, depth))
  )
}

/** What is left when the bodies of the leaves are taken out: header fields, boundaries, what stands around them. */
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

function fieldsLeak(fields: HeaderField[], wanted: Wanted): boolean {
  const values = fields.map(fieldValue)
  const texts = values.map(decodeWords)
  if (texts.includes(undefined)) throw new Unseen('unreadable')
  const parameters = values.flatMap((value) => [...readParameters(value).parameters.values()])
  return textLeaks([...texts, ...parameters].join('\n'), wanted, 0)
}

function leafLeaks({ contentType, encoding, body }: MimePart, wanted: Wanted, depth: number): boolean {
  const bytes = decodeBody(body, encoding)
  if (!bytes || (encoding === 'base64' && !isBase64(body))) throw new Unseen('unreadable')
  if (contentType.first.startsWith('message/') && !/\/.*(status|notification)$/.test(contentType.first)) {
    return messageLeaks(bytes, wanted, depth + 1)
  }
  const charset = contentType.parameters.get('charset')
  if (!contentType.first.startsWith('text/')) return fileLeaks(bytes, charset, wanted, 0)
  const text = decodeText(bytes, charset)
  if (text === undefined) throw new Unseen('unreadable')
  // Its bytes too: who reads it need not believe what it says of its characters.
  return textLeaks(text, wanted, 0) || binaryLeaks(bytes, wanted) || packedLeaks(bytes, wanted, 0)
}

function fileLeaks(bytes: Buffer, charset: string | undefined, wanted: Wanted, depth: number): boolean {
  const named = wideCharset(bytes) ?? charset
  for (const window of windowsOf(bytes)) {
    const legible = readLegible(window, named)
    if (binaryLeaks(window, wanted) || (legible !== undefined && textLeaks(legible, wanted, 0))) return true
  }
  return packedLeaks(bytes, wanted, depth)
}

/** Whatever is packed in a file, and in that again. */
function packedLeaks(file: Buffer, wanted: Wanted, depth: number): boolean {
  for (const { name, bytes } of unpack(file, wanted.room)) {
    // What has no name is a part of its file.
    const inner = name === '' ? depth : depth + 1
    if (inner > deepestFile || isClosedFile('', name, bytes)) throw new Unseen('packed')
    if (fileLeaks(bytes, undefined, wanted, inner)) return true
  }
  return false
}

// Each is read in several ways, which takes many times its size; nobody spells an address over more than the seam.
const longestWindow = 4 * 2 ** 20
const seam = 64 * 2 ** 10

function* windowsOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from === 0 || from + seam < bytes.length; from += longestWindow - seam)
    yield bytes.subarray(inFrontOf(bytes, from), inFrontOf(bytes, from + longestWindow))
}

/** A place where no character of UTF-8 is cut, nor one of two bytes. */
function inFrontOf(bytes: Buffer, at: number): number {
  let place = at
  while (place > 0 && place < bytes.length && at - place < 4 && ((bytes[place] ?? 0) & 0xc0) === 0x80) place--
  return place === at ? at : place & ~1
}

const wideCharset = (bytes: Buffer): string | undefined =>
  ({ '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' })[bytes.toString('latin1', 0, 2)]

/** JSON, SVG, RTF and the like are text by another name, with escapes of their own. */
function readLegible(bytes: Buffer, charset: string | undefined): string | undefined {
  if (charset?.startsWith('utf-16')) return decodeText(bytes, charset)
  // What is no text has a zero somewhere.
  if (bytes.includes(0)) return undefined
  return decodeText(bytes, charset) ?? bytes.toString('latin1')
}

/** Nothing but the alphabet and one end: other readers go on where ours would stop. */
function isBase64(body: Buffer): boolean {
  const text = body.toString('latin1')
  return !/[^A-Za-z0-9+/=\s]|=\s{0,9}[^=\s]|=\s{10}/.test(text.trimEnd())
}

/** Bytes that do not say what they are, as one-byte characters and as UTF-8. */
const unnamedLeaks = (bytes: Buffer, wanted: Wanted): boolean =>
  textLeaks(bytes.toString('latin1'), wanted, 0) || (!isPlain(bytes) && textLeaks(bytes.toString('utf8'), wanted, 0))

const isPlain = (bytes: Buffer): boolean => !/[^\0-\x7f]/.test(bytes.toString('latin1'))

function textLeaks(text: string, wanted: Wanted, depth: number): boolean {
  if (standsIn(text, wanted)) return true
  let plain = withoutLongRuns(text)
  for (let round = 0; round < unescapings; round++) {
    if (shows(plain, wanted.spellings, wanted.digests)) return true
    const untagged = withoutOddTags(plain)
    if (untagged !== undefined && isSpelled(wanted.spellings, untagged)) return true
    if (!escapable.test(plain)) break
    const next = unescapeOnce(plain).normalize('NFKC')
    if (next === plain) break
    plain = next
  }
  return depth < deepestText && unwrap(text).some((inside) => wrappedLeaks(inside, wanted, depth + 1))
}

function withoutLongRuns(text: string): string {
  const prose: string[] = []
  aroundLongRuns(text, (piece) => {
    prose.push(piece)
    return ''
  })
  return prose.join(' ')
}

/** Nothing to undo in a text without these. */
const escapable = /[=%\\&+\u0080-\uffff]/

/** What came out of base64 is mostly noise: looked at closely only when a part of an address stands in it. */
function wrappedLeaks(text: string, wanted: Wanted, depth: number): boolean {
  const views = wanted.isInternational ? [text, Buffer.from(text, 'latin1').toString('utf8')] : [text]
  return (
    views.some((view) => shows(view, likely(wanted.spellings, view), wanted.digests)) ||
    (depth < deepestText && unwrap(text).some((inside) => inside !== '' && wrappedLeaks(inside, wanted, depth + 1)))
  )
}

function binaryLeaks(bytes: Buffer, wanted: Wanted): boolean {
  const text = bytes.toString('latin1')
  return standsIn(text, wanted) || wrappedLeaks(text, wanted, 0)
}

/** As it is, glued to digits or in the columns of a table: only letters in front make it somebody else's, or behind it another domain. */
function standsIn(text: string, { addresses }: Wanted): boolean {
  const lower = text.toLowerCase()
  return addresses.some((address) => {
    for (let at = lower.indexOf(address); at !== -1; at = lower.indexOf(address, at + 1)) {
      const before = /[a-z0-9._+\\-]*$/.exec(lower.slice(Math.max(0, at - 64), at))?.[0] ?? ''
      if (!/^[a-z]/.test(before) && !/[a-z]/.test(lower[at + address.length] ?? '')) return true
    }
    return false
  })
}

const shows = (text: string, spellings: Spelling[], digests: string[]): boolean =>
  isSpelled(spellings, text) || holdsDigest(text, digests)
