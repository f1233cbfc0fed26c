import { afterEach, describe, expect, it } from 'vitest'
import { preflight } from '#lib/http/headers'
import { getTokens } from '#lib/testing/oauth/get-tokens'
import { acme, type Options, openPostern, type Postern } from '#lib/testing/process/postern'
import { discovery } from './discovery.ts'

const opened: Postern[] = []
afterEach(async () => {
  for (const postern of opened.splice(0)) await postern.close()
})

async function setUp(options: Options = {}) {
  const postern = await openPostern({ provision: { ...acme, people: acme.people.slice(0, 1) }, ...options })
  opened.push(postern)
  const { context } = postern
  return { postern, context, discover: async () => (await discovery(context.discovery)).json() }
}

/** IANA's "OAuth Authorization Server Metadata", which includes the OpenID Provider names. */
const registered = `issuer authorization_endpoint token_endpoint jwks_uri registration_endpoint scopes_supported
  response_types_supported response_modes_supported grant_types_supported token_endpoint_auth_methods_supported
  token_endpoint_auth_signing_alg_values_supported service_documentation ui_locales_supported op_policy_uri op_tos_uri
  revocation_endpoint revocation_endpoint_auth_methods_supported revocation_endpoint_auth_signing_alg_values_supported
  introspection_endpoint introspection_endpoint_auth_methods_supported
  introspection_endpoint_auth_signing_alg_values_supported code_challenge_methods_supported signed_metadata
  device_authorization_endpoint tls_client_certificate_bound_access_tokens mtls_endpoint_aliases
  nfv_token_signing_alg_values_supported nfv_token_encryption_alg_values_supported
  nfv_token_encryption_enc_values_supported userinfo_endpoint acr_values_supported subject_types_supported
  id_token_signing_alg_values_supported id_token_encryption_alg_values_supported
  id_token_encryption_enc_values_supported userinfo_signing_alg_values_supported
  userinfo_encryption_alg_values_supported userinfo_encryption_enc_values_supported
  request_object_signing_alg_values_supported request_object_encryption_alg_values_supported
  request_object_encryption_enc_values_supported display_values_supported claim_types_supported claims_supported
  claims_locales_supported claims_parameter_supported request_parameter_supported request_uri_parameter_supported
  require_request_uri_registration require_signed_request_object pushed_authorization_request_endpoint
  require_pushed_authorization_requests introspection_signing_alg_values_supported
  introspection_encryption_alg_values_supported introspection_encryption_enc_values_supported
  authorization_response_iss_parameter_supported check_session_iframe frontchannel_logout_supported
  backchannel_logout_supported backchannel_logout_session_supported end_session_endpoint
  backchannel_token_delivery_modes_supported backchannel_authentication_endpoint
  backchannel_authentication_request_signing_alg_values_supported backchannel_user_code_parameter_supported
  dpop_signing_alg_values_supported authorization_signing_alg_values_supported
  authorization_encryption_alg_values_supported authorization_encryption_enc_values_supported
  prompt_values_supported frontchannel_logout_session_supported authorization_details_types_supported
  protected_resources client_id_metadata_document_supported`.split(/\s+/)

describe('the discovery document', () => {
  it('names the exact issuer, absolute endpoints and their features', async () => {
    const { discover, context } = await setUp()
    const { issuer } = context.config
    expect(await discover()).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/oauth2/authorize`,
      token_endpoint: `${issuer}/oauth2/token`,
      jwks_uri: `${issuer}/oauth2/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      revocation_endpoint: `${issuer}/oauth2/revoke`,
      introspection_endpoint: `${issuer}/oauth2/introspect`,
      end_session_endpoint: `${issuer}/oauth2/logout`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      subject_types_supported: ['pairwise'],
      token_endpoint_auth_signing_alg_values_supported: ['ES256', 'PS256', 'EdDSA', 'Ed25519'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      request_parameter_supported: true,
      request_uri_parameter_supported: false,
      claim_types_supported: ['normal'],
    })
  })

  it('has every member that standard libraries read', async () => {
    const document = await (await setUp()).discover()
    const has = (name: string, members: string[]) => expect(document[name]).toEqual(expect.arrayContaining(members))
    expect(document.id_token_signing_alg_values_supported[0]).toBe('ES256')
    has('response_modes_supported', ['query', 'form_post'])
    has('token_endpoint_auth_methods_supported', ['client_secret_basic', 'private_key_jwt', 'none'])
    has('revocation_endpoint_auth_methods_supported', ['client_secret_basic', 'private_key_jwt', 'none'])
    has('introspection_endpoint_auth_methods_supported', ['client_secret_basic', 'private_key_jwt'])
    expect(document.introspection_endpoint_auth_methods_supported).not.toContain('none')
    has('scopes_supported', ['openid', 'name', 'nickname', 'picture', 'preferred_username', 'locale', 'email'])
    has('claims_supported', ['sub', 'iss', 'aud', 'exp', 'iat', 'updated_at', 'email', 'email_verified', 'locale'])
    has('prompt_values_supported', ['none', 'login', 'consent', 'select_account'])
    has('acr_values_supported', ['aal1'])
    expect(document).toHaveProperty('claims_parameter_supported')
    const tags: string[] = document.ui_locales_supported
    expect([...tags].sort()).toEqual(['en', 'ja', 'zh-CN', 'zh-TW'])
    expect(tags.map((tag) => Intl.getCanonicalLocales(tag)[0])).toEqual(tags)
  })

  it('uses only registered names, and has no empty value', async () => {
    const env = {
      DOCS_URL: 'https://docs.example',
      PRIVACY_URL: 'https://a.example/p',
      TERMS_URL: 'https://a.example/t',
    }
    const document = await (await setUp({ env })).discover()
    expect(Object.keys(document).filter((name) => !registered.includes(name))).toEqual([])
    for (const value of Object.values(document)) expect(value === '' || value === null).toBe(false)
  })

  it('links to documentation and terms if the operator set them', async () => {
    const env = {
      DOCS_URL: 'https://docs.example',
      PRIVACY_URL: 'https://a.example/p',
      TERMS_URL: 'https://a.example/t',
    }
    expect(await (await setUp({ env })).discover()).toMatchObject({
      service_documentation: 'https://docs.example',
      op_policy_uri: 'https://a.example/p',
      op_tos_uri: 'https://a.example/t',
    })
    const bare = await (await setUp()).discover()
    for (const name of ['service_documentation', 'op_policy_uri', 'op_tos_uri']) expect(bare).not.toHaveProperty(name)
  })

  it('lists every scope that an app can register, and a claim for each', async () => {
    const { discover, postern } = await setUp()
    const document = await discover()
    const { scopes } = await postern.context.database.prisma.app.findUniqueOrThrow({ where: { id: 'acme-web' } })
    expect([...document.scopes_supported].sort()).toEqual(scopes.split(' ').sort())
    const granted = scopes.split(' ')
    const { access_token } = await getTokens(postern, { scopes: granted })
    const claims = Object.keys(await (await postern.userinfo(access_token)).json())
    expect(document.claims_supported).toEqual(expect.arrayContaining(claims))
  })

  it('may be cached for minutes, and read by any web page', async () => {
    const { context } = await setUp()
    const { status, headers } = discovery(context.discovery)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    const age = Number(/^public, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '')?.[1])
    expect(age >= 60 && age <= 3600).toBe(true)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight('GET')().status).toBe(204)
  })
})
