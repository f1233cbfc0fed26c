import { type ErrorDetail, OAuthError } from '#lib/oauth/error'

/** Returns the refusal of a DPoP proof (RFC 9449 §5); the exact reason is for the app's developers (design §9). */
export const refuseProof = (reason: string, detail: ErrorDetail = {}): OAuthError =>
  new OAuthError(
    'invalid_dpop_proof',
    'The DPoP proof is invalid. Send one header DPoP, with a new proof for this request.',
    reason,
    detail,
  )
