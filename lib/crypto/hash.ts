import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto'

/** Returns the SHA-256 in base64url, the stored form of every high-entropy secret. */
export const sha256 = (content: string | Uint8Array): string => hash('sha256', content, 'base64url')

/** Returns whether a text has the form of `sha256`: 43 characters of base64url, the last of which carries four bits. */
export const isSha256 = (text: string): boolean => /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(text)

/** Compares two texts in constant time. */
export function equalText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

const prepared = new WeakMap<Uint8Array, KeyObject>()

/**
 * Returns the HMAC-SHA-256 of the parts, separated by NUL (RFC 2104). Caches a key object for each key, because Node
 * uses an object five times as fast as raw bytes.
 */
export function hmac(key: Uint8Array, ...parts: (string | Uint8Array)[]): Buffer {
  let secret = prepared.get(key)
  if (!secret) {
    secret = createSecretKey(key)
    prepared.set(key, secret)
  }
  return createHmac('sha256', secret).update(joined(parts)).digest()
}

const joined = (parts: (string | Uint8Array)[]): string | Buffer =>
  parts.every((part) => typeof part === 'string')
    ? parts.join('\0')
    : Buffer.concat(parts.flatMap((part, at) => [Buffer.from(at === 0 ? '' : '\0'), Buffer.from(part as string)]))
