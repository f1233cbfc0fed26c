import { createHash, createPublicKey } from 'node:crypto'

/** Reads what a developer pasted: a JWK, a JWK set, or public keys and certificates in PEM. */
export function readKeyText(text: string): { keys: unknown[] } | { problem: 'missing' | 'private' | 'unreadable' } {
  const pasted = text.trim()
  if (pasted === '') return { problem: 'missing' }
  if (isPrivate(pasted)) return { problem: 'private' }
  try {
    const keys = pasted.startsWith('-----') ? blocksOf(pasted).map(jwkOf) : keysIn(JSON.parse(pasted))
    return keys.length > 0 ? { keys } : { problem: 'unreadable' }
  } catch {
    return { problem: 'unreadable' }
  }
}

const keysIn = (json: { keys?: unknown }): unknown[] => (Array.isArray(json.keys) ? json.keys : [json])

/** Whether a text seems to hold a private key, as PEM or as JWK (RFC 7518 §6). */
const isPrivate = (text: string): boolean => /PRIVATE KEY|"(d|k|p|q|dp|dq|qi|oth)"\s*:/.test(text)

/** Returns a pasted text for the page, unless it is a private key, which must not come back in a page. */
export const keptKey = (text: string): { key?: string } =>
  text === '' || isPrivate(text) ? {} : { key: text.slice(0, 2500) }

/** The most blocks that one text may hold; an app has at most twenty keys. */
const mostBlocks = 20

const blocksOf = (pem: string): string[] =>
  (pem.match(/-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g) ?? []).slice(0, mostBlocks)

/** Returns a public key in PEM as a JWK; its kid is the thumbprint (RFC 7638), because PEM has no name. */
function jwkOf(pem: string): Record<string, unknown> {
  const jwk = createPublicKey(pem).export({ format: 'jwk' }) as Record<string, string | undefined>
  const { crv, e, kty, n, x, y } = jwk
  const required = Object.entries({ crv, e, kty, n, x, y }).filter(([, value]) => value !== undefined)
  const kid = createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(required)))
    .digest('base64url')
  return { ...jwk, kid, ...(kty === 'RSA' && { alg: 'PS256' }) }
}
