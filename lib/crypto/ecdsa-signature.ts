/** The bytes of `r` and of `s` in a P-256 signature. */
const half = 32

// OpenSSL reads and writes ECDSA signatures in DER. Node can convert them (`ieee-p1363`, WebCrypto), but each
// conversion takes 20 µs, as long as the signature itself.

/** Returns an ES256 signature as a JWS holds it (RFC 7518 §3.4): `r` and `s` as 32 bytes each. */
export function fromDer(der: Uint8Array): Buffer {
  const raw = Buffer.alloc(2 * half)
  // SEQUENCE, its length, INTEGER, the length of r, r, INTEGER, the length of s, s. All lengths are below 128.
  const lengthOfR = der[3] as number
  putInteger(raw.subarray(0, half), der.subarray(4, 4 + lengthOfR))
  putInteger(raw.subarray(half), der.subarray(6 + lengthOfR))
  return raw
}

/** Writes a positive DER integer into 32 bytes. The integer may have a leading zero byte, or fewer than 32 bytes. */
function putInteger(place: Buffer, integer: Uint8Array) {
  const digits = integer.subarray(Math.max(0, integer.length - half))
  place.set(digits, half - digits.length)
}

/** Returns the DER form of an ES256 signature of 64 bytes; undefined for another length. */
export function toDer(raw: Uint8Array): Buffer | undefined {
  if (raw.length !== 2 * half) return undefined
  const content = [...integerOf(raw.subarray(0, half)), ...integerOf(raw.subarray(half))]
  return Buffer.from([0x30, content.length, ...content])
}

/**
 * Returns a DER integer without leading zeros, except one zero byte before a first bit of 1, which would mean a
 * negative number.
 */
function integerOf(place: Uint8Array): number[] {
  const first = place.findIndex((byte) => byte !== 0)
  const digits = first === -1 ? [0] : [...place.subarray(first)]
  const padded = (digits[0] as number) >= 0x80 ? [0, ...digits] : digits
  return [0x02, padded.length, ...padded]
}
