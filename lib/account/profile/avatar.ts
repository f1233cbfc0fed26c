import type { Sharp } from 'sharp'
import { makeFairQueue, Overloaded } from '#lib/queue/fair-queue'

/** A square in the picture as it is looked at, in its own pixels. */
export type Crop = { x: number; y: number; size: number }

export type AvatarProblem = 'picture_empty' | 'picture_large' | 'picture_kind' | 'picture_pixels' | 'picture_damaged'

export const avatarLimits = { bytes: 5 * 1024 * 1024, pixels: 40_000_000, side: 512 }

/**
 * Makes an avatar of what somebody uploaded: decoded, turned upright, cropped, and written anew as a square WebP without
 * anything that came along (security checklist, "Uploads"; spec §2.7). Rejects with `Overloaded` when too many wait.
 */
export async function makeAvatar(
  bytes: Uint8Array,
  crop: Crop | undefined,
  personId = '',
): Promise<{ bytes: Uint8Array<ArrayBuffer> } | { problem: AvatarProblem }> {
  if (bytes.length === 0) return { problem: 'picture_empty' }
  if (bytes.length > avatarLimits.bytes) return { problem: 'picture_large' }
  const kind = kinds.find(({ starts }) => starts(Buffer.from(bytes.subarray(0, 32))))
  if (!kind) return { problem: 'picture_kind' }
  return inTurn(personId, () => decodeSafely(bytes, kind.format, crop))
}

/** One picture at a time: a large one takes more than a hundred megabytes while it is open. People take turns. */
const inTurn = makeFairQueue({ atOnce: 1, waiting: 32, patience: 4000 })

async function decodeSafely(bytes: Uint8Array, format: string, crop: Crop | undefined) {
  try {
    return await decode(bytes, format, crop)
  } catch (fault) {
    if (/timeout/i.test(String(fault))) throw new Overloaded('The picture was not decoded in time.')
    return { problem: /pixel limit/.test(String(fault)) ? ('picture_pixels' as const) : ('picture_damaged' as const) }
  }
}

async function decode(bytes: Uint8Array, format: string, crop: Crop | undefined) {
  // Loaded by the first upload: most processes never see one.
  const { default: sharp } = await import('sharp')
  // A core for everything else.
  sharp.concurrency(1)
  const open = () => sharp(bytes, { limitInputPixels: avatarLimits.pixels, failOn: 'error', pages: 1 })
  const { format: found, autoOrient } = await open().metadata()
  // What begins like one kind and is read as another was made to deceive.
  if (found !== format) return { problem: 'picture_kind' as const }
  const upright = open().timeout({ seconds: 5 }).autoOrient()
  const { data } = await square(upright, autoOrient, crop).webp({ quality: 84 }).toBuffer({ resolveWithObject: true })
  return { bytes: new Uint8Array(data) }
}

function square(upright: Sharp, { width, height }: { width: number; height: number }, crop: Crop | undefined): Sharp {
  const { x, y, size } = fits(crop, width, height) ? crop : centre(width, height)
  const { side } = avatarLimits
  return upright.extract({ left: x, top: y, width: size, height: size }).resize(side, side)
}

const fits = (crop: Crop | undefined, width: number, height: number): crop is Crop =>
  crop !== undefined && crop.size >= 1 && crop.x + crop.size <= width && crop.y + crop.size <= height

function centre(width: number, height: number): Crop {
  const size = Math.min(width, height)
  return { x: Math.floor((width - size) / 2), y: Math.floor((height - size) / 2), size }
}

const latin = (head: Buffer, from: number, to: number) => head.toString('latin1', from, to)

/** Told by their first bytes, whatever name or type was sent along. */
const kinds = [
  { format: 'png', starts: (head: Buffer) => latin(head, 0, 8) === '\x89PNG\r\n\x1a\n' },
  { format: 'jpeg', starts: (head: Buffer) => latin(head, 0, 3) === '\xff\xd8\xff' },
  { format: 'webp', starts: (head: Buffer) => latin(head, 0, 4) === 'RIFF' && latin(head, 8, 12) === 'WEBP' },
  { format: 'gif', starts: (head: Buffer) => /^GIF8[79]a/.test(latin(head, 0, 6)) },
  { format: 'heif', starts: (head: Buffer) => /^ftyp(avif|avis|mif1|msf1)/.test(latin(head, 4, 12)) },
]
