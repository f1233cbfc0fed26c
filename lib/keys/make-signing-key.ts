import { generateKeyPairSync } from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { sealBytes } from '#lib/crypto/seal'
import type { KeyNeeds, SigningAlgorithm, StoredKey } from './store.ts'

/** Makes a key with a sealed private half; its kid is its thumbprint (RFC 7638). */
export async function makeSigningKey(
  { secrets, now }: Pick<KeyNeeds, 'secrets' | 'now'>,
  { algorithm, generation }: Pick<StoredKey, 'algorithm' | 'generation'>,
  currentFrom: Date,
): Promise<StoredKey> {
  const { privateKey, publicKey } = keyPairs[algorithm]()
  const bare = publicKey.export({ format: 'jwk' }) as JWK
  const kid = await calculateJwkThumbprint(bare)
  const sealed = sealBytes(secrets.current('signing-key-at-rest'), privateKey.export({ format: 'der', type: 'pkcs8' }))
  return {
    kid,
    algorithm,
    generation,
    publicJwk: JSON.stringify({ ...bare, kid, alg: algorithm, use: 'sig' }),
    sealedPrivate: sealed,
    createdAt: now(),
    currentFrom,
    retiredAt: undefined,
    goneAt: undefined,
  }
}

const keyPairs: Record<SigningAlgorithm, () => ReturnType<typeof generateKeyPairSync>> = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
}
