import type { AuthMethod, IdTokenAlg, SigningAlg } from './profile.ts'

/**
 * The fields that an app may register and that have no column of their own, by the names that IANA lists
 * (RFC 7591 §4.1) where there is one. An absent field has its default.
 */
export type Registration = {
  /** The name in a language (RFC 7591 §2.2: `client_name#ja`). */
  'name#en'?: string
  'name#zh-CN'?: string
  'name#zh-TW'?: string
  'name#ja'?: string
  /** Where the app receives logout tokens (Back-Channel Logout 1.0 §2.2). */
  backchannel_logout_uri?: string
  /** Whether the app needs `sid` in logout tokens; they always have it. */
  backchannel_logout_session_required?: boolean
  /** Where the app publishes its public keys, in addition to the registered ones. */
  jwks_uri?: string
  token_endpoint_auth_method?: AuthMethod
  id_token_signed_response_alg?: IdTokenAlg
  /** The algorithm of signed authorization responses (JARM §3). */
  authorization_signed_response_alg?: IdTokenAlg
  /** The algorithm of signed introspection answers (RFC 9701 §6); absent for plain JSON. */
  introspection_signed_response_alg?: IdTokenAlg
  /** Whether the ID token has the granted claims of the person too. */
  id_token_claims?: boolean
  post_logout_redirect_uris?: string[]
  require_pushed_authorization_requests?: boolean
  request_object_signing_alg?: SigningAlg
  require_signed_request_object?: boolean
  /** Whether every token request needs a DPoP proof (RFC 9449 §5.2). */
  dpop_bound_access_tokens?: boolean
  /** Whether proofs need a nonce of this server (RFC 9449 §8, §9). The name is Postern's own; IANA has none. */
  dpop_nonces?: boolean
  /** The lifetime of DPoP-bound access tokens of a public app, in seconds. The name is Postern's own. */
  dpop_access_token_seconds?: number
}
