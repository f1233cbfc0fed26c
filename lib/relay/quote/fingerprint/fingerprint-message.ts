import { decodeBody, decodeLeniently } from '#lib/relay/mime/encodings'
import { decodeWords } from '#lib/relay/mime/header-fields'
import { allParts, findValue, type MimePart, readMime } from '#lib/relay/mime/read-mime'
import { noteNames } from '#lib/relay/quote/names/name-watch'
import { readHtml, type Shown } from '#lib/relay/quote/reading/read-html'
import { readPlain } from '#lib/relay/quote/reading/read-plain'
import { lettersOf, type Reading } from '#lib/relay/quote/reading/reading'
import { type ContentKind, contentKind, isClosedFile } from '#lib/relay/reply/kinds/content-kind'
import { walkFile, walkText } from '#lib/relay/reply/leak-gate/file-leaks'
import { UnreadableContent } from '#lib/relay/reply/leak-gate/unreadable'
import {
  entriesOf,
  fingerprintRun,
  type Hash,
  makeHash,
  packFingerprints,
  partContent,
  subjectStep,
  subjectsOf,
} from './fingerprints.ts'

/** The key and context of an app message's fingerprints. `sender` is the display name of the app. */
export type FingerprintJob = { key: Uint8Array; alias: string; sender: string }

/**
 * Returns the packed fingerprints of a message on its way to the person. The result is empty if the message is too
 * large or cannot be read well enough to recognise it later. Whether the message names the person does not influence
 * the result.
 */
export function fingerprintMessage(raw: Buffer, { key, alias, sender }: FingerprintJob): Buffer {
  const root = readMime(raw, { isLenient: true })
  const leaves = root && leavesOf(root, 0)
  const subject = root && decodeWords(findValue(root.fields, 'subject') ?? '')
  if (!leaves || subject === undefined) return Buffer.alloc(0)
  const hash = makeHash(key, alias)
  const texts = leaves.filter(({ text }) => text !== undefined).map((leaf) => ({ ...leaf, readings: readingsOf(leaf) }))
  const readings = texts.flatMap((leaf) => leaf.readings)
  if (readings.some(({ isTooLong }) => isTooLong)) return Buffer.alloc(0)
  const name = lettersOf(sender)
  const names = namesOf(leaves, readings, [subject, sender])
  const exactHashes = new Set([
    ...leaves.flatMap((leaf) => fingerprintLeaf(leaf, hash)),
    ...readings.flatMap(({ attributeTexts }) => attributeTexts.map(({ value }) => hash('aside', value))),
    ...subjectsOf(subject).flatMap((one) => fingerprintSubject(one, hash)),
    hash('sender', name),
  ])
  const runs = [...new Set([...readings.map(({ letters }) => letters), ...joined(texts)])]
    .filter((letters) => letters !== '')
    .map((letters) => fingerprintRun(letters, hash))
  const printed = { runs, exactHashes: [...exactHashes], nameLength: name.length }
  if (packFingerprints({ ...printed, names: undefined }).length > mostBytes) return Buffer.alloc(0)
  return packFingerprints({ ...printed, names: names && [...new Set(names.map((form) => hash('name', form)))] })
}

/**
 * Returns the forms of every name in a message: in its texts, attributes, links and file names, and in its files,
 * which are searched in the same way as the leak gate searches the files of a reply. Undefined if there are too many
 * names or a file cannot be read.
 */
function namesOf(leaves: Leaf[], readings: Reading[], texts: string[]): string[] | undefined {
  const noted = noteNames()
  for (const text of [...texts, ...leaves.map(({ name }) => name)]) noted.inWords(text)
  for (const { quotations, unquoted, attributeTexts } of readings)
    for (const { text } of [...quotations, ...unquoted, ...attributeTexts]) noted.inWords(text)
  try {
    for (const { part, bytes, text, name } of leaves)
      if (isClosed(part, bytes, name)) return undefined
      else if (text === undefined) walkFile(bytes, part.contentType.parameters.get('charset'), noted)
      else walkText(text, noted)
  } catch (fault) {
    if (fault instanceof UnreadableContent) return undefined
    throw fault
  }
  return noted.all()
}

/** Returns whether the relay cannot read a file that the person may be able to open. */
function isClosed(part: MimePart, bytes: Buffer, name: string): boolean {
  const kind = contentKind(part, name, bytes)
  return (kind !== undefined && closedKinds.has(kind)) || isClosedFile(part.contentType.first, name, bytes)
}

const closedKinds = new Set<ContentKind>(['pgp_encrypted', 'smime', 'closed_message', 'winmail', 'closed_file'])

/** The size of the fingerprints of about a million characters, more than any message written for reading. */
const mostBytes = 128 * 1024
const deepestMessage = 3

type Leaf = { part: MimePart; bytes: Buffer; html: boolean; text: string | undefined; name: string }

/** Returns all leaf parts, including those of attached messages; undefined if one of them cannot be decoded. */
function leavesOf(root: MimePart, depth: number): Leaf[] | undefined {
  const leaves: Leaf[] = []
  for (const part of allParts(root).filter(({ parts }) => parts.length === 0)) {
    const bytes = decodeBody(part.body, part.encoding)
    const leaf = bytes && makeLeaf(part, bytes)
    if (!leaf) return undefined
    leaves.push(leaf)
    if (part.contentType.first !== 'message/rfc822') continue
    const inner = depth < deepestMessage ? readMime(leaf.bytes, { isLenient: true }) : undefined
    const more = inner && leavesOf(inner, depth + 1)
    if (!more) return undefined
    leaves.push(...more)
  }
  return leaves
}

function makeLeaf(part: MimePart, bytes: Buffer): Leaf | undefined {
  const { first, parameters } = part.contentType
  const name = part.disposition.parameters.get('filename') ?? parameters.get('name') ?? ''
  // Mail programs do not quote long text attachments.
  const isShown =
    first.startsWith('text/') && (part.disposition.first !== 'attachment' || bytes.length <= longestShownFile)
  const text = isShown ? decodeLeniently(bytes, parameters.get('charset')) : undefined
  if (isShown && text === undefined) return undefined
  return { part, bytes, name, text, html: /^text\/(html|.*xml)$/.test(first) }
}

const longestShownFile = 64 * 1024

const fingerprintLeaf = ({ part, bytes, name }: Leaf, hash: Hash): number[] => [
  hash('part', partContent(part.contentType.first, bytes)),
  ...(name === '' ? [] : [hash('file-name', lettersOf(name))]),
  ...entriesOf(part.contentType.first, bytes).map((uid) => hash('entry', uid)),
]

const noMarks = { addresses: [] }

/** The renderings of a page: with and without text that styles hide, each also as Outlook shows it. */
const views: Shown[] = [
  { hidden: true, forOutlook: false },
  { hidden: false, forOutlook: false },
  { hidden: true, forOutlook: true },
  { hidden: false, forOutlook: true },
]

function readingsOf({ text = '', html }: Leaf): Reading[] {
  if (!html) return [readPlain(text, noMarks)]
  // Most pages have the same text in all four renderings, so one suffices.
  const differs = /display|visibility|hidden|mso/i.test(text)
  return (differs ? views : views.slice(0, 1)).map((view) => readHtml(text, noMarks, view))
}

/**
 * Joins the letters of all pages, of all plain texts, and of both, because mail programs quote several texts of a
 * message as one.
 */
function joined(texts: (Leaf & { readings: Reading[] })[]): string[] {
  const isOneKind = (page: boolean) => texts.filter(({ html }) => html === page)
  return [isOneKind(true), isOneKind(false), texts]
    .filter((several) => several.length > 1)
    .map((several) => several.map(({ readings }) => readings[0]?.letters ?? '').join(''))
}

/** Fingerprints the whole subject and its beginnings of 16, 32, 48 … characters. */
function fingerprintSubject(letters: string, hash: Hash): number[] {
  const beginnings: number[] = []
  for (let length = subjectStep; length < letters.length; length += subjectStep)
    beginnings.push(hash('subject', letters.slice(0, length)))
  return [...beginnings, hash('subject', letters)]
}
