import { generateKeyPairSync } from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { sealBytes } from '#lib/crypto/seal'
import type { KeyNeeds, StoredKey } from './store.ts'

/** Makes an ES256 key with a sealed private half; its kid is its thumbprint (RFC 7638). */
export async function makeSigningKey(
  { secrets, now }: Pick<KeyNeeds, 'secrets' | 'now'>,
  generation: number,
  currentFrom: Date,
): Promise<StoredKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' }) as JWK
  const bare = { kty, crv, x, y } as JWK
  const kid = await calculateJwkThumbprint(bare)
  const sealed = await sealBytes(
    secrets.current('signing-key-at-rest'),
    privateKey.export({ format: 'der', type: 'pkcs8' }),
  )
  return {
    kid,
    generation,
    publicJwk: JSON.stringify({ ...bare, kid, alg: 'ES256', use: 'sig' }),
    sealedPrivate: sealed,
    createdAt: now(),
    currentFrom,
    retiredAt: undefined,
    goneAt: undefined,
  }
}
