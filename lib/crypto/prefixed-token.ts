import { crc32 } from 'node:zlib'

/**
 * Returns a token of 240 random bits. Its prefix and checksum let a secret scanner find a leaked token without false
 * alarms, and let the server refuse a mistyped one without a look-up.
 */
export function makePrefixedToken(prefix: string, random: (bytes: number) => Buffer): string {
  const start = prefix + random(30).toString('base64url')
  return start + checksumOf(start)
}

/** Returns whether a text has the form of a token with this prefix: 40 random characters and 6 of a checksum. */
export function isPrefixedToken(prefix: string, text: string): boolean {
  if (text.length !== prefix.length + 46 || !text.startsWith(prefix) || !/^[\w-]+$/.test(text)) return false
  return text.slice(-6) === checksumOf(text.slice(0, -6))
}

function checksumOf(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return bytes.toString('base64url')
}
