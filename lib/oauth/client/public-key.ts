import { createPublicKey } from 'node:crypto'
import type { JWK } from 'jose'
import type { SigningAlg } from './profile.ts'

/** A public key of an app as it is stored: `jwk` is JSON of the public members only. */
export type PublicKey = { kid: string; jwk: string }

type KeyType = {
  kty: string
  crv: string | undefined
  algs: readonly SigningAlg[]
  /** Returns why the members that make up the key cannot be used. */
  problem(member: Record<string, unknown>): string | undefined
  /** The members to store, in their order. */
  members: readonly string[]
}

/** The key types of RFC 7518 §6.2 and §6.3 and RFC 8037 §2 that an app may register. */
const keyTypes: readonly KeyType[] = [
  {
    kty: 'EC',
    crv: 'P-256',
    algs: ['ES256'],
    problem: ({ x, y }) => bytesProblem('x', x, 32) ?? bytesProblem('y', y, 32),
    members: ['crv', 'x', 'y'],
  },
  { kty: 'RSA', crv: undefined, algs: ['PS256', 'RS256'], problem: rsaProblem, members: ['n', 'e'] },
  {
    kty: 'OKP',
    crv: 'Ed25519',
    algs: ['EdDSA', 'Ed25519'],
    problem: ({ x }) => bytesProblem('x', x, 32),
    members: ['crv', 'x'],
  },
]

/**
 * Reads a public JWK for one of these algorithms, or says why it cannot be used (specification §2.5; RFC 7517; RFC
 * 7518 §6).
 */
export function readPublicKey(
  jwk: unknown,
  algs: readonly SigningAlg[],
): { ok: true; key: PublicKey } | { ok: false; reason: string } {
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) return refuse('must be a JWK: an object')
  const member = jwk as Record<string, unknown>
  const secret = privateProblem(member)
  if (secret) return refuse(secret)
  const types = keyTypes.filter((type) => type.algs.some((alg) => algs.includes(alg)))
  const type = types.find(({ kty }) => kty === member.kty)
  if (!type) return refuse(`has kty ${show(member.kty)}; it must be ${types.map(({ kty }) => kty).join(' or ')}`)
  const reason = purposeProblem(member, type, algs) ?? type.problem(member) ?? pointProblem(member, type)
  if (reason) return refuse(reason)
  const kid = member.kid as string
  const alg = type.algs.length === 1 ? type.algs[0] : member.alg
  const stored = { kty: type.kty, ...pick(member, type.members), kid, ...(alg !== undefined && { alg }), use: 'sig' }
  return { ok: true, key: { kid, jwk: JSON.stringify(stored) } }
}

/** Returns whether a key verifies signatures of an algorithm (RFC 7517 §4.1, §4.4). */
export function fitsAlg({ kty, alg: registered }: JWK, alg: SigningAlg): boolean {
  const type = keyTypes.find((known) => known.kty === kty)
  if (!type?.algs.includes(alg)) return false
  // For OKP keys, EdDSA and Ed25519 name the same algorithm (RFC 9864 §2.2), so a key with either fits. Other keys fit
  // only the algorithm in their own `alg`: PS256 and RS256 differ.
  return registered === undefined || registered === alg || kty === 'OKP'
}

const refuse = (reason: string) => ({ ok: false, reason }) as const

/** The members of a JWK that hold private or symmetric key material (RFC 7518 §6). */
export const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'r', 't']

function privateProblem(jwk: Record<string, unknown>): string | undefined {
  const found = privateMembers.filter((name) => Object.hasOwn(jwk, name))
  if (found.length === 0) return undefined
  return `holds a private key (member ${found.join(', ')}): make a new key pair and register only its public key, since this private key is no longer secret`
}

function purposeProblem(jwk: Record<string, unknown>, type: KeyType, allowed: readonly SigningAlg[]) {
  if (type.crv !== undefined && jwk.crv !== type.crv) return `has crv ${show(jwk.crv)}; it must be ${type.crv}`
  const algs = type.algs.filter((alg) => allowed.includes(alg))
  if (jwk.alg !== undefined && !algs.some((alg) => alg === jwk.alg))
    return `has alg ${show(jwk.alg)}; it must be ${algs.join(' or ')} or absent`
  if (jwk.use !== undefined && jwk.use !== 'sig') return `has use ${show(jwk.use)}; it must be sig or absent`
  if (jwk.key_ops !== undefined && !(Array.isArray(jwk.key_ops) && jwk.key_ops.includes('verify'))) {
    return `has key_ops ${show(jwk.key_ops)}; it must name verify or be absent`
  }
  if (typeof jwk.kid !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(jwk.kid)) {
    return 'has no usable kid: a name of 1 to 200 printable characters without spaces'
  }
  return undefined
}

/** Accepts only the canonical encoding, so that equal keys are equal text. */
const bytesOf = (value: unknown): Buffer | undefined => {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64url') : undefined
  return bytes?.toString('base64url') === value ? bytes : undefined
}

const bytesProblem = (name: string, value: unknown, length: number): string | undefined =>
  bytesOf(value)?.length === length ? undefined : `has no usable ${name}: ${length} bytes in base64url without padding`

/** RFC 7518 §3.5 requires 2048 bits; a key of more than 4096 bits costs too much to verify. */
function rsaProblem({ n, e }: Record<string, unknown>): string | undefined {
  const modulus = bytesOf(n)
  if (!modulus?.[0]) return 'has no usable n: base64url without padding and without leading zeros'
  const bits = modulus.length * 8 + 24 - Math.clz32(modulus[0])
  if (bits < 2048 || bits > 4096) return `has ${bits} bits; an RSA key must have 2048 to 4096`
  return e === 'AQAB' ? undefined : `has e ${show(e)}; it must be AQAB`
}

function pointProblem(jwk: Record<string, unknown>, { kty, crv, members }: KeyType): string | undefined {
  try {
    createPublicKey({ format: 'jwk', key: { kty, ...pick(jwk, members) } })
    return undefined
  } catch {
    return crv === undefined ? 'is not an RSA key' : `is not a point of the curve ${crv}`
  }
}

const pick = (jwk: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, jwk[name] as string]))

/** Returns a value for a sentence. Writes no list or object: one that nests deeply would exceed the stack. */
function show(value: unknown): string {
  if (value === undefined) return '(none)'
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value).slice(0, 40)
}
