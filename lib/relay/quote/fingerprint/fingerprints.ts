import { createHash } from 'node:crypto'
import { hmac } from '#lib/crypto/hash'
import { lettersOf } from '#lib/relay/quote/reading/reading'

/**
 * The fingerprints of one message: keyed hashes of 48 bits, from which nobody without the key learns a word. A run of text is
 * hashed in blocks of 64 letters and a tail, so that any long piece of it is known again in whatever it is quoted.
 */
export type Fingerprints = {
  runs: Run[]
  /** Hashes of values that are matched whole: attributes, links, file names, parts, subjects, the sender's name. */
  exactHashes: number[]
  /** Hashes of the forms of every name (names.ts); undefined when they are not on record, so that every name counts. */
  names: number[] | undefined
  /** How many letters the sender's name has: it is looked for in the introduction of a quotation. */
  nameLength: number
}

/** `tail` is the rest after the last block; its length may be 0. */
export type Run = { blocks: number[]; tail: { length: number; hash: number } }

export const blockLength = 64
/** The subject is known up to every so many letters: some mail programs cut long ones. */
export const subjectStep = 16

export type Kind = 'block' | 'tail' | 'aside' | 'file-name' | 'entry' | 'part' | 'subject' | 'sender' | 'name'

/** The alias is part of the hash input, so the same text has different fingerprints for each person. */
export type Hash = (kind: Kind, content: string) => number

export const makeHash =
  (key: Uint8Array, alias: string): Hash =>
  (kind, content) =>
    hmac(key, 'print', alias, kind, content).readUIntBE(0, 6)

export function fingerprintRun(letters: string, hash: Hash): Run {
  const blocks: number[] = []
  for (let at = 0; at + blockLength <= letters.length; at += blockLength)
    blocks.push(hash('block', letters.slice(at, at + blockLength)))
  const tail = letters.slice(blocks.length * blockLength)
  return { blocks, tail: { length: tail.length, hash: hash('tail', tail) } }
}

/** As bytes for storage; a message that cannot be read well enough has none. Names that are not known leave no count of them. */
export function packFingerprints({ runs, exactHashes, names, nameLength }: Fingerprints): Buffer {
  const numbers = [
    ...[runs.length, exactHashes.length],
    ...runs.flatMap(({ blocks, tail }) => [blocks.length, tail.length, tail.hash, ...blocks]),
    ...exactHashes,
    ...(names ? [names.length, ...names] : []),
  ]
  const packed = Buffer.alloc(2 + numbers.length * width)
  packed.writeUInt16BE(nameLength)
  for (const [at, number] of numbers.entries()) packed.writeUIntBE(number, 2 + at * width, width)
  return packed
}

export function unpackFingerprints(packed: Uint8Array): Fingerprints {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  let at = 2
  const next = () => {
    at += width
    return bytes.readUIntBE(at - width, width)
  }
  const several = (count: number) => Array.from({ length: count }, next)
  const [runCount = 0, wholeCount = 0] = several(2)
  const runs = Array.from({ length: runCount }, () => {
    const [blockCount = 0, length = 0, hash = 0] = several(3)
    return { blocks: several(blockCount), tail: { length, hash } }
  })
  const exactHashes = several(wholeCount)
  const names = at < bytes.length ? several(next()) : undefined
  return { runs, exactHashes, names, nameLength: bytes.readUInt16BE(0) }
}

const width = 6

/** The digest by which a whole part is recognised; for a text, line ends do not matter. */
export function partContent(type: string, bytes: Buffer): string {
  const content = type.startsWith('text/') ? bytes.toString('latin1').replace(/\r\n?/g, '\n').trimEnd() : bytes
  return createHash('sha256').update(content).digest('base64')
}

/** The letters of a subject as it is, and without what mail programs put in front of it ("Re:", "AW:", "回复:"). */
export function subjectsOf(subject: string): string[] {
  const found = [subject]
  for (let rest = subject; found.length <= mostPrefixes; ) {
    const prefix = replyPrefix.exec(rest)?.[0]
    if (prefix === undefined) break
    rest = rest.slice(prefix.length)
    found.push(rest)
  }
  return found.map(lettersOf)
}

/** "Re:", "AW[2]:", and what gateways write, such as "[EXTERNAL]". */
export const replyPrefix = /^\s*(?:\p{L}{1,8}\s?(?:\[\d{1,3}\]|\(\d{1,3}\))?\s?[:\uff1a]|\[[^\][]{1,40}\])\s*/u
const mostPrefixes = 4

/** The names of the calendar entries in a part (RFC 5545 §3.8.4.7): an answer to an invitation has to repeat them. */
export function entriesOf(type: string, bytes: Buffer): string[] {
  if (!/^(text\/(x-)?v?calendar|application\/ics)$/.test(type)) return []
  const lines = bytes.toString('utf8').replace(/\r?\n[ \t]/g, '')
  return Array.from(lines.matchAll(/^UID(?:;[^:\r\n]*)?:([^\r\n]*)/gim), ([, uid = '']) => uid.trim()).slice(
    0,
    mostEntries,
  )
}

const mostEntries = 100
