import { Unseen } from '../unseen.ts'
import { readPage } from './pdf-page.ts'
import type { Piece } from './unpack.ts'

export const isPdf = (file: Buffer): boolean => file.subarray(0, 1024).includes('%PDF-')

type Stream = { dictionary: string; from: number; to: number }

/** What a PDF holds beyond plain zlib streams (ISO 32000-1 §7.4), and what in it is pixels and tables, which say nothing. */
export function readPdf(file: Buffer): { pieces: Piece[]; silent: [from: number, to: number][] } {
  if (/\/Encrypt\b/.test(file.toString('latin1'))) throw new Unseen('packed')
  const streams = [...streamsOf(file)]
  const spoken = streams.filter(({ dictionary }) => !isSilent.test(dictionary))
  if (spoken.some(({ dictionary }) => isClosed.test(dictionary))) throw new Unseen('packed')
  return {
    pieces: spoken.flatMap((stream) => decode(file, stream)).map((bytes) => ({ name: '', bytes })),
    silent: streams.filter(({ dictionary }) => isSilent.test(dictionary)).map(({ from, to }) => [from, to]),
  }
}

const isSilent = /\/Subtype\s*\/Image\b|\/Type\s*\/XRef\b/
/** Packed in ways that are rare, or mixed up for a better packing. */
const isClosed = /\/(LZWDecode|RunLengthDecode|Crypt)\b|\/Predictor\s+(?!1\b)\d/

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
  // What is packed is come by where its stream begins; what stands as it is was looked at with the file.
  if (filter === undefined) return readings(data).slice(1)
  return readings(filter.includes('85') ? fromAscii85(data.toString('latin1')) : Buffer.from(digitsOf(data), 'hex'))
}

const digitsOf = (data: Buffer): string => data.toString('latin1').replace(/>.*$|[^0-9a-f]/gis, '')

/** Four bytes in five characters (ISO 32000-1 §7.4.3). */
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

/** Some bytes, and what they show where they look like a page. */
export function readings(bytes: Buffer): Buffer[] {
  const isPage = ['TJ', 'Tj', 'BT'].some((operator) => bytes.includes(operator))
  return isPage ? [bytes, ...readPage(bytes)] : [bytes]
}
