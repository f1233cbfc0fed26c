import { timingSafeEqual } from 'node:crypto'
import { hmac } from '#lib/crypto/hash'

/** 31 characters without look-alikes; the letters begin at index 8 (relay §2). */
export const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

/** The kinds of local parts at our domain; their name spaces are disjoint. */
export type LocalPart =
  | { kind: 'alias'; name: string }
  | { kind: 'reverse'; token: string }
  | { kind: 'bounce'; token: string }
  | { kind: 'role'; name: Role }
  | { kind: 'unknown' }

const roles = ['postmaster', 'abuse', 'mailer-daemon', 'noreply', 'hostmaster', 'webmaster', 'security'] as const
export type Role = (typeof roles)[number]

/** Parses the part before the @ (relay §2): case-insensitive, without tags, dots, quotes or comments. */
export function readLocalPart(text: string): LocalPart {
  // Rejects non-ASCII text first, because toLowerCase turns some non-ASCII letters into ASCII.
  const folded = /^[!-~]+$/.test(text) ? text.toLowerCase() : ''
  const role = roles.find((name) => name === folded)
  if (role) return { kind: 'role', name: role }
  const [, prefix, rest = ''] = /^(r-|b-)?([^-]+)$/.exec(folded) ?? []
  if (!isSpelled.test(rest)) return { kind: 'unknown' }
  if (prefix === 'r-' && rest.length === 20) return { kind: 'reverse', token: rest }
  if (prefix === 'b-' && rest.length === 42) return { kind: 'bounce', token: rest }
  if (!prefix && rest.length === 12 && /^[a-z]/.test(rest)) return { kind: 'alias', name: rest }
  return { kind: 'unknown' }
}

/** Serializes a local part; the inverse of `readLocalPart`. */
export function writeLocalPart(part: Exclude<LocalPart, { kind: 'unknown' }>): string {
  switch (part.kind) {
    case 'reverse':
      return `r-${part.token}`
    case 'bounce':
      return `b-${part.token}`
    case 'alias':
    case 'role':
      return part.name
  }
}

const isSpelled = new RegExp(`^[${alphabet}]+$`)

const base = BigInt(alphabet.length)

/** Encodes a number in base 31 with a fixed number of characters; higher digits are dropped. */
export function encodeBase31(number: bigint, length: number): string {
  let left = number
  let text = ''
  while (text.length < length) {
    text = alphabet[Number(left % base)] + text
    left /= base
  }
  return text
}

/** Decodes base 31; undefined for any other character. */
export function decodeBase31(text: string): bigint | undefined {
  let number = 0n
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit === -1) return undefined
    number = number * base + BigInt(digit)
  }
  return number
}

/**
 * Returns the token that replaces an app's address in mail to one alias: deterministic, 20 characters (99 bits),
 * keyed.
 */
export function makeReverseToken(key: Uint8Array, alias: string, target: string): string {
  const hash = hmac(key, 'reverse', alias, target.toLowerCase()).toString('hex')
  return encodeBase31(BigInt(`0x${hash}`), 20)
}

const firstLetter = alphabet.indexOf('a')
const aliasLength = 12

/** Returns a random alias: a letter and eleven characters, uniformly distributed; about 59 bits. */
export function makeAliasName(random: (bytes: number) => Uint8Array): string {
  const draw = makeDraw(random)
  const first = alphabet[firstLetter + draw(alphabet.length - firstLetter)] as string
  return first + Array.from({ length: aliasLength - 1 }, () => alphabet[draw(alphabet.length)]).join('')
}

/** Returns a source of pseudo-random bytes that the key and the seed determine. */
export function randomFrom(key: Uint8Array, ...seed: string[]): (bytes: number) => Uint8Array {
  let block = 0
  return (bytes) => {
    block += 1
    return hmac(key, 'random', `${block}`, ...seed).subarray(0, bytes)
  }
}

/** Returns the address of an alias. */
export const aliasAddress = (name: string, relayDomain: string): string => `${name}@${relayDomain}`

/** Draws numbers below a limit without bias (rejection sampling). */
function makeDraw(random: (bytes: number) => Uint8Array) {
  let pool: number[] = []
  const nextByte = () => {
    if (pool.length === 0) pool = [...random(2 * aliasLength)]
    return pool.pop() as number
  }
  return (limit: number): number => {
    const fair = 256 - (256 % limit)
    for (;;) {
      const byte = nextByte()
      if (byte < fair) return byte % limit
    }
  }
}

/** The kind of message that bounced: mail to an alias, or a reply from it. */
export type Bounced = { kind: 'forward' | 'reply'; alias: string }
/** `day` is the day (UTC) on which the bounced message was sent. */
type BouncedOn = Bounced & { day: Date }

/**
 * Returns the token of an envelope sender: 42 opaque characters that need no storage. The content is sealed with its
 * own authenticator as the nonce (a synthetic IV as in RFC 5297), so an alias keeps its token for a day.
 */
export function makeBounceToken({ kind, alias }: Bounced, key: Uint8Array, now: Date): string {
  const name = decodeBase31(alias)
  if (name === undefined || alias.length !== aliasLength) throw new Error('That is not the name of an alias.')
  const plain = numberToBytes((name << 17n) | (BigInt(dayOf(now)) << 1n) | (kind === 'reply' ? 1n : 0n), plainBytes)
  const tag = authenticate(key, plain)
  return encodeBase31(bytesToNumber(Buffer.concat([tag, cover(key, tag, plain)])), bounceTokenLength)
}

/** Opens a token with any of the keys; undefined for an invalid token and for a token older than fourteen days. */
export function readBounceToken(token: string, keys: Uint8Array[], now: Date): BouncedOn | undefined {
  const number = token.length === bounceTokenLength ? decodeBase31(token) : undefined
  if (number === undefined || number >> BigInt(8 * (tagBytes + plainBytes)) !== 0n) return undefined
  const sealed = numberToBytes(number, tagBytes + plainBytes)
  const tag = sealed.subarray(0, tagBytes)
  for (const key of keys) {
    const plain = cover(key, tag, sealed.subarray(tagBytes))
    if (timingSafeEqual(authenticate(key, plain), tag)) return readBounce(bytesToNumber(plain), dayOf(now))
  }
  return undefined
}

const tagBytes = 16
const plainBytes = 10
const bounceTokenLength = 42
const bounceTokenDays = 14

function readBounce(plain: bigint, today: number): BouncedOn | undefined {
  const day = Number((plain >> 1n) & 0xffffn)
  const age = today - day
  // The clock of another node may be slightly ahead at midnight.
  if (age < -1 || age > bounceTokenDays) return undefined
  return {
    kind: plain & 1n ? 'reply' : 'forward',
    alias: encodeBase31(plain >> 17n, aliasLength),
    day: new Date(day * 86_400_000),
  }
}

const dayOf = (now: Date) => Math.floor(now.getTime() / 86_400_000)

const authenticate = (key: Uint8Array, plain: Uint8Array) => hmac(key, 'bounce tag', plain).subarray(0, tagBytes)

/** Encrypts and decrypts (XOR with a keyed pad). */
function cover(key: Uint8Array, tag: Uint8Array, content: Uint8Array): Buffer {
  const pad = hmac(key, 'bounce pad', tag)
  return Buffer.from(content.map((byte, at) => byte ^ (pad[at] as number)))
}

const bytesToNumber = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`)
const numberToBytes = (number: bigint, length: number) =>
  Buffer.from(number.toString(16).padStart(2 * length, '0'), 'hex')
