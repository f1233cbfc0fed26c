import { exportJWK, type GenerateKeyPairResult, SignJWT } from 'jose'
import { sha256 } from '#lib/crypto/hash'
import type { Client } from '#lib/oauth/client/client'
import type { OAuthContext } from '#lib/oauth/context'
import { makeNonce } from '#lib/oauth/dpop/nonce'

export type ProofKey = GenerateKeyPairResult

/** Makes the DPoP proof that an app sends with a request (RFC 9449 §4.2); its key exists for one trial. */
export async function makeProof(
  oauth: OAuthContext,
  { registration }: Client,
  { privateKey, publicKey }: ProofKey,
  { method, endpoint, accessToken }: { method: string; endpoint: string; accessToken?: string },
): Promise<string> {
  const claims = {
    jti: oauth.random(16).toString('base64url'),
    htm: method,
    htu: endpoint,
    iat: Math.floor(oauth.now().getTime() / 1000),
    ...(accessToken !== undefined && { ath: sha256(accessToken) }),
    ...(registration.dpop_nonces && { nonce: makeNonce(oauth) }),
  }
  const jwk = await exportJWK(publicKey)
  return new SignJWT(claims).setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk }).sign(privateKey)
}
