import {
  blockLength,
  type Fingerprints,
  type Hash,
  type Kind,
  makeHash,
  unpackFingerprints,
} from '#lib/relay/quote/fingerprint/fingerprints'
import { lettersOf } from '#lib/relay/quote/reading/reading'

/** The stored fingerprints of a forwarded message, with the key and the alias that they were made with. */
export type SentFingerprints = { key: Uint8Array; alias: string; prints: Uint8Array }

/** Fingerprints of the messages that a reply may quote, all made with one key and alias. */
export type KnownText = {
  hash: Hash
  exactHashes: Set<number>
  names: Set<number>
  /** False if the fingerprints of one of the messages lack names. */
  hasNames: boolean
  nameLengths: Set<number>
  /** The first blocks of runs, and for each block the blocks that follow it. */
  first: Set<number>
  following: Map<number, Set<number>>
  /** The tails of runs by their last block; the key is `undefined` for a run that is shorter than a block. */
  tails: Map<number | undefined, Fingerprints['runs'][number]['tail'][]>
}

/** Combines the fingerprints of several messages, because a reply in a long thread can quote all of them. */
export function knowTexts(sent: SentFingerprints[]): KnownText[] {
  const known = new Map<string, KnownText>()
  for (const { key, alias, prints } of sent) {
    const name = `${Buffer.from(key).toString('hex')} ${alias}`
    const text = known.get(name) ?? empty(makeHash(key, alias))
    known.set(name, text)
    addFingerprints(text, unpackFingerprints(prints))
  }
  return [...known.values()]
}

const empty = (hash: Hash): KnownText => ({
  hash,
  exactHashes: new Set(),
  names: new Set(),
  hasNames: true,
  nameLengths: new Set(),
  first: new Set(),
  following: new Map(),
  tails: new Map(),
})

function addFingerprints(text: KnownText, { runs, exactHashes, names, nameLength }: Fingerprints): void {
  for (const whole of exactHashes) text.exactHashes.add(whole)
  for (const name of names ?? []) text.names.add(name)
  text.hasNames &&= names !== undefined
  text.nameLengths.add(nameLength)
  for (const { blocks, tail } of runs) {
    const [first] = blocks
    if (first !== undefined) text.first.add(first)
    for (const [at, block] of blocks.entries()) {
      const next = blocks[at + 1]
      const following = text.following.get(block) ?? new Set()
      text.following.set(block, next === undefined ? following : following.add(next))
    }
    const last = blocks.at(-1)
    const tails = text.tails.get(last) ?? []
    if (!tails.some(({ hash }) => hash === tail.hash)) text.tails.set(last, [...tails, tail])
  }
}

/**
 * A run of normalized text (see lettersOf) from a message of the app. `isFirst` tells whether the run starts that
 * message, `isLast` whether it ends it.
 */
export type KnownRun = { from: number; to: number; isFirst: boolean; isLast: boolean }

/** Returns the run of known text that begins at this index, or undefined. */
export function runAt(text: KnownText, letters: string, from: number): KnownRun | undefined {
  const block = blockAt(text, letters, from)
  if (block === undefined) return undefined
  let last = block
  let to = from + blockLength
  for (;;) {
    const next = blockAt(text, letters, to)
    if (next === undefined || !text.following.get(last)?.has(next)) break
    last = next
    to += blockLength
  }
  const tail = tailAt(text, last, letters, to)
  return { from, to: to + (tail ?? 0), isFirst: text.first.has(block), isLast: tail !== undefined }
}

/** Returns a whole message that is shorter than a block and begins at this index, or undefined. */
export function shortRunAt(text: KnownText, letters: string, from: number): KnownRun | undefined {
  const length = tailAt(text, undefined, letters, from)
  return length ? { from, to: from + length, isFirst: true, isLast: true } : undefined
}

function blockAt({ hash, following }: KnownText, letters: string, at: number): number | undefined {
  if (at + blockLength > letters.length) return undefined
  const block = hash('block', letters.slice(at, at + blockLength))
  return following.has(block) ? block : undefined
}

/** Returns the length of the longest tail that matches. */
function tailAt({ hash, tails }: KnownText, last: number | undefined, letters: string, at: number): number | undefined {
  const fitting = (tails.get(last) ?? []).filter(
    (tail) => at + tail.length <= letters.length && hash('tail', letters.slice(at, at + tail.length)) === tail.hash,
  )
  return fitting.length === 0 ? undefined : Math.max(...fitting.map(({ length }) => length))
}

/** Returns whether the app sent exactly this value. */
export const isKnown = (texts: KnownText[], kind: Kind, content: string): boolean =>
  texts.some(({ hash, exactHashes }) => exactHashes.has(hash(kind, content)))

/**
 * Returns whether the app sent a name with this form; always true if the names of a message could not all be stored.
 */
export const isKnownName = (texts: KnownText[], form: string): boolean =>
  texts.some(({ hash, names, hasNames }) => !hasNames || names.has(hash('name', form)))

/** Returns the span of the sender's name in a text normalized by lettersOf. */
export function findSender(texts: KnownText[], text: string): [number, number] | undefined {
  for (const { hash, exactHashes, nameLengths } of texts)
    for (const length of nameLengths)
      for (let at = 0; length > 0 && at + length <= text.length; at++)
        if (exactHashes.has(hash('sender', text.slice(at, at + length)))) return [at, at + length]
  return undefined
}

/**
 * Returns how many characters of a normalized subject (see lettersOf) are known; for a truncated subject, the length
 * of its known prefix.
 */
export function knownSubject(texts: KnownText[], subject: string, step: number): number {
  const letters = lettersOf(subject)
  if (isKnown(texts, 'subject', letters)) return letters.length
  let known = 0
  for (let length = step; length <= letters.length; length += step)
    if (isKnown(texts, 'subject', letters.slice(0, length))) known = length
  return known
}
