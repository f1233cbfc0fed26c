import { equalText, isSha256, sha256 } from '#lib/crypto/hash'

/** Specification §2.1, RFC 7636 §4.1: 43 to 128 unreserved characters. */
export const isVerifier = (text: string) => /^[A-Za-z0-9\-._~]{43,128}$/.test(text)

/** Returns whether a text has the form of an S256 challenge (RFC 7636 §4.2). */
export const isChallenge = isSha256

/** Returns whether the challenge is the S256 hash of the verifier (RFC 7636 §4.6). */
export function verifierMatches(verifier: string, challenge: string): boolean {
  return isVerifier(verifier) && equalText(sha256(verifier), challenge)
}
