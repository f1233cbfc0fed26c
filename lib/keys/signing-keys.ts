import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'jose'
import type { DerivedKeys } from '#lib/crypto/derived-keys'
import { toDer } from '#lib/crypto/ecdsa-signature'
import { openSealed } from '#lib/crypto/seal'
import { makeSigningKey } from './make-signing-key.ts'
import type { SigningThread } from './signing-thread.ts'
import { ClosedKeys, type KeyNeeds, type SigningAlgorithm, type StoredKey, signingAlgorithms } from './store.ts'
import { encodeText, signEs256, type TokenPair, withAtHash } from './token-pair.ts'
import { rememberVerified } from './verified-tokens.ts'

type OpenKey = {
  kid: string
  algorithm: SigningAlgorithm
  jwk: JWK
  privateKey: KeyObject
  publicKey: KeyObject
  currentFrom: Date
  /** The encoded headers of the tokens that the key signs, by type. */
  headers: Map<TokenType, string>
}
type PublicKey = Pick<OpenKey, 'kid' | 'algorithm' | 'publicKey'>
type TokenType = 'at+jwt' | 'JWT' | 'logout+jwt' | 'secevent+jwt' | 'token-introspection+jwt'

/** Milliseconds for which loaded keys are used; then a rotation by another process takes effect. */
const staleAfter = 5_000

/**
 * Opens the signing keys, and makes the first one of an algorithm that has none (specification §4.5, design §5). Throws
 * if the master key does not open the stored keys.
 */
export async function openSigningKeys(needs: KeyNeeds, thread: SigningThread | undefined) {
  const fresh = loadWhenStale(needs)
  const known = await fresh()
  const missing = signingAlgorithms.filter((algorithm) => !known.some((key) => key.algorithm === algorithm))
  for (const algorithm of missing)
    await needs.store.insertKey(await makeSigningKey(needs, { algorithm, generation: 1 }, needs.now()))
  if (missing.length > 0) await fresh('now')
  const verified = rememberVerified()
  const signText = async (type: TokenType, claims: string, algorithm: SigningAlgorithm): Promise<string> => {
    const key = currentKey(await fresh(), algorithm, needs.now())
    return signers[algorithm](`${headerOf(key, type)}.${encodeText(claims)}`, key.privateKey)
  }
  return {
    sign: (type: TokenType, claims: object, algorithm: SigningAlgorithm = 'ES256') =>
      signText(type, JSON.stringify(claims), algorithm),
    async beginTokenPair(access: UnsignedToken, id: UnsignedToken): Promise<() => Promise<TokenPair>> {
      const [accessClaims, idClaims] = [JSON.stringify(access.claims), JSON.stringify(id.claims)]
      if (thread && access.algorithm === 'ES256' && id.algorithm === 'ES256') {
        const key = currentKey(await fresh(), 'ES256', needs.now())
        const pair = {
          access: `${headerOf(key, 'at+jwt')}.${encodeText(accessClaims)}`,
          idHeader: headerOf(key, 'JWT'),
          idClaims,
        }
        const collect = thread.begin(pair, key.kid, key.privateKey)
        return async () => collect()
      }
      return async () => {
        const signed = await signText('at+jwt', accessClaims, access.algorithm)
        return { access: signed, id: await signText('JWT', withAtHash(idClaims, signed), id.algorithm) }
      }
    },
    async verify(type: TokenType, token: string): Promise<Record<string, unknown> | undefined> {
      const published = await fresh()
      const known = verified.find(type, token)
      if (known && published.some(({ kid }) => kid === known.kid)) return known.claims
      const read = readToken(published, type, token)
      if (read) verified.keep(type, token, read)
      return read?.claims
    },
    async verifyHint(token: string): Promise<Record<string, unknown> | undefined> {
      const kid = keyIdOf(token)
      if (kid === undefined) return undefined
      const published = await fresh()
      const isPublished = published.some((key) => key.kid === kid)
      // Reads one key: a stranger sends hints too, and years of rotation leave many keys.
      const retired = isPublished ? undefined : await needs.store.findRetired(kid, needs.now())
      return readToken(retired ? [openPublic(retired)] : published, 'JWT', token)?.claims
    },
    published: async () => (await fresh()).map(({ jwk }) => jwk),
  }
}

/**
 * Returns a function that returns the published keys, at most five seconds old, or loaded now. Once they do not open, it
 * rejects until a load finds keys that open: the earlier keys may have leaked, and no probe may report a process as ready.
 */
function loadWhenStale(needs: KeyNeeds) {
  let keys: OpenKey[] | undefined
  let loadedAt = Number.NEGATIVE_INFINITY
  return async (when: 'stale' | 'now' = 'stale'): Promise<OpenKey[]> => {
    const now = needs.now().getTime()
    if (when === 'now' || now - loadedAt >= staleAfter || now < loadedAt) {
      // Set before the load: one request loads, and concurrent ones use the earlier result.
      loadedAt = now
      keys = await load(needs).catch((fault: unknown) => {
        // The database failed; the next request loads again.
        loadedAt = Number.NEGATIVE_INFINITY
        throw fault
      })
    }
    if (keys) return keys
    throw new ClosedKeys(
      'SECRET_KEY does not open the stored signing keys. Start with the key they were sealed with (or give it as SECRET_KEY_PREVIOUS). If it is lost for good, see docs/backup.md.',
    )
  }
}

/**
 * Returns the newest key of an algorithm that may sign now; the next key is published before it may sign. The first key
 * may always sign, because the clock of this process may be behind that of the process that made the key.
 */
function currentKey(keys: OpenKey[], algorithm: SigningAlgorithm, now: Date): OpenKey {
  const family = keys.filter((key) => key.algorithm === algorithm)
  const byTime = family.sort((a, b) => a.currentFrom.getTime() - b.currentFrom.getTime())
  const key = byTime.findLast(({ currentFrom }) => currentFrom <= now) ?? byTime[0]
  if (!key) throw new Error('There is no current signing key.')
  return key
}

/** Returns the encoded header of a token, which is the same for every token of a key and a type. */
function headerOf({ kid, algorithm, headers }: OpenKey, type: TokenType): string {
  const known = headers.get(type) ?? encodeText(JSON.stringify({ alg: algorithm, typ: type, kid }))
  headers.set(type, known)
  return known
}

type UnsignedToken = { claims: object; algorithm: SigningAlgorithm }

type Signer = (content: string, key: KeyObject) => string | Promise<string>
const signInPool = promisify(sign) as (hash: string, content: Buffer, key: KeyObject) => Promise<Buffer>

/**
 * A single ES256 token is signed in the calling thread: that takes 20 to 55 µs, less than to wake another thread and then
 * the event loop.
 */
const signers: Record<SigningAlgorithm, Signer> = {
  ES256: signEs256,
  RS256: async (content, key) =>
    `${content}.${(await signInPool('sha256', Buffer.from(content), key)).toString('base64url')}`,
}

/** The greatest length of a token that is read. */
const longest = 8192

/** Returns the kid that a token names, if it has the form of ours: a thumbprint (RFC 7638). */
function keyIdOf(token: string): string | undefined {
  const { kid } = (token.length <= longest && decode(token.split('.', 1)[0] ?? '')) || {}
  return typeof kid === 'string' && /^[\w-]{43}$/.test(kid) ? kid : undefined
}

/** Returns the claims of a JWT of this type that one of the keys signed; the caller checks its lifetime. */
function readToken(
  keys: PublicKey[],
  type: TokenType,
  token: string,
): { kid: string; claims: Record<string, unknown> } | undefined {
  const [header, payload, signature, ...rest] = token.split('.')
  if (!header || !payload || !signature || rest.length > 0 || token.length > longest) return undefined
  const { alg, typ, kid } = decode(header) ?? {}
  const key = keys.find((known) => known.kid === kid)
  if (!key || alg !== key.algorithm || typ !== type) return undefined
  const bytes = Buffer.from(signature, 'base64url')
  // Several base64url texts decode to the same bytes; only the canonical text was issued.
  if (bytes.toString('base64url') !== signature) return undefined
  const ofKey = alg === 'ES256' ? toDer(bytes) : bytes
  if (!ofKey || !verify('sha256', Buffer.from(`${header}.${payload}`), key.publicKey, ofKey)) return undefined
  const claims = decode(payload)
  return claims && { kid: key.kid, claims }
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Loads the published keys; undefined if the master key does not open all of them. */
async function load({ store, secrets, now }: KeyNeeds): Promise<OpenKey[] | undefined> {
  const keys = (await store.listKeys(now())).map((stored) => openKey(stored, secrets))
  return keys.every((key) => key !== undefined) ? keys : undefined
}

function openKey(stored: StoredKey, secrets: DerivedKeys): OpenKey | undefined {
  const opened = openSealed(secrets.all('signing-key-at-rest'), stored.sealedPrivate)
  if (!opened) return undefined
  return {
    ...openPublic(stored),
    jwk: JSON.parse(stored.publicJwk) as JWK,
    privateKey: createPrivateKey({ key: Buffer.from(opened), format: 'der', type: 'pkcs8' }),
    currentFrom: stored.currentFrom,
    headers: new Map(),
  }
}

const openPublic = ({ kid, algorithm, publicJwk }: StoredKey): PublicKey => ({
  kid,
  algorithm,
  publicKey: createPublicKey({ key: JSON.parse(publicJwk), format: 'jwk' }),
})
