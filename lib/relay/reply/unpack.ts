import { constants, gunzipSync, inflateRawSync, type ZlibOptions } from 'node:zlib'

/** How much may still come out of packed files: what holds more is not looked through to the end. */
export type Room = { bytes: number }

/**
 * What is packed inside a file, one piece after another: entries of zip files (Office documents are such), gzip, and the
 * zlib streams of PDF, PNG and the like, wherever they begin. `undefined` stands for one that cannot be opened.
 */
export function* unpack(file: Buffer, room: Room): Generator<Buffer | undefined> {
  yield* zipEntries(file, room)
  yield* gzipMembers(file, room)
  for (const piece of zlibStreams(file, room)) {
    yield piece
    if (piece && showsText.test(piece.toString('latin1', 0, 65_536))) yield withoutKerning(piece)
  }
}

/** A zip file that says it is encrypted, or packed in a way that few can read. */
export function isClosedZip(file: Buffer): boolean {
  for (const entry of zipHeaders(file)) if (entry.isClosed) return true
  return false
}

const zipMark = Buffer.from('PK\x03\x04', 'latin1')
const stored = 0
const deflated = 8

/** Found by the header each entry has for itself (APPNOTE 4.3.7): one list at the end may not tell of all. */
function* zipHeaders(file: Buffer) {
  for (const at of placesOf(file, zipMark)) {
    if (at + 30 > file.length) return
    const [version, flags, method] = [4, 6, 8].map((offset) => file.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    // Four bytes of noise can look like the mark.
    if (version > 63 || method > 99) continue
    const from = at + 30 + file.readUInt16LE(at + 26) + file.readUInt16LE(at + 28)
    yield { from, method, isClosed: (flags & 1) === 1 || (method !== stored && method !== deflated) }
  }
}

function* zipEntries(file: Buffer, room: Room): Generator<Buffer | undefined> {
  // What is only stored stands in the file as it is.
  for (const { from, method, isClosed } of zipHeaders(file))
    if (isClosed) yield undefined
    else if (method === deflated) yield take(room, (options) => inflateRawSync(file.subarray(from), options)).piece
}

const gzipMark = Buffer.from([0x1f, 0x8b, 8])

function* gzipMembers(file: Buffer, room: Room): Generator<Buffer | undefined> {
  for (const at of placesOf(file, gzipMark)) {
    const { piece, isTooLarge } = take(room, (options) => gunzipSync(file.subarray(at), options))
    if (piece || isTooLarge || at === 0) yield piece
  }
}

/** Every place that could be a header (RFC 1950 §2.2) is tried; what is none ends at once. Checksums are for others. */
function* zlibStreams(file: Buffer, room: Room): Generator<Buffer | undefined> {
  for (let at = 0; at + 2 < file.length; at++) {
    const first = file[at] as number
    if ((first & 0x8f) !== 8) continue
    const second = file[at + 1] as number
    if ((second & 0x20) !== 0 || (first * 256 + second) % 31 !== 0 || isPicture(file, at)) continue
    const { piece, isTooLarge } = take(room, (options) => inflateRawSync(file.subarray(at + 2), options))
    if (piece?.length || isTooLarge) yield piece
  }
}

/** Pixels, of which there can be a hundred megabytes, say nothing: those of PNG, and of pictures in PDF. */
function isPicture(file: Buffer, at: number): boolean {
  const before = file.toString('latin1', Math.max(0, at - 8), at)
  if (/IDAT$|^fdAT/.test(before)) return true
  if (!/stream\r?\n$/.test(before)) return false
  const dictionary = file.toString('latin1', Math.max(0, at - 1024), at)
  return /\/Subtype\s*\/Image\b/.test(dictionary.slice(dictionary.lastIndexOf(' obj') + 1))
}

/** A page of PDF sets words in pieces, with what moves them closer in between (ISO 32000-1 §9.4.3). */
const showsText = /\]\s*TJ\b/
const withoutKerning = (piece: Buffer): Buffer =>
  Buffer.from(piece.toString('latin1').replace(/\)\s{0,20}-?[\d.]{1,20}\s{0,20}\(/g, ''), 'latin1')

function take(room: Room, open: (options: ZlibOptions) => Buffer): { piece?: Buffer; isTooLarge?: boolean } {
  try {
    const piece = open({ maxOutputLength: Math.max(1, room.bytes), finishFlush: syncFlush })
    room.bytes -= piece.length
    return { piece }
  } catch (fault) {
    return { isTooLarge: (fault as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' }
  }
}

/** What was cut off is read as far as it goes. */
const { Z_SYNC_FLUSH: syncFlush } = constants

function* placesOf(file: Buffer, mark: Buffer): Generator<number> {
  for (let at = file.indexOf(mark); at !== -1; at = file.indexOf(mark, at + 1)) yield at
}
