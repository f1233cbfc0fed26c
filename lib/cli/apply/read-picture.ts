import { readFileSync, statSync } from 'node:fs'

/** A picture from a file, ready to be stored. */
export type PictureFile = { bytes: Uint8Array<ArrayBuffer>; mediaType: string; extension: string }

/** Reads a PNG, JPEG or WebP file, recognized by its first bytes, or returns a problem. */
export function readPicture(file: string, most: number): PictureFile | { problem: string } {
  let bytes: Uint8Array<ArrayBuffer>
  try {
    const { size } = statSync(file)
    if (size > most) return { problem: `is larger than ${most / 1_048_576} MiB` }
    bytes = new Uint8Array(readFileSync(file))
  } catch (fault) {
    return { problem: `cannot be read (${(fault as NodeJS.ErrnoException).code ?? 'unknown'}): ${file}` }
  }
  const kind = kinds.find(({ starts }) => starts(Buffer.from(bytes)))
  return kind
    ? { bytes, mediaType: kind.mediaType, extension: kind.extension }
    : { problem: 'is not a PNG, JPEG or WebP picture' }
}

const kinds = [
  {
    mediaType: 'image/png',
    extension: 'png',
    starts: (head: Buffer) => head.subarray(0, 8).toString('hex') === '89504e470d0a1a0a',
  },
  {
    mediaType: 'image/jpeg',
    extension: 'jpg',
    starts: (head: Buffer) => head.subarray(0, 3).toString('hex') === 'ffd8ff',
  },
  {
    mediaType: 'image/webp',
    extension: 'webp',
    starts: (head: Buffer) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP',
  },
]
