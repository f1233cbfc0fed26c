import { timingSafeEqual } from 'node:crypto'
import { hmac } from '#lib/crypto/hash'
import { decodeBase31, encodeBase31 } from './local-part.ts'

/** The kind of message that bounced: mail to an alias, or a reply from it. */
export type Bounced = { kind: 'forward' | 'reply'; alias: string }
/** `day` is the day (UTC) on which the bounced message was sent. */
export type BouncedOn = Bounced & { day: Date }

/**
 * Returns the token of an envelope sender: 42 opaque characters that need no storage. The content is sealed with its
 * own authenticator as the nonce (a synthetic IV as in RFC 5297), so an alias keeps its token for a day.
 */
export function makeBounceToken({ kind, alias }: Bounced, key: Uint8Array, now: Date): string {
  const name = decodeBase31(alias)
  if (name === undefined || alias.length !== aliasLength) throw new Error('That is not the name of an alias.')
  const plain = numberToBytes((name << 17n) | (BigInt(dayOf(now)) << 1n) | (kind === 'reply' ? 1n : 0n), plainBytes)
  const tag = authenticate(key, plain)
  return encodeBase31(bytesToNumber(Buffer.concat([tag, cover(key, tag, plain)])), tokenLength)
}

/** Opens a token with any of the keys; undefined for an invalid token and for a token older than fourteen days. */
export function readBounceToken(token: string, keys: Uint8Array[], now: Date): BouncedOn | undefined {
  const number = token.length === tokenLength ? decodeBase31(token) : undefined
  if (number === undefined || number >> BigInt(8 * (tagBytes + plainBytes)) !== 0n) return undefined
  const sealed = numberToBytes(number, tagBytes + plainBytes)
  const tag = sealed.subarray(0, tagBytes)
  for (const key of keys) {
    const plain = cover(key, tag, sealed.subarray(tagBytes))
    if (timingSafeEqual(authenticate(key, plain), tag)) return readPlain(bytesToNumber(plain), dayOf(now))
  }
  return undefined
}

const aliasLength = 12
const tagBytes = 16
const plainBytes = 10
const tokenLength = 42
const validDays = 14

function readPlain(plain: bigint, today: number): BouncedOn | undefined {
  const day = Number((plain >> 1n) & 0xffffn)
  const age = today - day
  // The clock of another node may be slightly ahead at midnight.
  if (age < -1 || age > validDays) return undefined
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
