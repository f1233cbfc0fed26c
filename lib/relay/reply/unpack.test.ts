import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeChance } from '#lib/testing/chance'
import { zipOf } from '#lib/testing/zip'
import { findLeak } from './leak-gate.ts'
import { isClosedZip } from './unpack.ts'

const address = 'alice@example.org'
const text = (around: string) =>
  Buffer.from(`${'nothing here, '.repeat(200)}${around}${' and nothing there'.repeat(200)}`)

/** Whether the address is found in an attachment of these bytes. */
const leaks = (bytes: Buffer, type = 'application/octet-stream') =>
  findLeak(
    Buffer.from(
      `From: <b7kq3mzt9xpd@relay.example>\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${bytes
        .toString('base64')
        .replace(/.{76}/g, '$&\r\n')}`,
    ),
    [address],
  )

const entry = (name: string, content: Buffer, more = {}) => ({ name, content, ...more })
const pdf = (dictionary: string, stream: Buffer) =>
  Buffer.concat([
    Buffer.from(`%PDF-1.7\n1 0 obj\n<< ${dictionary} /Filter /FlateDecode /Length ${stream.length} >>\nstream\r\n`),
    stream,
    Buffer.from('\nendstream\nendobj\n'),
  ])

/** The same file, with the address in it and with another. */
const files: [string, (words: string) => Buffer][] = [
  ['a zip file', (words) => zipOf([entry('a.txt', text('-')), entry('b.txt', text(words))])],
  ['the names in a zip file', (words) => zipOf([entry(`${words}.txt`, text('-'))])],
  [
    'a document whose words stand in pieces',
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
  ['a packed file in a packed file', (words) => zipOf([entry('a.gz', gzipSync(text(words)))])],
  ['gzip', (words) => gzipSync(text(words))],
  ['the second of two members', (words) => Buffer.concat([gzipSync(text('-')), gzipSync(text(words))])],
  ['gzip that is cut off', (words) => gzipSync(Buffer.concat([text(words), noise(9000)])).subarray(0, -4000)],
  ['a stream of a PDF', (words) => pdf('/Type /ObjStm', deflateSync(text(`/Author (${words})`)))],
  [
    'a stream whose checksum is wrong',
    (words) => pdf('', Buffer.concat([deflateSync(text(words)).subarray(0, -4), noise(4)])),
  ],
  [
    'words that a PDF sets in pieces',
    (words) => pdf('', deflateSync(text(`BT [(${words.slice(0, 4)}) -12.5 (${words.slice(4)})] TJ ET`))),
  ],
  [
    'a note in a picture',
    (words) => Buffer.concat([noise(5000), Buffer.from('zTXtAuthor\0\0'), deflateSync(text(words))]),
  ],
]

const noise = (length: number) => {
  const chance = makeChance(7)
  return Buffer.from(Array.from({ length }, () => chance.below(256)))
}

describe.each(files)('an address in %s', (_, make) => {
  test('is found, and another address is not taken for it', () => {
    expect(leaks(make(address))).toBe(true)
    expect(leaks(make('malice@example.com'))).toBe(false)
  })
})

test('a packed file that says it is a text is opened too', () => {
  expect(leaks(gzipSync(text(address)), 'text/plain; charset=iso-8859-1')).toBe(true)
  expect(leaks(gzipSync(text('-')), 'text/plain; charset=iso-8859-1')).toBe(false)
})

test('what an archiver of the system packs is opened', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-tar-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'a.txt'), text(address))
  expect(leaks(execFileSync('tar', ['-czf', '-', '-C', folder, 'a.txt']))).toBe(true)
})

describe('what cannot be opened counts as a leak', () => {
  test.each([
    ['a zip file with a password', zipOf([entry('a', text('-')), entry('b', text('-'), { flags: 1 })])],
    ['a zip file packed in a way of its own', zipOf([entry('a', text('-'), { method: 14 })])],
    ['more than we would ever unpack', gzipSync(Buffer.alloc(70 * 2 ** 20))],
    [
      'more than we would ever unpack, in pieces',
      zipOf(Array.from({ length: 5 }, () => entry('a', Buffer.alloc(2 ** 24)))),
    ],
    ['gzip that is none', Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), noise(200)])],
    ['files in files without end', deep(6)],
  ])('%s', (_, bytes) => {
    expect(leaks(bytes)).toBe(true)
  })
})

function deep(levels: number): Buffer {
  return levels === 0 ? text('-') : zipOf([entry('a', deep(levels - 1))])
}

test('noise, and the pixels of pictures, hold nothing', () => {
  expect(leaks(noise(300_000))).toBe(false)
  const pixels = deflateSync(Buffer.alloc(40 * 2 ** 20, 'pixel'))
  const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\0IDAT', 'latin1'), pixels])
  const page = pdf('/Type /XObject /Subtype /Image', pixels)
  // Both together would be too much to look through.
  expect(leaks(Buffer.concat([png, page]))).toBe(false)
  expect(leaks(Buffer.concat([pixels, pixels]))).toBe(true)
})

test('a closed zip file is known by its headers alone', () => {
  expect(isClosedZip(zipOf([entry('a', text('-')), entry('b', text('-'), { flags: 1 })]))).toBe(true)
  expect(isClosedZip(zipOf([entry('a', text('-')), entry('b', text('-'), { packed: false })]))).toBe(false)
  expect(isClosedZip(Buffer.from('PK\x03\x04'))).toBe(false)
})
