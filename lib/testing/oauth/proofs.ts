import { randomUUID } from 'node:crypto'
import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import { sha256 } from '#lib/crypto/hash'

/** A key pair of a client that proves possession (RFC 9449). */
export type ProofPair = { alg: string; privateKey: CryptoKey; publicJwk: JWK; privateJwk: JWK; jkt: string }

export async function makeProofPair(alg = 'ES256'): Promise<ProofPair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const publicJwk = await exportJWK(publicKey)
  const jkt = await calculateJwkThumbprint(publicJwk)
  return { alg, privateKey, publicJwk, privateJwk: await exportJWK(privateKey), jkt }
}

type Members = Record<string, unknown>
export type ProofChange = {
  method?: string
  accessToken?: string
  nonce?: string
  at?: Date
  header?: Members
  claims?: Members
}

/** Signs a proof for a request; undefined members are omitted. */
export function signProof(pair: ProofPair, htu: string, change: ProofChange = {}): Promise<string> {
  const { method = 'POST', accessToken, nonce, at = new Date(), header, claims } = change
  const content = {
    jti: randomUUID(),
    htm: method,
    htu,
    iat: Math.floor(at.getTime() / 1000),
    nonce,
    ath: accessToken && sha256(accessToken),
    ...claims,
  }
  return new CompactSign(Buffer.from(JSON.stringify(content)))
    .setProtectedHeader({ typ: 'dpop+jwt', alg: pair.alg, jwk: pair.publicJwk, ...header } as { alg: string })
    .sign(pair.privateKey)
}
