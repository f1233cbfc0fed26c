import { UnreadableContent } from '#lib/relay/reply/leak-gate/unreadable'
import { type Budget, spend } from './inflate.ts'
import { readPage } from './pdf-page.ts'
import type { Piece } from './piece.ts'
import { readPdf } from './read-pdf.ts'

export const isPdf = (file: Buffer): boolean => file.subarray(0, 1024).includes('%PDF-')

type Stream = { dictionary: string; from: number; to: number }

/**
 * Returns the content of a PDF: the text and files that a viewer finds, and the decoded content of streams that are
 * not compressed (ISO 32000-1 §7.4). `nonText` lists the byte ranges of images and cross-reference tables. Throws
 * UnreadableContent for text that no viewer can extract.
 */
export function openPdf(file: Buffer, budget: Budget): { pieces: Piece[]; nonText: [from: number, to: number][] } {
  const { texts, files } = readPdf(file, budget)
  const text = Buffer.from(texts.join('\n\n'))
  spend(budget, { read: 0, written: text.length })
  const streams = [...streamsOf(file)]
  const textual = streams.filter(({ dictionary }) => !isNonText.test(dictionary))
  refuseNumberedLetters(file)
  return {
    pieces: [
      { name: '', bytes: text },
      // A PDF may position the letters of a word one by one, and the extracted text then has spaces between them. This
      // copy without spaces joins such letters.
      { name: '', bytes: Buffer.from(texts.join('\n').replace(/\s+/g, '')), isWithoutSpaces: true },
      ...files.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes) })),
      ...textual.flatMap((stream) => decode(file, stream)).map((bytes) => ({ name: '', bytes })),
    ],
    nonText: streams.filter(({ dictionary }) => isNonText.test(dictionary)).map(({ from, to }) => [from, to]),
  }
}

/**
 * Throws UnreadableContent for a font that numbers its glyphs without a mapping to Unicode (ISO 32000-1 §9.10.2),
 * because no viewer can extract text in such a font.
 */
export function refuseNumberedLetters(objects: Buffer): void {
  for (let at = objects.indexOf('/Type0'); at !== -1; at = objects.indexOf('/Type0', at + 6)) {
    const font = dictionaryAround(
      objects.toString('latin1', Math.max(0, at - longestFont), at + longestFont),
      Math.min(at, longestFont),
    )
    if (/\/Identity-[HV]\b/.test(font) && !/\/ToUnicode\b/.test(font)) throw new UnreadableContent('packed')
  }
}

const longestFont = 4096

/** Returns the dictionary around a position, including the dictionaries nested in it. */
function dictionaryAround(text: string, place: number): string {
  let depth = 0
  let from = place
  while (from > 0 && depth >= 0) {
    from = Math.max(text.lastIndexOf('<<', from - 1), text.lastIndexOf('>>', from - 1))
    if (from !== -1) depth += text.startsWith('>>', from) ? 1 : -1
  }
  const rest = text.slice(Math.max(0, from))
  depth = 0
  for (const { 0: bracket, index } of rest.matchAll(/<<|>>/g)) {
    depth += bracket === '<<' ? 1 : -1
    if (depth === 0) return rest.slice(0, index)
  }
  return rest
}

const isNonText = /\/Subtype\s*\/Image\b|\/Type\s*\/XRef\b/

function* streamsOf(file: Buffer): Generator<Stream> {
  let before = 0
  for (let at = file.indexOf('stream'); at !== -1; at = file.indexOf('stream', at + 6)) {
    const lineEnd = /^stream\r?\n/.exec(file.toString('latin1', at, at + 8))
    if (!lineEnd || file.toString('latin1', at - 3, at) === 'end') continue
    const head = file.toString('latin1', Math.max(before, at - 65_536), at)
    const from = at + lineEnd[0].length
    const end = file.indexOf('endstream', from)
    const to = end === -1 ? file.length : end
    const begins = Array.from(head.matchAll(/\bobj\b/g), ({ index }) => index).at(-1) ?? 0
    yield { dictionary: head.slice(begins), from, to }
    before = to
    at = to
  }
}

function decode(file: Buffer, { dictionary, from, to }: Stream): Buffer[] {
  const data = file.subarray(from, to)
  const filter = /\/(ASCII85Decode|ASCIIHexDecode)\b/.exec(dictionary)?.[1]
  // A scan of the file finds its compressed streams. The bytes of an unfiltered stream are searched with the file, so
  // only the text that they show is returned.
  if (filter === undefined) return readings(data).slice(1)
  return readings(filter.includes('85') ? fromAscii85(data.toString('latin1')) : Buffer.from(digitsOf(data), 'hex'))
}

const digitsOf = (data: Buffer): string => data.toString('latin1').replace(/>.*$|[^0-9a-f]/gis, '')

/** Decodes ASCII85: five characters encode four bytes (ISO 32000-1 §7.4.3). */
function fromAscii85(text: string): Buffer {
  const bytes: number[] = []
  const digits = text.replace(/~>.*$|[^!-uz]/gs, '').replaceAll('z', '!!!!!')
  for (let at = 0; at < digits.length; at += 5) {
    const group = digits.slice(at, at + 5)
    let number = 0
    for (const digit of group.padEnd(5, 'u')) number = number * 85 + digit.charCodeAt(0) - 33
    for (let byte = 0; byte < group.length - 1; byte++) bytes.push(Math.floor(number / 256 ** (3 - byte)) & 0xff)
  }
  return Buffer.from(bytes)
}

/** Returns the bytes and, if they contain PDF text operators, also the text that these operators show. */
export function readings(bytes: Buffer): Buffer[] {
  const isPage = ['TJ', 'Tj', 'BT'].some((operator) => bytes.includes(operator))
  return isPage ? [bytes, ...readPage(bytes)] : [bytes]
}
