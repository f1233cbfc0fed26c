import { isUtf8 } from 'node:buffer'
import { decodeText } from '#lib/relay/mime/encodings'
import type { NameWatch } from '#lib/relay/quote/names/name-watch'
import { isClosedFile, isClosedStream } from '#lib/relay/reply/kinds/content-kind'
import { spend } from '#lib/relay/reply/leak-gate/packed/inflate'
import { isPdf } from '#lib/relay/reply/leak-gate/packed/pdf'
import type { Piece } from '#lib/relay/reply/leak-gate/packed/piece'
import { unpack, wholeStreams } from '#lib/relay/reply/leak-gate/packed/unpack'
import { wrappedFiles } from '#lib/relay/reply/leak-gate/packed/wrapped-files'
import {
  bytesLeak,
  cellsLeak,
  containsAddress,
  containsSeparateAddress,
  makeSearch,
  type Search,
  textLeaks,
} from './text-leaks.ts'
import { UnreadableContent } from './unreadable.ts'

const deepest = 6

/** Returns whether a file contains an address: in its bytes, its text, or data packed or encoded in it. */
export function fileLeaks(bytes: Buffer, charset: string | undefined, search: Search, depth = 0): boolean {
  const named = wideCharset(bytes) ?? charset
  for (const window of windowsOf(bytes)) {
    const legible = readLegible(window, named)
    if (legible !== undefined && readableLeaks(legible, search)) return true
    if (legible !== undefined && isUtf8(window) && !isPdf(bytes) && wordsName(legible, search)) return true
    // For valid UTF-8, the search of the text covered all bytes.
    if ((legible === undefined || named || !isUtf8(window)) && bytesLeak(window, search)) return true
  }
  return (
    packedLeaks(bytes, search, depth) ||
    piecesLeak(wholeStreams(bytes, search.budget), search, depth + 1) ||
    wrappedLeak(textOf(bytes, named), search, depth)
  )
}

/**
 * Returns whether a text file contains a name that the app sent. A PDF is searched by its displayed text only,
 * because its source consists of numbers.
 */
function wordsName(text: string, { names, budget }: Search): boolean {
  if (!names || budget.words < text.length) return false
  budget.words -= text.length
  return names.inWords(text.replace(idOfDocument, ''))
}

/** Design programs write these prefixes and 32 digits, which look like a digest, into every copy of a document. */
const idOfDocument = /(?:xmp\.[a-z]{2,3}|uuid):[0-9a-f-]{32,36}/gi

/** Searches a file on its way to the person in the same way as the leak gate searches a file of a reply. */
export const walkFile = (bytes: Buffer, charset: string | undefined, names: NameWatch): boolean =>
  fileLeaks(bytes, charset, makeSearch([], names))

/**
 * Searches a text with its escapes, base64 and hexadecimal runs decoded. Does not unpack compressed data; its encoded
 * form is treated as one name.
 */
export const walkText = (text: string, names: NameWatch): boolean => textLeaks(text, makeSearch([], names))

const readableLeaks = (text: string, search: Search): boolean =>
  containsSeparateAddress(text, search) || cellsLeak(text, search) || textLeaks(text, search)

function textOf(bytes: Buffer, charset: string | undefined): string {
  const wide = charset?.startsWith('utf-16') ? decodeText(bytes, charset) : undefined
  return wide ?? bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}

/** Searches the data packed in a file, recursively. */
export const packedLeaks = (file: Buffer, search: Search, depth: number): boolean =>
  piecesLeak(unpack(file, search.budget), search, depth)

function piecesLeak(pieces: Iterable<Piece>, search: Search, depth: number): boolean {
  for (const { name, bytes, isWithoutSpaces } of pieces) {
    // A stream without a name belongs to its file and adds no level of nesting.
    const inner = name === '' ? depth : depth + 1
    if (inner > deepest || isClosedFile('', name, bytes)) throw new UnreadableContent('packed')
    if (isWithoutSpaces ? containsAddress(bytes.toString(), search) : fileLeaks(bytes, undefined, search, inner))
      return true
  }
  return false
}

/**
 * Searches the files encoded in a text as base64 or digits, also compressed ones. Short readable files are joined and
 * searched in one pass.
 */
export function wrappedLeak(text: string, search: Search, depth: number): boolean {
  if (depth >= deepest) return false
  const short: Buffer[] = []
  const isLeak = (bytes: Buffer): boolean => {
    if (bytes.length > longestShort) return fileLeaks(bytes, undefined, search, depth + 1)
    short.push(bytes)
    return false
  }
  for (const run of wrappedFiles(text)) {
    spend(search.budget, { read: run.length, written: 0 })
    if (isClosedStream(run)) throw new UnreadableContent('packed')
    for (const { bytes } of wholeStreams(run, search.budget)) if (isLeak(bytes)) return true
    // The decoded bytes were searched with the text already. Readable ones are searched again, because they may contain
    // escapes.
    if (isReadable(run) ? isLeak(run) : packedLeaks(run, search, depth + 1)) return true
  }
  return (
    short.length > 0 && fileLeaks(Buffer.concat(short.flatMap((one) => [one, between])), undefined, search, depth + 1)
  )
}

const longestShort = 4096
const between = Buffer.from('\n\n')
const isReadable = (bytes: Buffer): boolean =>
  isUtf8(bytes) && bytes.subarray(0, 64).every((byte) => byte >= 32 || (byte >= 9 && byte <= 13))

// Large files are searched in windows, because each decoding takes a multiple of its input's size. No address is longer
// than the overlap of two windows.
const longestWindow = 4 * 2 ** 20
const seam = 64 * 2 ** 10

function* windowsOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from === 0 || from + seam < bytes.length; from += longestWindow - seam)
    yield bytes.subarray(inFrontOf(bytes, from), inFrontOf(bytes, from + longestWindow))
}

/** Moves an index back so that it splits neither a UTF-8 character nor a two-byte character. */
function inFrontOf(bytes: Buffer, at: number): number {
  let place = at
  while (place > 0 && place < bytes.length && at - place < 4 && ((bytes[place] ?? 0) & 0xc0) === 0x80) place--
  return place === at ? at : place & ~1
}

const wideCharset = (bytes: Buffer): string | undefined =>
  ({ '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' })[bytes.toString('latin1', 0, 2)]

/** Reads a file as text: JSON, SVG, RTF and similar formats are text with escapes of their own. */
function readLegible(bytes: Buffer, charset: string | undefined): string | undefined {
  if (charset?.startsWith('utf-16')) return decodeText(bytes, charset)
  // A file with a zero byte is binary.
  if (bytes.includes(0)) return undefined
  return decodeText(bytes, charset) ?? bytes.toString('latin1')
}
