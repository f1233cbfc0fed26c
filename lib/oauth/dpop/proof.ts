import { decodeProtectedHeader } from 'jose'
import { equalText, sha256 } from '#lib/crypto/hash'
import { openJws } from '#lib/crypto/open-jws'
import { showValue } from '#lib/text/show-value'
import { type ProofKey, readProofKey } from './proof-key.ts'
import { refuseProof } from './refuse-proof.ts'
import { isTarget } from './target.ts'

/** The request that a proof must match, and the access token beside it. */
export type ProofFor = { method: string; endpoint: string; accessToken?: string; now: Date }

/** A checked proof. Its jti is not recorded yet. */
export type Proof = {
  /** The thumbprint of the key that signed the proof. */
  jkt: string
  jti: string
  nonce: unknown
  issuedAt: Date
  /** When the proof can no longer be used. */
  expiresAt: Date
}

/**
 * Seconds by which `iat` may be off in both directions. FAPI 2.0 §5.3.2.1 requires that ten seconds in the future are
 * accepted and more than a minute is refused.
 */
const tolerance = 60
const longestProof = 8192
const longestJti = 256

/**
 * Checks a DPoP proof for a request (RFC 9449 §4.3), except its nonce and whether it was used before. Pure: reads and
 * writes no state.
 */
export async function checkProof(header: string, wanted: ProofFor): Promise<Proof> {
  // Node joins repeated header fields with a comma, which no JWT has (check 1).
  if (header.includes(',')) throw refuseProof('more than one DPoP header')
  if (header.length > longestProof || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(header)) throw refuseProof('not a JWT')
  const proofKey = readHeader(header)
  const claims = await verifiedClaims(header, proofKey)
  const { jti, htm, htu } = claims
  if (typeof jti !== 'string' || jti.length < 1 || jti.length > longestJti)
    throw refuseProof(`jti of the proof must have 1 to ${longestJti} characters`)
  if (htm !== wanted.method)
    throw refuseProof('htm of the proof is not the method', { htm: showValue(htm, 20), method: wanted.method })
  if (typeof htu !== 'string' || !isTarget(htu, wanted.endpoint))
    throw refuseProof('htu of the proof is not the endpoint', { htu: showValue(htu, 300), endpoint: wanted.endpoint })
  const iat = checkTimes(claims, Math.floor(wanted.now.getTime() / 1000))
  checkHash(claims.ath, wanted.accessToken)
  const expiresAt = new Date((Math.ceil(iat + tolerance) + 1) * 1000)
  return { jkt: proofKey.jkt, jti, nonce: claims.nonce, issuedAt: new Date(iat * 1000), expiresAt }
}

function readHeader(jwt: string): ProofKey {
  const header = decodedHeader(jwt)
  if (header.typ !== 'dpop+jwt') throw refuseProof('typ of the proof is not dpop+jwt')
  // Extensions change what a signature covers (RFC 7515 §4.1.11, RFC 7797); none is supported.
  if ('crit' in header || 'b64' in header) throw refuseProof('the header of the proof has crit or b64')
  return readProofKey(header)
}

function decodedHeader(jwt: string): Record<string, unknown> {
  try {
    return { ...decodeProtectedHeader(jwt) }
  } catch {
    throw refuseProof('not a JWT')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Returns the claims of a proof that its own key has signed. */
async function verifiedClaims(jwt: string, { key, alg }: ProofKey): Promise<Record<string, unknown>> {
  try {
    const payload = await openJws(jwt, alg, key)
    const claims: unknown = payload && JSON.parse(utf8.decode(payload))
    if (typeof claims === 'object' && claims !== null && !Array.isArray(claims)) return { ...claims }
  } catch {
    // The refusal below also covers content that is no JSON object.
  }
  throw refuseProof('the signature of the proof is wrong, or its claims are not a JSON object')
}

/**
 * Returns when the proof was issued, if its times are valid. Also honours `exp` and `nbf` (RFC 7519 §4.1), which RFC 9449
 * allows.
 */
function checkTimes({ iat, exp, nbf }: Record<string, unknown>, now: number): number {
  if (!isTime(iat)) throw refuseProof('the proof has no iat')
  if (Math.abs(now - iat) > tolerance)
    throw refuseProof(`iat of the proof is more than ${tolerance} seconds off`, { secondsOff: now - iat })
  if (exp !== undefined && !(isTime(exp) && exp > now)) throw refuseProof('the proof is expired')
  if (nbf !== undefined && !(isTime(nbf) && nbf <= now + tolerance)) throw refuseProof('nbf of the proof is to come')
  return iat
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** `ath` is the hash of the access token that the request presents (RFC 9449 §4.3 check 12, §7.1). */
function checkHash(ath: unknown, accessToken: string | undefined) {
  if (accessToken === undefined) return
  if (typeof ath !== 'string' || !equalText(ath, sha256(accessToken)))
    throw refuseProof('ath of the proof is not the hash of the access token')
}
