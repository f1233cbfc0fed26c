import { equalText, sha256 } from '#lib/crypto/hash'

/** Specification §2.1, RFC 7636 §4.1: 43 to 128 unreserved characters. */
export const isVerifier = (text: string) => /^[A-Za-z0-9\-._~]{43,128}$/.test(text)

/** A base64url SHA-256: 43 characters, the last of which carries four bits (RFC 7636 §4.2). */
export const isChallenge = (text: string) => /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(text)

/** Returns whether the challenge is the S256 hash of the verifier (RFC 7636 §4.6). */
export function verifierMatches(verifier: string, challenge: string): boolean {
  return isVerifier(verifier) && equalText(sha256(verifier), challenge)
}
