import { isUtf8 } from 'node:buffer'
import { openGzipMember } from './gzip.ts'
import { type Budget, inflateAt, unpackBrotli } from './inflate.ts'
import { isPdf, openPdf, readings, refuseNumberedLetters } from './pdf.ts'
import type { Opened, Piece } from './piece.ts'
import { openZipEntry } from './zip.ts'

/**
 * Yields the content packed in a file: zip entries (also of Office documents), gzip members, tar members, the text of
 * RTF, and zlib streams at any position (PDF, PNG and others). Throws UnreadableContent for packed data that cannot
 * be opened.
 */
export function* unpack(file: Buffer, budget: Budget): Generator<Piece> {
  if (isTar(file)) return yield* tarMembers(file)
  if (isRtf(file)) yield { name: '', bytes: wordsOfRtf(file) }
  const pdf = isPdf(file) ? openPdf(file, budget) : undefined
  yield* pdf?.pieces ?? []
  const nonText = pdf?.nonText ?? pixelRangesOfPng(file)
  // Text is not scanned for zlib streams: a stream is never valid text, and long tables contain words that look like a
  // zlib header.
  const isText = isUtf8(file) && !file.includes(0)
  let expected = 0
  for (let at = 0; at + 2 < file.length; at++) {
    while (nonText[0] && at >= nonText[0][0]) at = Math.max(at, nonText.shift()?.[1] ?? at)
    // At most a data descriptor of 24 bytes separates two entries of a zip file.
    const opened = openAt(file, at, { budget, isExpected: at - expected <= 24, isText })
    if (!opened) continue
    for (const piece of opened.pieces ?? []) {
      if (pdf) refuseNumberedLetters(piece.bytes)
      yield piece
    }
    expected = opened.end
    at = Math.max(at, opened.end - 1)
  }
}

/** Tries a file as a raw deflate or a Brotli stream, which have no signature, and yields the unpacked content. */
export function* wholeStreams(file: Buffer, budget: Budget): Generator<Piece> {
  if (isUtf8(file)) return
  const inflated = inflateAt(file, 0, budget)?.bytes ?? Buffer.alloc(0)
  for (const bytes of [inflated, unpackBrotli(file, budget)]) if (bytes.length > 0) yield { name: '', bytes }
}

type Place = { budget: Budget; isExpected: boolean; isText: boolean }

function openAt(file: Buffer, at: number, { budget, isExpected, isText }: Place): Opened | undefined {
  const first = file[at] as number
  if (first === 0x50) return openZipEntry(file, at, budget, isExpected)
  if (first === 0x1f) return openGzipMember(file, at, budget, isExpected)
  return !isText && (first & 0x8f) === 8 ? openZlibStream(file, at, budget) : undefined
}

/**
 * Opens the zlib stream at this position, if its first two bytes are a valid header (RFC 1950 §2.2). Random bytes can
 * form a short stream, so after a short one the scan continues inside it.
 */
function openZlibStream(file: Buffer, at: number, budget: Budget): Opened | undefined {
  const [first = 0, second = 0] = file.subarray(at, at + 2)
  if ((second & 0x20) !== 0 || (first * 256 + second) % 31 !== 0) return undefined
  const inflated = inflateAt(file, at + 2, budget)
  if (!inflated || inflated.bytes.length === 0) return undefined
  const end = inflated.end - at > longestOfNoise ? inflated.end : at
  return { pieces: readings(inflated.bytes).map((bytes) => ({ name: '', bytes })), end }
}

const longestOfNoise = 256

const pngMark = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/**
 * Returns the byte ranges of the pixel data in all PNG images of a file (PNG §5.3). Pixels contain no text and can
 * unpack to a hundred megabytes.
 */
function pixelRangesOfPng(file: Buffer): [number, number][] {
  const pixels: [number, number][] = []
  for (let picture = file.indexOf(pngMark); picture !== -1; ) {
    let at = picture + pngMark.length
    for (; at + 8 <= file.length; ) {
      const [name, end] = [file.toString('latin1', at + 4, at + 8), at + 12 + file.readUInt32BE(at)]
      if (!/^[A-Za-z]{4}$/.test(name)) break
      if (/^(IDAT|fdAT)$/.test(name)) pixels.push([at + 8, end])
      at = end
    }
    picture = file.indexOf(pngMark, at)
  }
  return pixels
}

const isRtf = (file: Buffer): boolean => file.toString('latin1', 0, 5) === '{\\rtf'

/** Returns an RTF file without control words and braces, because a group can begin in the middle of a word. */
const wordsOfRtf = (file: Buffer): Buffer =>
  Buffer.from(file.toString('latin1').replace(/\\[a-z]{1,32}(?:-?\d{1,10})? ?|[{}\r\n]/gi, ''), 'latin1')

const block = 512

/**
 * Returns whether a file is a tar archive (POSIX ustar). A tar archive stores its members uncompressed, one after
 * another.
 */
const isTar = (file: Buffer): boolean => file.toString('latin1', 257, 262) === 'ustar'

function* tarMembers(file: Buffer): Generator<Piece> {
  for (let at = 0; at + block <= file.length; ) {
    const text = (from: number, to: number) => file.toString('latin1', at + from, at + to).replace(/\0.*$/s, '')
    const size = Number.parseInt(text(124, 136).trim() || '0', 8)
    const from = at + block
    // If the size is invalid, the rest of the archive is treated as one member.
    const end = size >= 0 ? Math.min(from + size, file.length) : file.length
    if (end > from) yield { name: text(0, 100), bytes: file.subarray(from, end) }
    at = from + Math.ceil((end - from) / block) * block
  }
}
