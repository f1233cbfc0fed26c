export type ErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'unmet_authentication_requirements'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'invalid_request_uri'
  | 'invalid_request_object'
  | 'temporarily_unavailable'
  | 'server_error'

/** What was sent and what was expected. The app's developers see it, what was sent masked. */
export type ErrorDetail = Record<string, string | number | string[]>

/**
 * A protocol error that ends the request. The client receives its code and a constant description; the exact reason
 * is only in the log and in the app's recent failures (design §9).
 */
export class OAuthError extends Error {
  readonly code: ErrorCode
  readonly description: string
  readonly reason: string
  readonly detail: ErrorDetail
  constructor(code: ErrorCode, description: string, reason = description, detail: ErrorDetail = {}) {
    super(`${code}: ${reason}`)
    this.code = code
    this.description = description
    this.reason = reason
    this.detail = detail
  }
}

/** The description of every refused client authentication that must not say which part is wrong. */
export const authenticationFailed =
  'Client authentication failed. Check the client_id, the credentials and the authentication method.'

/** The HTTP status of each error code (RFC 6749 §5.2, RFC 6750 §3.1); 400 for codes that are not listed. */
const statuses: Partial<Record<ErrorCode, number>> = {
  invalid_client: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  temporarily_unavailable: 503,
  server_error: 500,
}
export const statusOf = (code: ErrorCode) => statuses[code] ?? 400

/** Too many attempts: 429 with OAuth JSON, because client libraries treat a 429 without it as a sign-out. */
export class TooManyAttempts extends OAuthError {
  readonly retryAfter: number
  constructor(retryAfter: number, counted = 'failed attempts') {
    super(
      'temporarily_unavailable',
      `Too many ${counted}. Try again after the time in Retry-After.`,
      `too many ${counted}`,
    )
    this.retryAfter = retryAfter
  }
}
