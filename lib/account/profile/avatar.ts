import type { Sharp } from 'sharp'
import { makeFairQueue, Overloaded } from '#lib/queue/fair-queue'

/** A square of the upright picture, in its pixels. */
export type Crop = { x: number; y: number; size: number }

export type AvatarProblem = 'picture_empty' | 'picture_large' | 'picture_kind' | 'picture_pixels' | 'picture_damaged'

export const avatarLimits = { bytes: 5 * 1024 * 1024, pixels: 40_000_000, side: 512 }

/** The chosen square; `whole` keeps the whole picture on a transparent square, as logos need. */
type Shape = Crop | 'whole' | undefined

/**
 * Decodes an uploaded picture, turns it upright, crops it, and encodes it as a square WebP without metadata (security
 * checklist, "Uploads"; spec §2.7). Throws `Overloaded` when too many pictures wait.
 */
export async function makeAvatar(
  bytes: Uint8Array,
  crop: Shape,
  personId = '',
): Promise<{ bytes: Uint8Array<ArrayBuffer> } | { problem: AvatarProblem }> {
  if (bytes.length === 0) return { problem: 'picture_empty' }
  if (bytes.length > avatarLimits.bytes) return { problem: 'picture_large' }
  const kind = kinds.find(({ starts }) => starts(Buffer.from(bytes.subarray(0, 32))))
  if (!kind) return { problem: 'picture_kind' }
  return inTurn(personId, () => decodeSafely(bytes, kind.format, crop))
}

/** Decodes one picture at a time, since a large one takes more than 100 MB of memory; people take turns. */
const inTurn = makeFairQueue({ atOnce: 1, waiting: 32, patience: 4000 })

async function decodeSafely(bytes: Uint8Array, format: string, crop: Shape) {
  try {
    return await decode(bytes, format, crop)
  } catch (fault) {
    if (/timeout/i.test(String(fault))) throw new Overloaded('The picture was not decoded in time.')
    return { problem: /pixel limit/.test(String(fault)) ? ('picture_pixels' as const) : ('picture_damaged' as const) }
  }
}

async function decode(bytes: Uint8Array, format: string, crop: Shape) {
  // Loaded at the first upload, since most processes never need it.
  const { default: sharp } = await import('sharp')
  // Leaves the other cores to requests.
  sharp.concurrency(1)
  const open = () => sharp(bytes, { limitInputPixels: avatarLimits.pixels, failOn: 'error', pages: 1 })
  const { format: found, autoOrient } = await open().metadata()
  // Rejects a file that starts like one format and decodes as another.
  if (found !== format) return { problem: 'picture_kind' as const }
  const upright = open().timeout({ seconds: 5 }).autoOrient()
  const { data } = await square(upright, autoOrient, crop).webp({ quality: 84 }).toBuffer({ resolveWithObject: true })
  return { bytes: new Uint8Array(data) }
}

function square(upright: Sharp, { width, height }: { width: number; height: number }, crop: Shape): Sharp {
  const { side } = avatarLimits
  if (crop === 'whole')
    return upright.resize(side, side, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
  const { x, y, size } = fits(crop, width, height) ? crop : centre(width, height)
  return upright.extract({ left: x, top: y, width: size, height: size }).resize(side, side)
}

const fits = (crop: Crop | undefined, width: number, height: number): crop is Crop =>
  crop !== undefined && crop.size >= 1 && crop.x + crop.size <= width && crop.y + crop.size <= height

function centre(width: number, height: number): Crop {
  const size = Math.min(width, height)
  return { x: Math.floor((width - size) / 2), y: Math.floor((height - size) / 2), size }
}

const latin = (head: Buffer, from: number, to: number) => head.toString('latin1', from, to)

/** Formats by their first bytes; the file name and media type of the upload are ignored. */
const kinds = [
  { format: 'png', starts: (head: Buffer) => latin(head, 0, 8) === '\x89PNG\r\n\x1a\n' },
  { format: 'jpeg', starts: (head: Buffer) => latin(head, 0, 3) === '\xff\xd8\xff' },
  { format: 'webp', starts: (head: Buffer) => latin(head, 0, 4) === 'RIFF' && latin(head, 8, 12) === 'WEBP' },
  { format: 'gif', starts: (head: Buffer) => /^GIF8[79]a/.test(latin(head, 0, 6)) },
  { format: 'heif', starts: (head: Buffer) => /^ftyp(avif|avis|mif1|msf1)/.test(latin(head, 4, 12)) },
]

/** Returns a file name that cannot be guessed, so that a replaced picture's address stops working (spec §2.7). */
export const pictureName = (extension: string, random: (bytes: number) => Buffer): string =>
  `${random(24).toString('base64url')}.${extension}`
