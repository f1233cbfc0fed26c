import { UnreadableContent } from '#lib/relay/reply/leak-gate/unreadable'
import { type Budget, inflateAt } from './inflate.ts'
import type { Opened } from './piece.ts'

/** The length of the checksum and the size at the end of each member. */
const trailer = 8

/**
 * Opens one member of a gzip file (RFC 1952 §2.3). Throws UnreadableContent if a member is expected at this position
 * and cannot be inflated.
 */
export function openGzipMember(file: Buffer, at: number, budget: Budget, isExpected: boolean): Opened | undefined {
  const [, second, method, flags = 0xff] = file.subarray(at, at + 4)
  if (second !== 0x8b || method !== 8 || (flags & 0xe0) !== 0) return undefined
  const { from, name } = readHeader(file, at, flags)
  const inflated = inflateAt(file, from, budget)
  if (inflated) return { pieces: [{ name, bytes: inflated.bytes }], end: inflated.end + trailer }
  if (isExpected) throw new UnreadableContent('packed')
  return undefined
}

function readHeader(file: Buffer, at: number, flags: number): { from: number; name: string } {
  let from = at + 10
  if (flags & 4 && from + 2 <= file.length) from += 2 + file.readUInt16LE(from)
  const text = () => {
    const end = file.indexOf(0, from)
    const read = file.toString('latin1', from, end)
    from = end === -1 ? file.length : end + 1
    return read
  }
  const name = flags & 8 ? text() : ''
  if (flags & 16) text()
  if (flags & 2) from += 2
  return { from, name }
}
