import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { UnreadableContent } from '#lib/relay/reply/leak-gate/unreadable'
import { pdf, plainPdf } from '#lib/testing/relay/quoting/packed-files'
import { makeBudget } from './inflate.ts'
import { readPdf } from './read-pdf.ts'

const made = (name: string) => readFileSync(new URL(`../made-by-programs/${name}`, import.meta.url))
const textOf = (file: Buffer) => readPdf(file, makeBudget()).texts.join('\n')

describe('a PDF', () => {
  it('is read as a viewer shows it', () => {
    expect(textOf(made('libreoffice.pdf'))).toContain('Contact: alice@example.org please')
    expect(textOf(plainPdf('BT /F1 9 Tf (Hi ) Tj (there) Tj ET'))).toContain('Hi there')
  })

  it('opens when only its owner has a password, with the files attached to it', () => {
    const { files } = readPdf(made('attached-file.pdf'), makeBudget())
    expect(files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['a.txt', 'Contact: alice@example.org please\n'],
    ])
  })

  it('is refused when it unpacks beyond the limit', () => {
    expect(() => readPdf(pdf('', deflateSync(Buffer.alloc(80 * 2 ** 20, ' '))), makeBudget())).toThrow(
      UnreadableContent,
    )
  })

  it('is refused when it exceeds the time limit, without effect on the next message', () => {
    const room = { ...makeBudget(), pdfMilliseconds: 0 }
    expect(() => readPdf(made('libreoffice.pdf'), room)).toThrow(UnreadableContent)
    expect(textOf(made('libreoffice.pdf'))).toContain('alice@example.org')
  })

  it('is refused when it is broken, unless nothing can be packed in it', () => {
    expect(() => readPdf(made('libreoffice.pdf').subarray(0, 3000), makeBudget())).toThrow(UnreadableContent)
    expect(readPdf(Buffer.from('%PDF-1.4 nothing in it'), makeBudget()).texts).toEqual([])
  })
})
