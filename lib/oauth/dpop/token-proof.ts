import { sha256 } from '#lib/crypto/hash'
import type { Client } from '#lib/oauth/client/client'
import { readAuthenticated } from '#lib/oauth/client/client-auth'
import { profileOf } from '#lib/oauth/client/profile'
import type { OAuthContext } from '#lib/oauth/context'
import type { EndpointCall, Parameters } from '#lib/oauth/endpoint'
import { OAuthError } from '#lib/oauth/error'
import { checkNonce, makeNonce } from './nonce.ts'
import { checkProof, type Proof } from './proof.ts'
import { refuseProof } from './refuse-proof.ts'

/** A form, its authenticated app, and the DPoP proof beside it if there is one. */
export type ProvenForm = { form: Parameters; client: Client; proof: Proof | undefined }

/**
 * Reads the form of a request, checks its DPoP proof, and then authenticates its app: a client that must repeat its
 * request with a nonce can send the same assertion again. The caller records the proof as used (`claimProof`).
 */
export async function readProven(
  context: OAuthContext,
  call: EndpointCall,
  known: ReadonlySet<string>,
): Promise<ProvenForm> {
  const read: { proof?: Proof | undefined } = {}
  const { form, client } = await readAuthenticated(context, call, known, async (claimed) => {
    read.proof = await readProof(context, call, claimed)
  })
  return { form, client, proof: read.proof }
}

async function readProof(context: OAuthContext, call: EndpointCall, claimed: Client | undefined) {
  const header = call.request.headers.get('dpop')
  if (claimed) offerNonce(context, claimed, call.headers)
  if (header === null) return undefined
  const endpoint = `${context.issuer}/oauth2/${call.endpoint}`
  const proof = await checkProof(header, { method: call.request.method, endpoint, now: context.now() })
  if (claimed?.registration.dpop_nonces) checkNonce(context, proof.nonce)
  return proof
}

/** Adds a new nonce to the answer, if the app uses nonces (RFC 9449 §8.2). */
export function offerNonce(context: OAuthContext, client: Client, headers: Record<string, string>): void {
  if (client.registration.dpop_nonces) headers['dpop-nonce'] = makeNonce(context)
}

/** Returns whether every access token of an app is bound to a key (RFC 9449 §5.2, FAPI 2.0 §5.3.2.1). */
export const needsProof = ({ profile, registration }: Client): boolean =>
  profileOf(profile).dpopRequired || registration.dpop_bound_access_tokens === true

/** Returns the refusal of a request without a proof where one is required (RFC 9449 §5.2). */
export const proofMissing = (reason: string): OAuthError =>
  new OAuthError('invalid_request', 'A DPoP proof is required. Send it in the header DPoP.', reason)

/**
 * Records that a proof was used; of equal proofs at the same time, exactly one passes (RFC 9449 §11.1). The record
 * outlives the proof by a minute, because the clocks of several servers differ.
 */
export async function claimProof({ store }: OAuthContext, proof: Proof): Promise<void> {
  const { jkt, jti, issuedAt, expiresAt } = proof
  const until = new Date(expiresAt.getTime() + 60_000)
  const isFirst = await store.rememberProof(sha256(`${jkt}\0${jti}`), until, issuedAt)
  if (!isFirst) throw refuseProof('the jti of the proof was used before')
}
