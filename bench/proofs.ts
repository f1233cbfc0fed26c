import { createHash, createPrivateKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { fromDer } from '#lib/crypto/ecdsa-signature'

/** The private key of an app that proves possession (RFC 9449), as a JWK. */
export type ProofKey = { kty: string; crv: string; x: string; y: string; d: string }

export function makeProofKey(): ProofKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ format: 'jwk' }) as ProofKey
}

/** Returns a function that signs a DPoP proof for a request, with the hash of the access token if there is one. */
export function proofSigner({ d, ...jwk }: ProofKey, method: string, url: string) {
  const key = createPrivateKey({ key: { ...jwk, d }, format: 'jwk' })
  const header = encode({ typ: 'dpop+jwt', alg: 'ES256', jwk })
  return (accessToken?: string): string => {
    const ath = accessToken === undefined ? {} : { ath: createHash('sha256').update(accessToken).digest('base64url') }
    const claims = { jti: randomUUID(), htm: method, htu: url, iat: Math.floor(Date.now() / 1000), ...ath }
    const content = `${header}.${encode(claims)}`
    return `${content}.${fromDer(sign('sha256', Buffer.from(content), key)).toString('base64url')}`
  }
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
