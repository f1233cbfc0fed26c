import { createHash } from 'node:crypto'
import { hmac } from '#lib/crypto/hash'
import { lettersOf } from '#lib/relay/quote/reading/reading'

/**
 * The fingerprints of one message: keyed hashes of 48 bits, which reveal no text without the key. A run of text is
 * reduced to letters and digits (see lettersOf) and hashed in blocks of 64 characters and a tail, so that any long
 * part of it is recognised in a quotation.
 */
export type Fingerprints = {
  runs: Run[]
  /** Hashes of values that are matched whole: attributes, links, file names, parts, subjects, the sender's name. */
  exactHashes: number[]
  /**
   * Hashes of the forms of every name (see Name in find-names.ts). If undefined, every name is treated as sent by the
   * app.
   */
  names: number[] | undefined
  /** The number of characters in the sender's name, which is searched for in the attribution line of a quotation. */
  nameLength: number
}

/** `tail` is the rest after the last block; its length may be 0. */
export type Run = { blocks: number[]; tail: { length: number; hash: number } }

export const blockLength = 64
/** The subject is also hashed after every 16 characters, because some mail programs truncate long ones. */
export const subjectStep = 16

/**
 * The kind of a hashed value is part of the hash input: renaming a kind would invalidate stored fingerprints. `aside`
 * is the text of an attribute or a link.
 */
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

/** Packs fingerprints into bytes for storage. The list of names is omitted if it is undefined. */
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

/** Returns the digest that identifies a whole part, whatever the line endings of a text are. */
export function partContent(type: string, bytes: Buffer): string {
  const content = type.startsWith('text/') ? bytes.toString('latin1').replace(/\r\n?/g, '\n').trimEnd() : bytes
  return createHash('sha256').update(content).digest('base64')
}

/**
 * Returns the subject, reduced by lettersOf, with and without the prefixes that mail programs add ("Re:", "AW:",
 * "回复:").
 */
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

/** Matches "Re:", "AW[2]:", and tags of gateways such as "[EXTERNAL]". */
export const replyPrefix = /^\s*(?:\p{L}{1,8}\s?(?:\[\d{1,3}\]|\(\d{1,3}\))?\s?[:\uff1a]|\[[^\][]{1,40}\])\s*/u
const mostPrefixes = 4

/**
 * Returns the UIDs of the calendar entries in a part (RFC 5545 §3.8.4.7). An answer to an invitation has to repeat
 * its UID.
 */
export function entriesOf(type: string, bytes: Buffer): string[] {
  if (!/^(text\/(x-)?v?calendar|application\/ics)$/.test(type)) return []
  const lines = bytes.toString('utf8').replace(/\r?\n[ \t]/g, '')
  return Array.from(lines.matchAll(/^UID(?:;[^:\r\n]*)?:([^\r\n]*)/gim), ([, uid = '']) => uid.trim()).slice(
    0,
    mostEntries,
  )
}

const mostEntries = 100
