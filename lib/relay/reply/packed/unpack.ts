import { openGzipMember } from './gzip.ts'
import { inflateAt, type Room } from './inflate.ts'
import { isPage, isPdf, readPdf, shownText } from './pdf.ts'
import { isTar, tarMembers } from './tar.ts'
import { openZipEntry } from './zip.ts'

/** Something that was packed in a file, with its name where it has one. */
export type Piece = { name: string; bytes: Buffer }

/** What began at a place, and where that ends. */
export type Opened = { pieces?: Piece[]; end: number }

/**
 * What is packed inside a file, one piece after another: entries of zip files (Office documents are such), gzip, tar, and
 * the zlib streams of PDF, PNG and the like, wherever they begin. Throws Unseen for what cannot be opened.
 */
export function* unpack(file: Buffer, room: Room): Generator<Piece> {
  if (isTar(file)) return yield* tarMembers(file)
  const pdf = isPdf(file) ? readPdf(file) : undefined
  yield* pdf?.pieces ?? []
  const silent = pdf?.silent ?? pixelsOfPng(file)
  let expected = 0
  for (let at = 0; at + 2 < file.length; at++) {
    if (silent[0] && at >= silent[0][0]) {
      at = Math.max(at, (silent.shift()?.[1] ?? 0) - 1)
      continue
    }
    // Between two entries of a zip file stands at most what describes the first.
    const opened = openAt(file, at, room, at - expected <= 24)
    if (!opened) continue
    yield* opened.pieces ?? []
    expected = opened.end
    at = Math.max(at, opened.end - 1)
  }
}

function openAt(file: Buffer, at: number, room: Room, isExpected: boolean): Opened | undefined {
  const first = file[at] as number
  if (first === 0x50) return openZipEntry(file, at, room, isExpected)
  if (first === 0x1f) return openGzipMember(file, at, room, isExpected)
  return (first & 0x8f) === 8 ? openZlibStream(file, at, room) : undefined
}

/** Every place that could be a header (RFC 1950 §2.2) is tried. A few bytes of noise can be a short stream: what is in them counts too. */
function openZlibStream(file: Buffer, at: number, room: Room): Opened | undefined {
  const [first = 0, second = 0] = file.subarray(at, at + 2)
  if ((second & 0x20) !== 0 || (first * 256 + second) % 31 !== 0) return undefined
  const inflated = inflateAt(file, at + 2, room)
  if (!inflated || inflated.bytes.length === 0) return undefined
  const end = inflated.end - at > longestOfNoise ? inflated.end : at
  const { bytes } = inflated
  const pieces = isPage(bytes) ? [bytes, shownText(bytes)] : [bytes]
  return { pieces: pieces.map((one) => ({ name: '', bytes: one })), end }
}

const longestOfNoise = 256

/** Pixels, of which there can be a hundred megabytes, say nothing (PNG §5.3). */
function pixelsOfPng(file: Buffer): [number, number][] {
  const pixels: [number, number][] = []
  if (file.toString('latin1', 1, 4) !== 'PNG') return pixels
  for (let at = 8; at + 8 <= file.length; ) {
    const end = at + 8 + file.readUInt32BE(at)
    if (/^(IDAT|fdAT)$/.test(file.toString('latin1', at + 4, at + 8))) pixels.push([at + 8, end])
    at = end + 4
  }
  return pixels
}
