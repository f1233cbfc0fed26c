import type { Piece } from './unpack.ts'

const block = 512

/** Whether a file is an archive of tar (POSIX ustar): its members lie there one behind another, as they are. */
export const isTar = (file: Buffer): boolean => file.toString('latin1', 257, 262) === 'ustar'

export function* tarMembers(file: Buffer): Generator<Piece> {
  for (let at = 0; at + block <= file.length; ) {
    const text = (from: number, to: number) => file.toString('latin1', at + from, at + to).replace(/\0.*$/s, '')
    const size = Number.parseInt(text(124, 136).trim() || '0', 8)
    const from = at + block
    // A size that is no number of ours: the rest is one piece.
    const end = size >= 0 ? Math.min(from + size, file.length) : file.length
    if (end > from) yield { name: text(0, 100), bytes: file.subarray(from, end) }
    at = from + Math.ceil((end - from) / block) * block
  }
}
