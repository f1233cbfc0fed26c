import { createHash, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { sealBytes } from '#lib/crypto/seal'
import type { MailKeyAlgorithm, MailKeyNeeds, NewMailKey } from './store.ts'

const generate = promisify(generateKeyPair)

/**
 * Creates a pair of DKIM keys: RSA-2048 for all verifiers, Ed25519 for those that support it (RFC 8301, RFC 8463).
 */
export async function makeMailKeys(
  { secrets, now }: Pick<MailKeyNeeds, 'secrets' | 'now'>,
  generation: number,
  currentFrom: Date | undefined,
): Promise<NewMailKey[]> {
  // Off the main thread, because generating an RSA key takes long.
  const rsa = await generate('rsa', { modulusLength: 2048 })
  const ed25519 = await generate('ed25519')
  const createdAt = now()
  const seal = async (algorithm: MailKeyAlgorithm, { privateKey, publicKey }: Pair) => {
    const published = publish[algorithm](publicKey)
    const content = privateKey.export({ format: 'der', type: 'pkcs8' })
    const sealedPrivate = sealBytes(secrets.current('mail-key-at-rest'), content)
    const about = { algorithm, generation, createdAt, currentFrom }
    return { ...about, selector: selectorOf(algorithm, published), publicKey: published, sealedPrivate }
  }
  return [await seal('rsa', rsa), await seal('ed25519', ed25519)]
}

type Pair = { privateKey: KeyObject; publicKey: KeyObject }

/** Returns the `p=` value: the whole structure of an RSA key, the bare 32 bytes of an Ed25519 key (RFC 8463 §4). */
const publish: Record<MailKeyAlgorithm, (key: KeyObject) => string> = {
  rsa: (key) => key.export({ format: 'der', type: 'spki' }).toString('base64'),
  ed25519: (key) => Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64'),
}

/** A selector derived from the key: even after a restore, no selector in DNS or a cache ever names two keys. */
const selectorOf = (algorithm: MailKeyAlgorithm, published: string) =>
  `${algorithm}-${createHash('sha256').update(published).digest('hex').slice(0, 12)}`
