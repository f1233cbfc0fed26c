import { createPublicKey } from 'node:crypto'

/** A public key of an app's assertions as it is stored: `jwk` is JSON of the public members only. */
export type PublicKey = { kid: string; jwk: string }

/** Reads a public JWK of EC P-256, or says why it cannot be registered (spec §2.5; RFC 7517; RFC 7518 §6.2). */
export function readPublicKey(jwk: unknown): { ok: true; key: PublicKey } | { ok: false; reason: string } {
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) return refuse('must be a JWK: an object')
  const member = jwk as Record<string, unknown>
  const reason = privateProblem(member) ?? purposeProblem(member) ?? pointProblem(member)
  if (reason) return refuse(reason)
  const kid = member.kid as string
  return {
    ok: true,
    key: {
      kid,
      jwk: JSON.stringify({ kty: 'EC', crv: 'P-256', x: member.x, y: member.y, kid, alg: 'ES256', use: 'sig' }),
    },
  }
}

const refuse = (reason: string) => ({ ok: false, reason }) as const

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'r', 't']

function privateProblem(jwk: Record<string, unknown>): string | undefined {
  const found = privateMembers.filter((name) => Object.hasOwn(jwk, name))
  if (found.length === 0) return undefined
  return `holds a private key (member ${found.join(', ')}): make a new key pair and register only its public key, since this private key is no longer secret`
}

function purposeProblem(jwk: Record<string, unknown>): string | undefined {
  if (jwk.kty !== 'EC') return `has kty ${show(jwk.kty)}; it must be EC`
  if (jwk.crv !== 'P-256') return `has crv ${show(jwk.crv)}; it must be P-256`
  if (jwk.alg !== undefined && jwk.alg !== 'ES256') return `has alg ${show(jwk.alg)}; it must be ES256 or absent`
  if (jwk.use !== undefined && jwk.use !== 'sig') return `has use ${show(jwk.use)}; it must be sig or absent`
  if (jwk.key_ops !== undefined && !(Array.isArray(jwk.key_ops) && jwk.key_ops.includes('verify'))) {
    return `has key_ops ${show(jwk.key_ops)}; it must name verify or be absent`
  }
  if (typeof jwk.kid !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(jwk.kid)) {
    return 'has no usable kid: a name of 1 to 200 printable characters without spaces'
  }
  return undefined
}

function pointProblem(jwk: Record<string, unknown>): string | undefined {
  for (const name of ['x', 'y']) {
    const value = jwk[name]
    // Accepts only the canonical encoding of 32 bytes, so that equal keys are equal text.
    if (
      typeof value !== 'string' ||
      Buffer.from(value, 'base64url').toString('base64url') !== value ||
      value.length !== 43
    ) {
      return `has no usable ${name}: 32 bytes in base64url without padding`
    }
  }
  try {
    createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: jwk.x as string, y: jwk.y as string } })
    return undefined
  } catch {
    return 'is not a point of the curve P-256'
  }
}

const show = (value: unknown) => (value === undefined ? '(none)' : JSON.stringify(value)?.slice(0, 40))
