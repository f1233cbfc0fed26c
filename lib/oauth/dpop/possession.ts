import type { OAuthContext } from '#lib/oauth/context'
import { OAuthError } from '#lib/oauth/error'
import { checkNonce } from './nonce.ts'
import { checkProof, type Proof } from './proof.ts'
import { refuseProof } from './refuse-proof.ts'
import { offerNonce } from './token-proof.ts'

/** A request for a protected resource, and the headers of its answer. */
type ResourceCall = { request: Request; endpoint: string; headers: Record<string, string> }
type Presented = { scheme: 'Bearer' | 'DPoP'; text: string }
type Token = { clientId: string; jkt: string | undefined }

/**
 * Checks that the sender of an access token has the key that the token is bound to (RFC 9449 §7.1). Returns the proof,
 * which the caller records as used (`claimProof`); returns undefined for a bearer token.
 */
export async function checkPossession(
  context: OAuthContext,
  { request, endpoint, headers }: ResourceCall,
  { scheme, text }: Presented,
  { clientId, jkt }: Token,
): Promise<Proof | undefined> {
  if (scheme === 'Bearer' && jkt === undefined) return undefined
  // RFC 9449 §7.2: a bound token is never accepted as a bearer token.
  if (scheme === 'Bearer') throw refuseToken('a token that is bound to a DPoP key was sent as a bearer token')
  if (jkt === undefined) throw refuseToken('a bearer token was sent with the scheme DPoP')
  const client = await context.store.findClient(clientId)
  if (!client) throw refuseToken('the app was disabled')
  offerNonce(context, client, headers)
  const header = request.headers.get('dpop')
  if (header === null) throw refuseProof('the request has no DPoP header')
  const proof = await checkProof(header, { method: request.method, endpoint, accessToken: text, now: context.now() })
  if (proof.jkt !== jkt) throw refuseProof('the proof is of another key than the access token')
  if (client.registration.dpop_nonces) checkNonce(context, proof.nonce)
  return proof
}

const refuseToken = (reason: string) =>
  new OAuthError(
    'invalid_token',
    'Send a token of type DPoP with the scheme DPoP and a proof, and a token of type Bearer with the scheme Bearer.',
    reason,
  )
