import { constants, type KeyLike, type KeyObject, type VerifyKeyObjectInput, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { toDer } from './ecdsa-signature.ts'

type Verify = (
  hash: string | null,
  content: Buffer,
  key: KeyLike | VerifyKeyObjectInput,
  by: Buffer,
) => Promise<boolean>
const verifyInPool = promisify(verify) as Verify

/** Checks a signature with a key of the algorithm's type (RFC 7518 §3.4, §3.5; RFC 8037 §3.1). */
const verifiers = {
  ES256: async (content: Buffer, key: KeyObject, signature: Buffer) => {
    const der = toDer(signature)
    return der !== undefined && verifyInPool('sha256', content, key, der)
  },
  // OpenSSL accepts a signature without its leading zero bytes; RFC 8017 §8.1.2 step 1 does not.
  PS256: async (content: Buffer, key: KeyObject, signature: Buffer) =>
    signature.length === Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8) &&
    verifyInPool('sha256', content, { key, ...pss }, signature),
  EdDSA: (content: Buffer, key: KeyObject, signature: Buffer) => verifyInPool(null, content, key, signature),
  Ed25519: (content: Buffer, key: KeyObject, signature: Buffer) => verifyInPool(null, content, key, signature),
}

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }

/**
 * Returns the payload of a JWS in the compact form if the key has signed it, else undefined. The caller must first
 * check the header, and that the type of the key fits the algorithm.
 */
export async function openJws(jws: string, alg: keyof typeof verifiers, key: KeyObject): Promise<Buffer | undefined> {
  const [header, payload, signature, ...rest] = jws.split('.')
  if (!header || payload === undefined || !signature || rest.length > 0) return undefined
  const content = Buffer.from(`${header}.${payload}`)
  const isSigned = await verifiers[alg](content, key, Buffer.from(signature, 'base64url'))
  return isSigned ? Buffer.from(payload, 'base64url') : undefined
}
