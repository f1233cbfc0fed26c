import { createPublicKey, type KeyObject } from 'node:crypto'
import { sha256 } from '#lib/crypto/hash'
import { privateMembers } from '#lib/oauth/client/public-key'
import { showValue } from '#lib/text/show-value'
import { refuseProof } from './refuse-proof.ts'

/**
 * The algorithms of a DPoP proof, for discovery and challenges. Common clients send `EdDSA`; `Ed25519` is the newer
 * name of that algorithm (RFC 9864 §2.2).
 */
export const proofAlgs = ['ES256', 'PS256', 'EdDSA', 'Ed25519'] as const
export type ProofAlg = (typeof proofAlgs)[number]

/** The public key of a proof; `jkt` is its JWK SHA-256 thumbprint (RFC 9449 §6.1, RFC 7638). */
export type ProofKey = { alg: ProofAlg; key: KeyObject; jkt: string }

/** Reads `alg` and `jwk` of the header of a proof (RFC 9449 §4.2, §4.3 checks 4 to 7). */
export function readProofKey(header: Record<string, unknown>): ProofKey {
  const alg = proofAlgs.find((name) => name === header.alg)
  // Accepts only asymmetric algorithms; refuses `none` and MACs (RFC 9449 §4.3 check 5).
  if (!alg)
    throw refuseProof('alg of the proof is not supported', { alg: showValue(header.alg, 20), algs: [...proofAlgs] })
  const { jwk } = header
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) throw refuseProof('the proof has no jwk')
  const given = jwk as Record<string, unknown>
  if (privateMembers.some((name) => name in given)) throw refuseProof('jwk of the proof holds a private key')
  const publicJwk = publicPartFor(alg, given)
  if (!publicJwk) throw refuseProof('jwk of the proof does not fit its alg')
  try {
    const key = createPublicKey({ key: publicJwk, format: 'jwk' })
    return { alg, key, jkt: sha256(JSON.stringify(publicJwk)) }
  } catch {
    throw refuseProof('jwk of the proof is not a public key')
  }
}

/**
 * Returns the members that make up the key, in the order of its thumbprint (RFC 7638 §3.2, RFC 8037 §2); undefined if
 * the key is of another type than the algorithm needs.
 */
function publicPartFor(alg: ProofAlg, { kty, crv, x, y, n, e }: Record<string, unknown>) {
  if (alg === 'ES256') return kty === 'EC' && crv === 'P-256' && isText(x) && isText(y) ? { crv, kty, x, y } : undefined
  if (alg === 'PS256') return kty === 'RSA' && isText(n) && isModulus(n) && e === 'AQAB' ? { e, kty, n } : undefined
  return kty === 'OKP' && crv === 'Ed25519' && isText(x) ? { crv, kty, x } : undefined
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Accepts RSA keys of 2048 to 4096 bits: smaller ones are weak (RFC 7518 §3.5), larger ones cost too much to verify. */
const isModulus = (n: string): boolean => n.length >= 342 && n.length <= 683
