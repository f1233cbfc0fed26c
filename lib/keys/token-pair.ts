import { type KeyObject, sign } from 'node:crypto'
import { fromDer } from '#lib/crypto/ecdsa-signature'
import { halfHash } from '#lib/crypto/hash'

/** An access token and an ID token before they are signed. */
export type UnsignedPair = {
  /** The encoded header and claims of the access token. */
  access: string
  /** The encoded header of the ID token. */
  idHeader: string
  /** The JSON of the ID token's claims, at least one, without at_hash. */
  idClaims: string
}
export type TokenPair = { access: string; id: string }

/** Signs a pair with ES256. */
export function signPair({ access, idHeader, idClaims }: UnsignedPair, key: KeyObject): TokenPair {
  const signed = signEs256(access, key)
  return { access: signed, id: signEs256(`${idHeader}.${encodeText(withAtHash(idClaims, signed))}`, key) }
}

/** Returns the JSON of an ID token's claims with `at_hash`. */
export const withAtHash = (claims: string, accessToken: string): string =>
  `${claims.slice(0, -1)},"at_hash":"${halfHash(accessToken)}"}`

/** Returns the JWS of an encoded header and encoded claims. */
export const signEs256 = (content: string, key: KeyObject): string =>
  `${content}.${fromDer(sign('sha256', Buffer.from(content), key)).toString('base64url')}`

export const encodeText = (text: string): string => Buffer.from(text).toString('base64url')
