import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import { random } from './random.ts'

/** The first half of the key authenticates, and the second half encrypts (RFC 7518 §5.2.2.1, §5.2.5). */
const half = 32
const header = { alg: 'dir', enc: 'A256CBC-HS512' } as const

type Halves = { authentication: KeyObject; encryption: KeyObject }
const halvesByKey = new WeakMap<Uint8Array, Halves>()

/**
 * Returns the halves of a key, made once: Node needs 30 µs to take bytes as a key, and 3 µs for a key object. So the bytes of
 * a key must not change.
 */
function halvesOf(key: Uint8Array): Halves {
  const known = halvesByKey.get(key)
  if (known) return known
  const [authentication, encryption] = [createSecretKey(key.subarray(0, half)), createSecretKey(key.subarray(half))]
  const halves = { authentication, encryption }
  halvesByKey.set(key, halves)
  return halves
}

/**
 * Encrypts and authenticates bytes with a 64-byte key (JWE compact serialization, RFC 7516 §5.1, §7.1); `typ` stays
 * readable. Takes microseconds, so it runs on the calling thread: handing the work to another thread would take longer.
 */
export function sealBytes(key: Uint8Array, content: Uint8Array, typ?: string): string {
  const protectedHeader = protectedHeaderOf(typ)
  const iv = random(16)
  const cipher = createCipheriv('aes-256-cbc', halvesOf(key).encryption, iv)
  const text = Buffer.concat([cipher.update(content), cipher.final()])
  const parts = [iv, text, tagOf(key, protectedHeader, iv, text)].map((part) => part.toString('base64url'))
  return [protectedHeader, '', ...parts].join('.')
}

const protectedHeaders = new Map<string, string>()

/** Returns the encoded header of a type, which is encoded once: types are the purposes of keys. */
function protectedHeaderOf(typ = ''): string {
  const known = protectedHeaders.get(typ)
  if (known !== undefined) return known
  const encoded = Buffer.from(JSON.stringify({ ...header, ...(typ && { typ }) })).toString('base64url')
  protectedHeaders.set(typ, encoded)
  return encoded
}

/** Opens a text that was sealed with one of the keys; undefined for any other text. */
export function openSealed(keys: Uint8Array[], sealed: string): Uint8Array | undefined {
  const [protectedHeader = '', encryptedKey, ...parts] = sealed.split('.', 6)
  if (encryptedKey !== '' || parts.length !== 3 || !isOurs(protectedHeader)) return undefined
  const [iv, text, tag] = parts.map(decode)
  if (!iv || !text || !tag) return undefined
  for (const key of keys) {
    const expected = tagOf(key, protectedHeader, iv, text)
    if (expected.length !== tag.length || !timingSafeEqual(expected, tag)) continue
    const decipher = createDecipheriv('aes-256-cbc', halvesOf(key).encryption, iv)
    return Buffer.concat([decipher.update(text), decipher.final()])
  }
  return undefined
}

/** Returns the `typ` that a sealed text claims to have, without opening it. */
export function claimedType(sealed: string): string | undefined {
  const end = sealed.indexOf('.')
  const typ = end > 0 ? readHeader(sealed.slice(0, end))?.typ : undefined
  return typeof typ === 'string' ? typ : undefined
}

/** RFC 7518 §5.2.2.1: HMAC over the header, the IV, the text and the length of the header in bits, cut to half. */
function tagOf(key: Uint8Array, protectedHeader: string, iv: Buffer, text: Buffer): Buffer {
  const bits = Buffer.alloc(8)
  bits.writeUInt32BE(protectedHeader.length * 8, 4)
  const hmac = createHmac('sha512', halvesOf(key).authentication).update(protectedHeader, 'latin1')
  return hmac.update(iv).update(text).update(bits).digest().subarray(0, half)
}

/**
 * Decodes base64url; undefined for a spelling that an encoder would not write. Otherwise several texts would open as the
 * same value.
 */
function decode(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url')
  return bytes.toString('base64url') === part ? bytes : undefined
}

function isOurs(protectedHeader: string): boolean {
  const { alg, enc, ...more } = readHeader(protectedHeader) ?? {}
  return alg === header.alg && enc === header.enc && Object.keys(more).every((name) => name === 'typ')
}

function readHeader(protectedHeader: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(protectedHeader, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
