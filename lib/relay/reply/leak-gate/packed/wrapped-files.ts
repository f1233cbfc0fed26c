import { runsOf } from '#lib/relay/reply/leak-gate/decode-nested'
import { lengthOfStream } from './inflate.ts'

/**
 * Decodes every part of a text that could be an encoded file (base64, hexadecimal, JSON string or `data:` URL) and
 * yields its bytes. Examples are images in pages, diagrams and requests in links, signed tokens, attachments in JSON,
 * and objects in RTF.
 */
export function* wrappedFiles(text: string): Generator<Buffer> {
  for (const view of viewsOf(text)) {
    yield* filesInBase64(view.replace(lineBreak, ''))
    // Also decodes base64 by whole lines: a word at the end of the line above would shift the alignment of a joined run.
    for (const [lines] of view.matchAll(linesOfBase64)) yield Buffer.from(lines, 'base64')
    yield* filesInHex(view)
    yield* binaryStrings(view)
  }
  for (const [, content = ''] of text.matchAll(percentData)) yield Buffer.from(unpercent(content), 'latin1')
}

/** A `data:` URL without base64 is percent-encoded (RFC 2397). */
const percentData = /\bdata:[\w/+.;=-]{0,100},([^\s"'<>]{20,100000})/gi
const unpercent = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/**
 * Returns the text and, if an escape adjoins a run of base64, also a copy with the escapes of links, JSON and HTML
 * decoded.
 */
function viewsOf(text: string): string[] {
  const plain = text.replace(escaped, (_, code?: string, decimal?: string, sign?: string) => {
    if (code) return String.fromCharCode(Number.parseInt(code, 16))
    if (decimal) return String.fromCharCode(Number(decimal))
    return sign === '/' ? sign : ''
  })
  return plain !== text && besideRun.test(text) ? [text, plain] : [text]
}

const escaped = /(?:%(?:25)*|\\u00|&#x0*)(2b|2d|2f|3d|5f);?|&#0*(43|45|47|61|95);|\\([nr/])/gi

const besideRun = new RegExp(String.raw`[\w+/-]{8}(?:${escaped.source})`, 'i')

/** The length of the shortest run of characters that can contain a compressed address. */
const least = 20
const lineBreak = /=?\r?\n[>|\u2502 \t]{0,80}/g
const linesOfBase64 = /^(?:[>|\u2502 \t]{0,80}[\w+/-]{20,1000}={0,2}[ \t]{0,9}(?:\r?\n|$)){1,2000}/gm

function* filesInBase64(text: string): Generator<Buffer> {
  for (const [from, to] of runsOf(text, 'base64')) {
    if (to - from < least) continue
    const run = text.slice(from, to)
    // Base64 of compressed data contains both upper and lower case. Most words and numbers do not.
    if (!/[a-z]/.test(run) || !/[A-Z]/.test(run)) continue
    yield Buffer.from(run, 'base64')
    yield* insideRun(run)
  }
}

/**
 * Decodes a run from each position where packed data may begin: after a slash near its start, because the run may be
 * the path of a link, and at each signature of zlib, gzip and zip.
 */
function* insideRun(run: string): Generator<Buffer> {
  const paths = Array.from(run.slice(0, longestPath).matchAll(/\//g), ({ index }) => index + 1).slice(0, mostParts)
  const marked = Array.from(run.matchAll(marks).take(mostMarks), ({ index, groups }) => {
    if (groups?.zlib) return packedAt(run, index, 2)
    return groups?.gzip ? packedAt(run, index, 10) : Buffer.from(run.slice(index), 'base64')
  })
  for (const packed of [...paths.map((start) => packedAt(run, start, 0)), ...marked]) if (packed) yield packed
}

const longestPath = 200
const mostParts = 8
/** Ten times the number of signatures that the largest image contains by chance. */
const mostMarks = 20_000
const marks = /(?<zlib>eJ[w-z]|eN[o-r]|eA[E-H]|eF[4-7])|(?<gzip>H4sI[A-H])|UEsDB[ABC]/g

/**
 * Decodes the first part of a run, and the rest only if the stream continues beyond that part: random data contains
 * many signatures and short streams.
 */
function packedAt(run: string, start: number, header: number): Buffer | undefined {
  if (run.length - start < least) return undefined
  const trial = Buffer.from(run.slice(start, start + lengthOfTrial), 'base64')
  const read = lengthOfStream(trial.subarray(header))
  if (read === undefined) return undefined
  return read + header < trial.length ? trial : Buffer.from(run.slice(start), 'base64')
}

const lengthOfTrial = 1024

/** Decodes hexadecimal runs in both alignments: in `id 789c`, the `d` before the data is a hexadecimal digit too. */
function* filesInHex(text: string): Generator<Buffer> {
  for (const [from, to] of runsOf(text, 'spacedHex')) {
    const digits = text.slice(from, to).replace(/\s+/g, '')
    if (digits.length < least || !/[a-f]/i.test(digits)) continue
    yield Buffer.from(digits, 'hex')
    yield Buffer.from(digits.slice(1), 'hex')
  }
}

/** Yields bytes that a program wrote as the characters of a JSON string. Excalidraw writes zlib streams like this. */
function* binaryStrings(text: string): Generator<Buffer> {
  for (const { index } of text.matchAll(startOfZlibString)) {
    let end = index + 1
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
    yield Buffer.from(unescapeJson(text.slice(index + 1, end)), 'latin1')
  }
}

const startOfZlibString = /"x(?:[\^\u009c\u00da]|\\u00(?:01|9c|da))/gi

const unescapeJson = (content: string): string =>
  content.replace(/\\(?:u([0-9a-f]{4})|(.))/gis, (_, code: string | undefined, sign: string) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : (controls[sign] ?? sign),
  )

const controls: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
