import { openToBrowsers } from '#lib/http/headers'
import { textResponse } from '#lib/http/lean'
import { contextClasses } from '#lib/oauth/authorize/context-class'
import { prompts } from '#lib/oauth/authorize/request'
import { inAnyProfile, type Profile } from '#lib/oauth/client/profile'
import { proofAlgs } from '#lib/oauth/dpop/proof-key'
import { knownScopes, profileScopes } from '#lib/oauth/scope'

export type DiscoverySettings = {
  issuer: string
  uiLocales: readonly string[]
  /** Whether programs can register apps: not while the operator alone makes teams. */
  teams: 'open' | 'invite' | 'off'
  docsUrl: string | undefined
  privacyUrl: string | undefined
  termsUrl: string | undefined
}

/** Answers with the discovery document (OpenID Connect Discovery 1.0 §3, RFC 8414 §2; specification §4.1). */
export const discovery = (settings: DiscoverySettings): Response =>
  textResponse(JSON.stringify(describeServer(settings)), {
    headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300', ...openToBrowsers },
  })

/** Each list has the values that at least one app profile supports. Uses only members that IANA has registered. */
function describeServer(settings: DiscoverySettings) {
  const { issuer } = settings
  const clientAuthentication = {
    methods: inAnyProfile(({ authMethods }) => [...authMethods.confidential, ...authMethods.assertion]),
    algorithms: inAnyProfile(({ assertionAlgs }) => assertionAlgs),
  }
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    jwks_uri: `${issuer}/oauth2/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    introspection_endpoint: `${issuer}/oauth2/introspect`,
    // RP-Initiated Logout 1.0 §2.1.
    end_session_endpoint: `${issuer}/oauth2/logout`,
    pushed_authorization_request_endpoint: `${issuer}/oauth2/par`,
    require_pushed_authorization_requests: false,
    // RFC 8414 §2, OpenID Connect Discovery 1.0 §3.
    ...(settings.teams !== 'off' && { registration_endpoint: `${issuer}/register` }),
    response_types_supported: ['code'],
    response_modes_supported: inAnyProfile(({ responseModes }) => responseModes),
    authorization_signing_alg_values_supported: inAnyProfile(authorizationAlgs),
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: inAnyProfile(({ idTokenAlgs }) => idTokenAlgs),
    token_endpoint_auth_methods_supported: [...clientAuthentication.methods, 'none'],
    token_endpoint_auth_signing_alg_values_supported: clientAuthentication.algorithms,
    revocation_endpoint_auth_methods_supported: [...clientAuthentication.methods, 'none'],
    revocation_endpoint_auth_signing_alg_values_supported: clientAuthentication.algorithms,
    introspection_endpoint_auth_methods_supported: clientAuthentication.methods,
    introspection_endpoint_auth_signing_alg_values_supported: clientAuthentication.algorithms,
    introspection_signing_alg_values_supported: inAnyProfile(({ idTokenAlgs }) => idTokenAlgs),
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: proofAlgs,
    scopes_supported: knownScopes,
    claims_supported: ['sub', ...profileScopes, 'updated_at', 'email', 'email_verified', ...tokenClaims],
    claim_types_supported: ['normal'],
    acr_values_supported: contextClasses,
    prompt_values_supported: prompts,
    display_values_supported: ['page'],
    ui_locales_supported: settings.uiLocales,
    authorization_response_iss_parameter_supported: true,
    claims_parameter_supported: inAnyProfile(({ claimsParameter }) => [claimsParameter]).includes(true),
    // Back-Channel Logout 1.0 §2.1.
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    request_parameter_supported: true,
    request_object_signing_alg_values_supported: inAnyProfile(({ requestObjectAlgs }) => requestObjectAlgs),
    request_uri_parameter_supported: false,
    ...pagesOf(settings),
  }
}

const pagesOf = ({ docsUrl, privacyUrl, termsUrl }: DiscoverySettings) => ({
  ...(docsUrl && { service_documentation: docsUrl }),
  ...(privacyUrl && { op_policy_uri: privacyUrl }),
  ...(termsUrl && { op_tos_uri: termsUrl }),
})

const authorizationAlgs = ({ idTokenAlgs, responseModes }: Profile) =>
  responseModes.includes('jwt') ? idTokenAlgs : []

const tokenClaims = ['iss', 'aud', 'exp', 'iat', 'nonce', 'auth_time', 'acr', 'amr', 'sid']
