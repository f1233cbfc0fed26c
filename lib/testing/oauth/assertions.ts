import { type KeyObject, randomUUID } from 'node:crypto'
import { CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose'

/** A key pair of an app of kind "assertion", as the app creates it on its own server (specification §2.5). */
export type AssertionKey = { kid: string; privateKey: CryptoKey; publicJwk: JWK }

export async function makeAssertionKey(kid: string, alg = 'ES256'): Promise<AssertionKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid } }
}

type Header = Record<string, unknown>
type Claims = Record<string, unknown>

/** Signs any claims, or a text in their place, with any header. Undefined values are omitted. */
export function signJwt(
  claims: Claims | string,
  header: Header,
  key: CryptoKey | KeyObject | Uint8Array,
): Promise<string> {
  const content = Buffer.from(typeof claims === 'string' ? claims : JSON.stringify(claims))
  return new CompactSign(content).setProtectedHeader(header as { alg: string }).sign(key)
}

/** Returns the claims of a valid assertion. */
export const assertionClaims = (clientId: string, audience: string, now: Date): Claims => {
  const seconds = Math.floor(now.getTime() / 1000)
  return { iss: clientId, sub: clientId, aud: audience, jti: randomUUID(), iat: seconds, exp: seconds + 120 }
}

/** Returns the form fields of an assertion. */
export const assertionForm = (assertion: string, clientId?: string) => ({
  client_id: clientId,
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: assertion,
})
