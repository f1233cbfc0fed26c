import { UnreadableContent } from '#lib/relay/reply/leak-gate/unreadable'
import { type Budget, inflateAt } from './inflate.ts'
import type { Opened } from './piece.ts'

const mark = Buffer.from('PK\x03\x04', 'latin1')
const stored = 0
const deflated = 8
const unknownSize = 0xffffffff

/**
 * Opens an entry of a zip file by its local header (APPNOTE 4.3.7), because the central directory may omit entries.
 */
export function openZipEntry(file: Buffer, at: number, budget: Budget, isExpected: boolean): Opened | undefined {
  if (at + 30 > file.length || !file.subarray(at, at + 4).equals(mark)) return undefined
  const entry = readHeader(file, at)
  if (!entry.isPlausible) {
    // Random bytes can match the signature, but where an entry is expected, an invalid header means an unreadable file.
    if (isExpected) throw new UnreadableContent('packed')
    return undefined
  }
  const { method, from, name, size, isEncrypted, hasLaterSize } = entry
  if (isEncrypted || (method !== stored && method !== deflated)) throw new UnreadableContent('packed')
  // The entry is a folder, an empty file, or an uncompressed file whose size follows its data. Nothing is unpacked: the
  // scan of the archive continues after the header and searches uncompressed data itself.
  if (size === 0 && (method === stored || !hasLaterSize)) return { end: from }
  if (method === stored) {
    const end = size === unknownSize ? from : from + size
    return { pieces: [{ name, bytes: file.subarray(from, end) }], end }
  }
  const inflated = inflateAt(file, from, budget)
  if (inflated) return { pieces: [{ name, bytes: inflated.bytes }], end: inflated.end }
  if (isExpected) throw new UnreadableContent('packed')
  return undefined
}

function readHeader(file: Buffer, at: number) {
  const word = (offset: number) => file.readUInt16LE(at + offset)
  const nameLength = word(26)
  const from = at + 30 + nameLength + word(28)
  return {
    // Only the low byte is a version; the high byte is the system that made the file.
    isPlausible: (word(4) & 0xff) <= 63 && word(8) <= 99 && nameLength > 0 && from <= file.length,
    isEncrypted: (word(6) & 1) === 1,
    hasLaterSize: (word(6) & 8) !== 0,
    method: word(8),
    size: file.readUInt32LE(at + 18),
    name: file.toString('latin1', at + 30, at + 30 + nameLength),
    from,
  }
}
