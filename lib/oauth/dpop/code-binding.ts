import { isSha256 } from '#lib/crypto/hash'
import type { Parameters } from '#lib/oauth/endpoint'
import { OAuthError } from '#lib/oauth/error'
import type { Proof } from './proof.ts'

/** Reads the thumbprint of the key that an authorization request binds its code to (RFC 9449 §10). */
export function readThumbprint(parameters: Parameters): string | undefined {
  const thumbprint = parameters.get('dpop_jkt')
  if (thumbprint !== undefined && !isSha256(thumbprint))
    throw new OAuthError('invalid_request', 'The dpop_jkt must be the base64url-encoded SHA-256 thumbprint of a JWK.')
  return thumbprint
}

/** Binds a pushed request to the key of its proof, as `dpop_jkt` does; the two must agree (RFC 9449 §10.1). */
export function bindPushed(parameters: Parameters, proof: Proof | undefined): Parameters {
  if (!proof) return parameters
  const named = parameters.get('dpop_jkt')
  if (named !== undefined && named !== proof.jkt)
    throw new OAuthError('invalid_request', 'The dpop_jkt must be the thumbprint of the key of the DPoP proof.')
  return new Map([...parameters, ['dpop_jkt', proof.jkt]])
}
