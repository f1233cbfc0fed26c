import { runsOf } from '#lib/relay/reply/leak-gate/decode-nested'
import { lengthOfStream } from './inflate.ts'

/**
 * Yields the bytes of every run of a text that could be a file in base64 or hexadecimal digits: `data:` images,
 * diagrams and requests in links, signed tokens, attachments in JSON, objects in RTF.
 */
export function* wrappedFiles(text: string): Generator<Buffer> {
  for (const view of viewsOf(text)) {
    yield* filesInBase64(view.replace(lineBreak, ''))
    // Joined with a word at the end of the previous line, a run would be misaligned.
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

/** Returns the text, and once more without the escapes that occur inside base64 in links, JSON and HTML. */
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

/** The shortest run that can hold a compressed address. */
const least = 20
const lineBreak = /=?\r?\n[>|\u2502 \t]{0,80}/g
const linesOfBase64 = /^(?:[>|\u2502 \t]{0,80}[\w+/-]{20,1000}={0,2}[ \t]{0,9}(?:\r?\n|$)){1,2000}/gm

function* filesInBase64(text: string): Generator<Buffer> {
  for (const [from, to] of runsOf(text, 'base64')) {
    if (to - from < least) continue
    const run = text.slice(from, to)
    // Words and numbers mostly keep one case; packed data mixes them.
    if (!/[a-z]/.test(run) || !/[A-Z]/.test(run)) continue
    yield Buffer.from(run, 'base64')
    yield* insideRun(run)
  }
}

/** Unpacks data inside a run: after each part of a path, and at the signatures of zlib, gzip and zip. */
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
/** Ten times as many as the largest image contains by chance. */
const mostMarks = 20_000
const marks = /(?<zlib>eJ[w-z]|eN[o-r]|eA[E-H]|eF[4-7])|(?<gzip>H4sI[A-H])|UEsDB[ABC]/g

/**
 * Decodes a trial part first: noise contains many signatures and short streams, so the rest of a run is decoded only
 * if the stream continues.
 */
function packedAt(run: string, start: number, header: number): Buffer | undefined {
  if (run.length - start < least) return undefined
  const trial = Buffer.from(run.slice(start, start + lengthOfTrial), 'base64')
  const read = lengthOfStream(trial.subarray(header))
  if (read === undefined) return undefined
  return read + header < trial.length ? trial : Buffer.from(run.slice(start), 'base64')
}

const lengthOfTrial = 1024

/** The last letter of a preceding word, as in `id 789c`, can be a digit too. */
function* filesInHex(text: string): Generator<Buffer> {
  for (const [from, to] of runsOf(text, 'spacedHex')) {
    const digits = text.slice(from, to).replace(/\s+/g, '')
    if (digits.length < least || !/[a-f]/i.test(digits)) continue
    yield Buffer.from(digits, 'hex')
    yield Buffer.from(digits.slice(1), 'hex')
  }
}

/** Yields bytes that a program wrote as the letters of a JSON string, as Excalidraw does with a zlib stream. */
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
