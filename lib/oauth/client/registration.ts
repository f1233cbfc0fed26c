import type { AuthMethod, IdTokenAlg, SigningAlg } from './profile.ts'

/**
 * The fields that an app may register and that have no column of their own, by their names in RFC 7591. An absent field
 * has its default.
 */
export type Registration = {
  token_endpoint_auth_method?: AuthMethod
  id_token_signed_response_alg?: IdTokenAlg
  /** Whether the ID token has the granted claims of the person too. */
  id_token_claims?: boolean
  require_pushed_authorization_requests?: boolean
  request_object_signing_alg?: SigningAlg
  require_signed_request_object?: boolean
}
