import { makeChance } from '#lib/testing/oauth/chance'

/** Returns incompressible bytes, such as those of a photo. */
export const noise = (length: number) => {
  const chance = makeChance(7)
  return Buffer.from(Array.from({ length }, () => chance.below(256)))
}

/** Returns a PDF of one page with this stream as its content, unless the dictionary declares another type. */
export const pdf = (dictionary: string, stream: Buffer, filter = '/FlateDecode') =>
  Buffer.concat([
    Buffer.from(`%PDF-1.7\n1 0 obj\n<< ${dictionary} /Filter ${filter} /Length ${stream.length} >>\nstream\r\n`),
    stream,
    Buffer.from(`\nendstream\nendobj\n${restOfPdf(dictionary === '')}`),
  ])

/** Returns a PDF of one page without compression. */
export function plainPdf(page: string): Buffer {
  return Buffer.from(
    `%PDF-1.4\n1 0 obj\n<< /Length ${page.length} >>\nstream\n${page}\nendstream\nendobj\n${restOfPdf(true)}`,
  )
}

/** The other objects of a PDF. Without a cross-reference table, readers search for the objects. */
const restOfPdf = (
  isContent: boolean,
) => `2 0 obj\n<< /Type /Page /Parent 3 0 R /MediaBox [0 0 99 99] ${isContent ? '/Contents 1 0 R ' : ''}>>\nendobj
3 0 obj\n<< /Type /Pages /Kids [2 0 R] /Count 1 >>\nendobj
4 0 obj\n<< /Type /Catalog /Pages 3 0 R >>\nendobj
trailer\n<< /Root 4 0 R >>\n%%EOF\n`

/** Returns a compound file with a stream that starts with `start` and has `mark` at a later position. */
export function oldOffice(start: string, at: number, mark: string): Buffer {
  const bytes = Buffer.alloc(2048)
  bytes.write('d0cf11e0a1b11ae1', 'hex')
  bytes.write(start, 1024, 'hex')
  bytes.write(mark, 1024 + at, 'hex')
  return bytes
}

/** Returns a tar archive of one file. `size` may be wrong. */
export function tarOf(name: string, content: Buffer, size = content.length.toString(8).padStart(11, '0')): Buffer {
  const head = Buffer.alloc(512)
  head.write(name)
  head.write(size, 124)
  head.write('ustar', 257)
  return Buffer.concat([head, content, Buffer.alloc(1536 - (content.length % 512))])
}

/** Encodes in ASCII85, as ReportLab does (ISO 32000-1 §7.4.3). */
export function ascii85(bytes: Buffer): Buffer {
  const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
  const groups = Array.from({ length: padded.length / 4 }, (_, at) => {
    const number = padded.readUInt32BE(at * 4)
    return [4, 3, 2, 1, 0].map((power) => String.fromCharCode(33 + (Math.floor(number / 85 ** power) % 85))).join('')
  })
  return Buffer.from(`${groups.join('')}~>`)
}
