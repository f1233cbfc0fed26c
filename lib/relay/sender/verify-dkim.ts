import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type BodyHasher, DkimVerifier, type SignatureResult } from 'mailauth/lib/dkim/dkim-verifier.js'
import type { Resolver } from '#lib/relay/dns/resolver'
import { type HeaderField, readFields, writeFields } from '#lib/relay/mime/header-fields'

/** `dkimBodyHash` is the relaxed body hash computed on arrival. */
export type SignedMessage = { head: Buffer; dkimBodyHash: string; body(): Readable }

/**
 * Returns mailauth's results for the first few signatures (RFC 6376). The sender of a message chooses the cost of
 * verification, so the body is read at most once, for the simple canonicalization. ARC chains are ignored.
 */
export async function verifyDkim(
  { head, dkimBodyHash, body }: SignedMessage,
  { resolver, now }: { resolver: Resolver; now: Date },
): Promise<SignatureResult[]> {
  const fields = withFewerSignatures(head)
  if (!fields.some(isSignature)) return []
  const rules = { rejectRsaSha1: true, minBitLength: 1024, curTime: now, resolver }
  const verifier = new Verifier(rules, dkimBodyHash)
  const headRead = new Promise<void>((resolve, reject) => {
    verifier.write(writeFields(fields), (fault) => (fault ? reject(fault) : resolve()))
  })
  await Promise.race([headRead, once(verifier, 'error').then(([fault]) => Promise.reject(fault))])
  if (verifier.readsBody) await pipeline(body(), verifier)
  else await pipeline([], verifier)
  return verifier.results
}

const mostSignatures = 5
/**
 * The maximum length of a signature in characters; real signatures have less than half as many. mailauth's cost grows
 * with the square of the length.
 */
const largestSignature = 4096
const mostNames = 200
/**
 * The maximum number of lines of a field, because the cost is quadratic in the number of lines too. A field with more
 * lines is left out, and a signature over it fails.
 */
const mostLines = 500

const isSignature = ({ name }: { name: string }) => name === 'dkim-signature'

const isModest = ({ raw }: HeaderField) => raw.length <= largestSignature && raw.split(':').length <= mostNames

function withFewerSignatures(head: Buffer) {
  let signatures = 0
  return readFields(head).filter((field) => {
    if (isSignature(field)) signatures += 1
    if (field.name.startsWith('arc-') || field.raw.split('\n').length > mostLines) return false
    return !isSignature(field) || (signatures <= mostSignatures && isModest(field))
  })
}

class Verifier extends DkimVerifier {
  readonly #relaxed: string

  constructor(options: object, relaxed: string) {
    super(options)
    this.#relaxed = relaxed
  }

  /** Body hashes with l= or SHA-1 are not computed, so these signatures never pass. */
  override addBodyHash(canonicalization: string, algorithm: string, length: number | ''): string {
    const counts = length === '' && algorithm === 'sha256'
    if (counts && canonicalization === 'simple') return super.addBodyHash(canonicalization, algorithm, length)
    const key = counts ? 'relaxed' : 'none'
    this.bodyHashes.set(key, known(counts ? this.#relaxed : ''))
    return key
  }

  get readsBody(): boolean {
    return [...this.bodyHashes.keys()].some((key) => key.startsWith('simple:'))
  }
}

const known = (hash: string): BodyHasher => ({
  update: () => undefined,
  digest: () => hash,
  setContentType: () => undefined,
  getMimeStructureStart: () => undefined,
})
