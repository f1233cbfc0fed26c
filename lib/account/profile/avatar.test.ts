import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Color } from 'sharp'
import { describe, expect, it } from 'vitest'
import { makeAvatar } from './avatar.ts'

const red = { r: 220, g: 20, b: 20 }
const blue = { r: 20, g: 20, b: 220 }

/** Makes a picture whose left half is red and whose right half is blue. */
const halves = (width = 400, height = 200) =>
  sharp({ create: { width, height, channels: 3, background: red } }).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: blue } }, left: width / 2, top: 0 },
  ])

async function made(bytes: Uint8Array, crop?: Parameters<typeof makeAvatar>[1]) {
  const result = await makeAvatar(bytes, crop)
  if ('problem' in result) throw new Error(result.problem)
  return result.bytes
}

/** Returns the color of one pixel of the avatar. */
async function colourAt(bytes: Uint8Array, left: number, top: number): Promise<'red' | 'blue'> {
  const { data } = await sharp(bytes).removeAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer({
    resolveWithObject: true,
  })
  return (data[0] as number) > (data[2] as number) ? 'red' : 'blue'
}

describe('makeAvatar', () => {
  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)(
    'makes a square WebP of 512 pixels from %s',
    async (format) => {
      const avatar = await made(await halves().toFormat(format).toBuffer())
      expect(await sharp(avatar).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512 })
      expect([await colourAt(avatar, 60, 256), await colourAt(avatar, 450, 256)]).toEqual(['red', 'blue'])
    },
  )

  it('removes metadata: place, camera, color profile, comments', async () => {
    const exif = {
      IFD0: { Make: 'Camera', Artist: 'Ada' },
      IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' },
    }
    const bytes = await halves().withExif(exif).withIccProfile('p3').withXmp('<x>secret place</x>').jpeg().toBuffer()
    expect((await sharp(bytes).metadata()).exif).toBeDefined()
    const avatar = await made(bytes)
    const { exif: kept, icc, xmp, iptc } = await sharp(avatar).metadata()
    expect({ kept, icc, xmp, iptc }).toEqual({})
    expect(Buffer.from(avatar).includes('secret place')).toBe(false)
  })

  it('turns the picture upright first', async () => {
    // Orientation 6: the left side of the stored picture is the top of the upright one.
    const bytes = await halves().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const avatar = await made(bytes)
    expect([await colourAt(avatar, 256, 60), await colourAt(avatar, 256, 450)]).toEqual(['red', 'blue'])
    const top = await made(bytes, { x: 0, y: 0, size: 200 })
    expect([await colourAt(top, 60, 60), await colourAt(top, 450, 450)]).toEqual(['red', 'red'])
  })

  it('crops the chosen square', async () => {
    const avatar = await made(await halves().png().toBuffer(), { x: 200, y: 0, size: 200 })
    expect([await colourAt(avatar, 10, 256), await colourAt(avatar, 500, 256)]).toEqual(['blue', 'blue'])
  })

  it.each([
    { x: 300, y: 0, size: 200 },
    { x: 0, y: 1, size: 200 },
    { x: 0, y: 0, size: 0 },
    { x: 99999, y: 99999, size: 99999 },
  ])('crops the centre when the chosen square does not fit (%j)', async (crop) => {
    const avatar = await made(await halves().png().toBuffer(), crop)
    expect([await colourAt(avatar, 60, 256), await colourAt(avatar, 450, 256)]).toEqual(['red', 'blue'])
  })

  it('accepts a picture of one pixel, and a thin one', async () => {
    const one = await sharp({ create: { width: 1, height: 1, channels: 3, background: red } })
      .png()
      .toBuffer()
    const thin = await sharp({ create: { width: 3000, height: 1, channels: 3, background: red } })
      .png()
      .toBuffer()
    for (const bytes of [one, thin]) {
      expect(await sharp(await made(bytes)).metadata()).toMatchObject({ width: 512, height: 512 })
    }
  })

  it('converts CMYK to RGB', async () => {
    const cmyk = await halves().toColourspace('cmyk').jpeg().toBuffer()
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk')
    const avatar = await made(cmyk)
    expect((await sharp(avatar).metadata()).space).toBe('srgb')
    expect(await colourAt(avatar, 60, 256)).toBe('red')
  })

  it.each(['gif', 'webp'] as const)('uses the first frame of an animated %s', async (format) => {
    const frame = (background: Color) =>
      sharp({ create: { width: 64, height: 64, channels: 3, background } })
        .png()
        .toBuffer()
    const moving = await sharp([await frame(red), await frame(blue)], { join: { animated: true } })
      .toFormat(format)
      .toBuffer()
    expect((await sharp(moving).metadata()).pages).toBe(2)
    const avatar = await made(moving)
    expect((await sharp(avatar).metadata()).pages).toBeUndefined()
    expect(await colourAt(avatar, 256, 256)).toBe('red')
  })

  it('decodes eight concurrent pictures one after the other', async () => {
    const bytes = await halves(2000, 1500).jpeg().toBuffer()
    const all = await Promise.all(Array.from({ length: 8 }, () => makeAvatar(bytes, undefined)))
    expect(all.every((one) => 'bytes' in one)).toBe(true)
  })
})

describe('makeAvatar with an invalid file', () => {
  const png = (width: number, height: number) => {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(width, 0)
    header.writeUInt32BE(height, 4)
    header.set([8, 6, 0, 0, 0], 8)
    const end = chunk('IEND', Buffer.alloc(0))
    return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(1000))), end])
  }
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const chunk = (type: string, data: Buffer) => {
    const [length, named] = [Buffer.alloc(4), Buffer.concat([Buffer.from(type), data])]
    length.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const problem = async (bytes: Uint8Array) => {
    const result = await makeAvatar(bytes, undefined)
    return 'problem' in result ? result.problem : 'none'
  }

  it('rejects an empty file', async () => expect(await problem(Buffer.alloc(0))).toBe('picture_empty'))

  it('rejects a file above five megabytes', async () => {
    expect(await problem(Buffer.concat([signature, Buffer.alloc(5 * 1024 * 1024)]))).toBe('picture_large')
  })

  it.each([
    [60_000, 60_000],
    [7000, 7000],
    [2_000_000_000, 1],
  ])('rejects a picture of %d by %d pixels in a few bytes, without decoding it', async (width, height) => {
    expect(await problem(png(width, height))).toMatch(/^picture_(pixels|damaged)$/)
  })

  it('rejects a decompression bomb for its number of pixels', async () =>
    expect(await problem(png(7000, 7000))).toBe('picture_pixels'))

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'],
    ['XML', '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['PDF', '%PDF-1.7\n1 0 obj'],
    ['TIFF', 'II*\0\x08\0\0\0'],
    ['BMP', 'BM\0\0\0\0\0\0\0\0'],
    ['ZIP', 'PK\x03\x04'],
    ['plain text', 'GIF8'],
    ['HEIC', '\0\0\0\x18ftypheic\0\0\0\0'],
  ])('rejects %s', async (_, text) => {
    expect(await problem(Buffer.from(text, 'latin1'))).toBe('picture_kind')
  })

  it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('rejects a truncated %s', async (format) => {
    const bytes = await halves().toFormat(format).toBuffer()
    expect(await problem(bytes.subarray(0, Math.floor(bytes.length / 2)))).toBe('picture_damaged')
  })

  it('rejects random bytes after a valid signature', async () => {
    for (const head of ['89504e470d0a1a0a', 'ffd8ffe0', '474946383961']) {
      expect(await problem(Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(500, 7)]))).toBe('picture_damaged')
    }
  })

  it('keeps only the picture of a polyglot file', async () => {
    const bytes = Buffer.concat([await halves().png().toBuffer(), Buffer.from('<script>alert(1)</script><?php 1 ?>')])
    expect(Buffer.from(await made(bytes)).includes('script')).toBe(false)
  })
})
