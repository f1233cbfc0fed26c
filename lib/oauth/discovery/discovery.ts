import { openToBrowsers } from '#lib/http/headers'
import { textResponse } from '#lib/http/text-response'
import { prompts, responseModes } from '#lib/oauth/authorize/request'
import { knownScopes, profileScopes } from '#lib/oauth/scope'

export type Site = {
  issuer: string
  uiLocales: readonly string[]
  docsUrl: string | undefined
  privacyUrl: string | undefined
  termsUrl: string | undefined
}

/** The discovery document (OpenID Connect Discovery 1.0 §3, RFC 8414 §2; spec §4.1). */
export const discovery = (site: Site): Response =>
  textResponse(JSON.stringify(describeServer(site)), {
    headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300', ...openToBrowsers },
  })

/** Only names registered with IANA; every endpoint absolute. */
function describeServer(site: Site) {
  const { issuer } = site
  const clientAuthentication = {
    methods: ['client_secret_basic', 'private_key_jwt'],
    algorithms: ['ES256'],
  }
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    jwks_uri: `${issuer}/oauth2/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    introspection_endpoint: `${issuer}/oauth2/introspect`,
    response_types_supported: ['code'],
    response_modes_supported: responseModes,
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['ES256'],
    token_endpoint_auth_methods_supported: [...clientAuthentication.methods, 'none'],
    token_endpoint_auth_signing_alg_values_supported: clientAuthentication.algorithms,
    revocation_endpoint_auth_methods_supported: [...clientAuthentication.methods, 'none'],
    revocation_endpoint_auth_signing_alg_values_supported: clientAuthentication.algorithms,
    introspection_endpoint_auth_methods_supported: clientAuthentication.methods,
    introspection_endpoint_auth_signing_alg_values_supported: clientAuthentication.algorithms,
    code_challenge_methods_supported: ['S256'],
    scopes_supported: knownScopes,
    claims_supported: ['sub', ...profileScopes, 'updated_at', 'email', 'email_verified', ...tokenClaims],
    claim_types_supported: ['normal'],
    acr_values_supported: ['aal1', 'aal2'],
    prompt_values_supported: prompts,
    display_values_supported: ['page'],
    ui_locales_supported: site.uiLocales,
    authorization_response_iss_parameter_supported: true,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    ...(site.docsUrl && { service_documentation: site.docsUrl }),
    ...(site.privacyUrl && { op_policy_uri: site.privacyUrl }),
    ...(site.termsUrl && { op_tos_uri: site.termsUrl }),
  }
}

const tokenClaims = ['iss', 'aud', 'exp', 'iat', 'nonce', 'auth_time', 'acr', 'amr', 'sid']
