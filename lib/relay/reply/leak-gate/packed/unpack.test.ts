import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findLeak } from '#lib/relay/reply/leak-gate/leak-gate'
import { ascii85, noise, oldOffice, pdf, plainPdf, tarOf } from '#lib/testing/relay/quoting/packed-files'
import { zipOf } from '#lib/testing/relay/zip'

const address = 'alice@example.org'
const text = (around: string) =>
  Buffer.from(`${'nothing here, '.repeat(200)}${around}${' and nothing there'.repeat(200)}`)

/** Returns the finding in a message with these bytes attached. */
const found = (bytes: Buffer, type = 'application/octet-stream', times = 1) => {
  const body = bytes.toString('base64').replace(/.{76}/g, '$&\r\n')
  const part = `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}`
  const head = 'From: <b7kq3mzt9xpd@relay.example>\r\n'
  const many = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${`--b\r\n${part}\r\n`.repeat(times)}--b--\r\n`
  return findLeak(Buffer.from(head + (times === 1 ? part : many)), [address])
}

const entry = (name: string, content: Buffer, more = {}) => ({ name, content, ...more })
/** Returns two versions of a file: one with the address in it and one with a different address. */
const files: [string, (words: string) => Buffer][] = [
  ['a zip file', (words) => zipOf([entry('a.txt', text('-')), entry('b.txt', text(words))])],
  ['the names in a zip file', (words) => zipOf([entry(`${words}.txt`, text('-'))])],
  [
    'a document with split words',
    (words) => {
      const [start, end] = [words.slice(0, 3), words.slice(3)]
      const xml = `<w:p><w:r><w:t>${start}</w:t></w:r><w:proofErr w:type="spellStart"/><w:r><w:t>${end}</w:t></w:r></w:p>`
      return zipOf([entry('[Content_Types].xml', text('<x/>')), entry('word/document.xml', text(xml))])
    },
  ],
  [
    'a zip file in a zip file',
    (words) => zipOf([entry('in.zip', zipOf([entry('a', text(words))]), { packed: false })]),
  ],
  ['a compressed file in a compressed file', (words) => zipOf([entry('a.gz', gzipSync(text(words)))])],
  ['gzip', (words) => gzipSync(text(words))],
  ['the second of two gzip members', (words) => Buffer.concat([gzipSync(text('-')), gzipSync(text(words))])],
  ['truncated gzip', (words) => gzipSync(Buffer.concat([text(words), noise(9000)])).subarray(0, -4000)],
  ['a stream of a PDF', (words) => pdf('/Type /ObjStm', deflateSync(text(`/Author (${words})`)))],
  [
    'a stream whose checksum is wrong',
    (words) => pdf('', Buffer.concat([deflateSync(text(words)).subarray(0, -4), noise(4)])),
  ],
  [
    'split words of a PDF',
    (words) => pdf('', deflateSync(text(`BT [(${words.slice(0, 4)}) -12.5 (${words.slice(4)})] TJ ET`))),
  ],
  [
    'a note in an image',
    (words) => Buffer.concat([noise(5000), Buffer.from('zTXtAuthor\0\0'), deflateSync(text(words))]),
  ],
  [
    'words of a PDF set one by one, some in digits',
    (words) => {
      const [start, end] = [words.slice(0, 4), Buffer.from(words.slice(4)).toString('hex')]
      return pdf('', deflateSync(text(`BT (${start}) Tj 30 0 Td [<${end.slice(0, 6)}> 3 <${end.slice(6)}>] TJ ET`)))
    },
  ],
  ['the text of an uncompressed PDF', (words) => plainPdf(`BT [(${words.slice(0, 3)}) 9 (${words.slice(3)})] TJ ET`)],
  [
    'a PDF in ASCII85',
    (words) => {
      const page = text(`BT [(${words.slice(0, 4)}) -12.5 (${words.slice(4)})] TJ ET`)
      return pdf('', ascii85(deflateSync(page)), '[/ASCII85Decode /FlateDecode]')
    },
  ],
  [
    'a PDF in hexadecimal digits',
    (words) => pdf('', Buffer.from(`${deflateSync(text(words)).toString('hex')}>`), '[ /ASCIIHexDecode /FlateDecode ]'),
  ],
  [
    'a stream after an image',
    (words) => {
      const picture = pdf('/Subtype /Image', deflateSync(Buffer.alloc(100)))
      return Buffer.concat([picture, Buffer.from('2 0\nobj\n'), pdf('', deflateSync(text(words))).subarray(17)])
    },
  ],
  ['gzip stored in a zip file', (words) => zipOf([entry('a.gz', gzipSync(text(words)), { packed: false })])],
  ['gzip with trailing data', (words) => Buffer.concat([gzipSync(text(words)), Buffer.from('and more')])],
  ['split words, stored in a zip file', (words) => zipOf([entry('a.xml', split(words), { packed: false })])],
  ['a tar archive', (words) => tarOf('a.gz', gzipSync(text(words)))],
  ['photos packed twice, and a note', (words) => twice(noise(90_000), entry('note', text(words)))],
  [
    'words of a PDF set by pdfTeX, next to other words',
    (words) =>
      pdf(
        '',
        deflateSync(text(`BT [(write)-333(to)-333(${words.slice(0, 9)})5(${words.slice(9)})]TJ 0 -12 Td [(or)] TJ ET`)),
      ),
  ],
  ['lines of a PDF', (words) => pdf('', deflateSync(text(`BT (${words.slice(0, 9)}) ' (${words.slice(9)}) ' ET`)))],
  [
    'a page of a PDF in ASCII85 alone',
    (words) => pdf('', ascii85(text(`BT [(${words.slice(0, 4)}) 9 (${words.slice(4)})] TJ ET`)), '/ASCII85Decode'),
  ],
  [
    'words of RTF with different formats',
    (words) => Buffer.from(`{\\rtf1 {\\b ${words.slice(0, 9)}}{\\rtlch\\fcs1 \\af0 ${words.slice(9)}}\\par }`),
  ],
]

describe.each(files)('an address in %s', (_, make) => {
  it('is found, and a different address is not', () => {
    expect(found(make(address))).toBe('leak')
    expect(found(make('malice@example.com'))).toBeUndefined()
  })
})

it('opens a packed file that is declared as text', () => {
  expect(found(gzipSync(text(address)), 'text/plain; charset=iso-8859-1')).toBe('leak')
  expect(found(gzipSync(text('-')), 'text/plain; charset=iso-8859-1')).toBeUndefined()
})

it('opens archives of the system’s archiver', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-tar-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'a.txt'), text(address))
  expect(found(execFileSync('tar', ['-czf', '-', '-C', folder, 'a.txt']))).toBe('leak')
})

describe('a file that cannot be opened', () => {
  const closed = {
    lha: Buffer.from('\x22\x8b-lh5-\0\0', 'latin1'),
    help: Buffer.from('ITSF\x03\0\0\0', 'latin1'),
    sevenZip: Buffer.from('377abcaf271c0004', 'hex'),
    pdf: Buffer.from('%PDF-1.7\n1 0 obj\n<< /Author (\x93\x07) >>\nendobj\ntrailer << /Encrypt 2 0 R >>', 'latin1'),
  }
  const bomb = Buffer.alloc(2 ** 24)
  it.each([
    ['a zip file with a password', zipOf([entry('a', text('-')), entry('b', text('-'), { flags: 1 })])],
    ['a zip file with an unsupported compression method', zipOf([entry('a', text('-'), { method: 14 })])],
    ['a zip file with an invalid header', Buffer.concat([Buffer.from('PK\x03\x04\x64\0', 'latin1'), Buffer.alloc(40)])],
    ['a 7z archive in a zip file', zipOf([entry('a', closed.sevenZip, { packed: false })])],
    ['a 7z archive in a tar archive', tarOf('a', closed.sevenZip)],
    ['an LHA archive in a zip file', zipOf([entry('a', closed.lha, { packed: false })])],
    ['a compiled help file in a zip file', zipOf([entry('a', closed.help, { packed: false })])],
    ['a PDF with a password', closed.pdf],
    ['a PDF with a password in a zip file', zipOf([entry('a.pdf', closed.pdf)])],
    ['a truncated PDF', plainPdf('BT (x) Tj ET').subarray(0, 70)],
    ['an old Word document with a password, in a zip file', zipOf([entry('a.doc', oldOffice('eca5', 10, '0001'))])],
    [
      'an old Excel sheet with a password, in a zip file',
      zipOf([entry('a.xls', oldOffice('0908100000060500', 20, '2f00'))]),
    ],
    ['a document of Pages', zipOf([entry('Index/Document.iwa', text('-'), { packed: false })])],
    [
      'an OpenDocument with a password',
      zipOf([entry('META-INF/manifest.xml', text('<manifest:encryption-data/>')), entry('content.xml', noise(99))]),
    ],
    ['a file that unpacks beyond the limit', gzipSync(Buffer.alloc(70 * 2 ** 20))],
    [
      'a zip file whose entries together unpack beyond the limit',
      zipOf([entry('a', bomb), entry('b', Buffer.alloc(2 ** 26))]),
    ],
    ['a file of a million invalid zlib streams', Buffer.alloc(9_000_000, Buffer.from('7801000000ffff', 'hex'))],
    ['a 7z archive at the end of a program', zipOf([entry('a.exe', Buffer.concat([noise(99), closed.sevenZip]))])],
    ['random bytes after a gzip header', Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), noise(200)])],
    ['files nested deeper than the limit', deep(7)],
  ])('is refused: %s', (_, bytes) => {
    expect(found(bytes)).toBe('packed')
  })

  it('is refused if small files exceed the budget together', () => {
    expect(found(gzipSync(bomb), undefined, 5)).toBe('packed')
  })
})

it.each([
  ['a tar archive with a negative size', tarOf('a', Buffer.alloc(0), '-0000001000')],
  ['a page of parentheses without an end', deflateSync(Buffer.from(`Tj ${'\\('.repeat(4_000_000)}`))],
  ['a page of opening angle brackets', deflateSync(Buffer.from(`Tj ${'<'.repeat(4_000_000)}`))],
  ['a table with a hundred thousand false headers', Buffer.from('HK,8O,XG\r\n'.repeat(600_000))],
])('searches %s to its end', (_, bytes) => {
  expect(found(bytes)).toBeUndefined()
})

describe('an ordinary file', () => {
  const photos = noise(90_000)
  it.each([
    ['a document with photos, in a zip file', twice(photos)],
    ['an old Word document', oldOffice('eca5', 10, '0000')],
    ['an old Excel sheet', oldOffice('0908100000060500', 20, '4200')],
    ['an archive of an archive of photos', gzipSync(tarOf('in.tgz', gzipSync(tarOf('photo.jpg', photos))))],
    ['a document with photos, by gzip', gzipSync(zipOf([entry('photo.jpg', photos)]))],
    [
      'a zip file with folders',
      zipOf([entry('a/', Buffer.alloc(0), { packed: false, method: 8 }), entry('a/b', text('-'))]),
    ],
    ['gzip of many members', Buffer.concat(Array.from({ length: 200 }, () => gzipSync(text('-'))))],
    [
      'a PDF with a table of contents that is mixed up',
      pdf('/Type /XRef /DecodeParms << /Predictor 12 >>', deflateSync(photos)),
    ],
  ])('passes: %s', (_, bytes) => {
    expect(found(bytes)).toBeUndefined()
  })
})

function deep(levels: number): Buffer {
  return levels === 0 ? text('-') : zipOf([entry('a', deep(levels - 1))])
}

/** Random bytes do not compress, so the outer file stores the inner one unchanged. */
function twice(photos: Buffer, ...more: ReturnType<typeof entry>[]): Buffer {
  return zipOf([entry('in.docx', zipOf([entry('photo.jpg', photos), ...more]))])
}

function split(words: string): Buffer {
  return text(`<t>${words.slice(0, 9)}</t><t>${words.slice(9, 12)}</t><t>${words.slice(12)}</t>`)
}

it('finds nothing in noise and in the pixels of images', () => {
  expect(found(noise(300_000))).toBeUndefined()
  const pixels = deflateSync(Buffer.alloc(80 * 2 ** 20, 'pixel'))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(pixels.length)
  const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), size, Buffer.from('IDAT'), pixels])
  const page = pdf('/Type /XObject /Subtype /Image', pixels)
  expect([found(png), found(page)]).toEqual([undefined, undefined])
  expect(found(Buffer.concat([pixels, pixels]))).toBe('packed')
})
