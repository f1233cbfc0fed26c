import { expect, test } from './provider.ts'
import { idTokenOf } from './tokens.ts'
import { openAgent } from './user-agent.ts'

const paths = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']

test.describe('OpenID Connect Discovery 1.0 §3 OpenID Provider Metadata', () => {
  // "issuer REQUIRED. URL using the https scheme with no query or fragment components that the OP asserts as its Issuer
  // Identifier."
  test('has an issuer without query and fragment', ({ provider }) => {
    const { protocol, search, hash } = new URL(provider.discovery.issuer)
    expect([protocol, search, hash]).toEqual(['https:', '', ''])
  })

  // authorization_endpoint, token_endpoint, jwks_uri REQUIRED, userinfo_endpoint RECOMMENDED: "This URL MUST use the https
  // scheme"; the same for every other endpoint.
  test('has the required endpoints, and every address uses https', ({ provider }) => {
    const names = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri']
    expect(Object.keys(provider.discovery)).toEqual(expect.arrayContaining(names))
    const addresses = Object.entries(provider.discovery).filter(([name]) => /(_endpoint|_uri)$/.test(name))
    expect(addresses.length).toBeGreaterThan(6)
    for (const [name, value] of addresses) expect(value, name).toMatch(/^https:\/\//)
  })

  test('names endpoints that answer', async ({ provider }) => {
    const names = Object.keys(provider.discovery).filter((name) => name.endsWith('_endpoint') || name === 'jwks_uri')
    for (const name of names) {
      const { status } = await provider.send(String(provider.discovery[name]))
      expect([404, 500, 501, 503], `${name} answers ${status}`).not.toContain(status)
    }
  })

  // "jwks_uri … contains the signing key(s) the RP uses to validate signatures from the OP"; "The JWK Set MUST NOT contain
  // private or symmetric key values."
  test('publishes public signing keys with kid, alg and use, and no private or symmetric key', async ({ provider }) => {
    const answer = await provider.send(provider.discovery.jwks_uri)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringMatching(/json/)])
    const { keys } = answer.json() as { keys: Record<string, string>[] }
    expect(keys.map(({ alg }) => alg).sort()).toEqual(['ES256', 'RS256'])
    for (const key of keys) {
      expect(key).toMatchObject({
        use: 'sig',
        kid: expect.stringMatching(/./),
        kty: expect.stringMatching(/^(EC|RSA)$/),
      })
      expect(Object.keys(key).filter((name) => ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].includes(name))).toEqual(
        [],
      )
    }
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length)
  })

  // "scopes_supported RECOMMENDED. … The server MUST support the openid scope value."
  test('lists the scope openid', ({ provider }) => {
    expect(provider.discovery.scopes_supported).toContain('openid')
  })

  // "response_types_supported REQUIRED"; response_modes_supported, grant_types_supported OPTIONAL
  test('lists the response type, response modes and grant types that it supports', ({ provider }) => {
    expect(provider.discovery).toMatchObject({
      response_types_supported: ['code'],
      response_modes_supported: expect.arrayContaining(['query', 'form_post']),
      grant_types_supported: ['authorization_code', 'refresh_token'],
    })
  })

  // "subject_types_supported REQUIRED. … Valid types include pairwise and public."
  test('lists the subject type pairwise', ({ provider }) => {
    expect(provider.discovery.subject_types_supported).toEqual(['pairwise'])
  })

  // "id_token_signing_alg_values_supported REQUIRED. … The algorithm RS256 MUST be included."
  test('lists RS256 and ES256 for ID tokens, and not none', ({ provider }) => {
    const algs = provider.discovery.id_token_signing_alg_values_supported
    expect(algs).toEqual(expect.arrayContaining(['RS256', 'ES256']))
    expect(algs).not.toContain('none')
  })

  // "request_object_signing_alg_values_supported … Servers SHOULD support none and RS256."
  test('lists RS256 for request objects', ({ provider }) => {
    expect(provider.discovery.request_object_signing_alg_values_supported).toContain('RS256')
  })

  // "token_endpoint_auth_signing_alg_values_supported … The value none MUST NOT be used."
  test('lists the methods of client authentication, with algorithms of which none is "none"', ({ provider }) => {
    expect(provider.discovery.token_endpoint_auth_methods_supported).toEqual(
      expect.arrayContaining(['client_secret_basic', 'client_secret_post', 'private_key_jwt']),
    )
    expect(provider.discovery.token_endpoint_auth_signing_alg_values_supported).not.toContain('none')
  })

  // "claims_supported RECOMMENDED"; "claim_types_supported"; "claims_parameter_supported"; "request_parameter_supported";
  // "request_uri_parameter_supported … If omitted, the default value is true."
  test('says which claims and request parameters it supports', ({ provider }) => {
    expect(provider.discovery).toMatchObject({
      claims_supported: expect.arrayContaining(['sub', 'iss', 'aud', 'auth_time', 'acr', 'email']),
      claim_types_supported: ['normal'],
      claims_parameter_supported: true,
      request_parameter_supported: true,
      request_uri_parameter_supported: false,
      acr_values_supported: ['aal1', 'aal2'],
      display_values_supported: ['page'],
    })
  })

  // "ui_locales_supported … BCP47 [RFC5646] language tag values."
  test('lists its languages as canonical language tags', ({ provider }) => {
    const locales = provider.discovery.ui_locales_supported as string[]
    expect(locales).toEqual(Intl.getCanonicalLocales(locales))
    expect(locales.toSorted()).toEqual(['en', 'ja', 'zh-CN', 'zh-TW'])
  })

  // The list `registered` has the members that a specification defines and that Postern implements.
  test('has only members that a specification defines', ({ provider }) => {
    for (const name of Object.keys(provider.discovery)) expect(registered, name).toContain(name)
  })
})

test.describe('OpenID Connect Discovery 1.0 §4 Obtaining OpenID Provider Configuration Information', () => {
  // §4: "OpenID Providers supporting Discovery MUST make a JSON document available at the path formed by concatenating the
  // string /.well-known/openid-configuration to the Issuer."; §4.1: "MUST be queried using an HTTP GET request"; RFC 8414 §3
  for (const path of paths)
    test(`answers GET ${path} with 200 and application/json`, async ({ provider }) => {
      // §4.2: "A successful response MUST use the 200 OK HTTP status code and return a JSON object using the
      // application/json content type"
      const answer = await provider.send(`${provider.issuer}${path}`)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
      expect(answer.json()).toEqual(provider.discovery)
      // §4.2: "Claims that return multiple values are represented as JSON arrays. Claims with zero elements MUST be omitted
      // from the response."; RFC 8414 §3.2 has the same.
      for (const [name, value] of Object.entries(answer.json())) {
        expect(value === null || value === '' || (Array.isArray(value) && value.length === 0), name).toBe(false)
        if (/_supported$/.test(name) && typeof value !== 'boolean') expect(Array.isArray(value), name).toBe(true)
      }
    })

  // Browser apps read both documents and the keys.
  test('answers other origins, HEAD like GET, and no other method', async ({ provider }) => {
    for (const path of [...paths, new URL(provider.discovery.jwks_uri).pathname]) {
      const answer = await provider.send(path, { headers: { origin: 'https://app.example' } })
      expect(answer.headers.get('access-control-allow-origin'), path).toBe('*')
      expect(answer.headers.get('cache-control'), path).toMatch(/^public, max-age=\d+/)
      const head = await provider.send(path, { method: 'HEAD' })
      expect([head.status, head.text], path).toEqual([200, ''])
      for (const method of ['POST', 'PUT', 'DELETE'])
        expect((await provider.send(path, { method })).status, `${method} ${path}`).toBe(405)
    }
  })

  // §4.3: "The issuer value returned MUST be identical to the Issuer URL that was used as the prefix to
  // /.well-known/openid-configuration … This MUST also be identical to the iss Claim value in ID Tokens issued from this
  // Issuer."; RFC 8414 §3.3
  test('has the issuer of its address and of its ID tokens', async ({ provider }) => {
    expect(provider.discovery.issuer).toBe(provider.issuer)
    const client = await provider.client('standard')
    expect((await idTokenOf(provider, openAgent(provider), client)).claims.iss).toBe(provider.discovery.issuer)
  })
})

test.describe('RFC 8414 §2 Authorization Server Metadata', () => {
  // "token_endpoint_auth_signing_alg_values_supported … This metadata entry MUST be present if either of these
  // authentication methods [private_key_jwt, client_secret_jwt] are specified … The value 'none' MUST NOT be used."
  for (const endpoint of ['token', 'revocation', 'introspection'])
    test(`lists the algorithms of private_key_jwt at the ${endpoint} endpoint`, ({ provider }) => {
      const methods = provider.discovery[`${endpoint}_endpoint_auth_methods_supported`]
      const algs = provider.discovery[`${endpoint}_endpoint_auth_signing_alg_values_supported`]
      expect(methods).toContain('private_key_jwt')
      expect(algs).toEqual(expect.arrayContaining(['ES256', 'PS256', 'EdDSA']))
      expect(algs).not.toContain('none')
    })

  // "code_challenge_methods_supported … If omitted, the authorization server does not support PKCE."
  test('lists S256 alone for PKCE', ({ provider }) => {
    expect(provider.discovery.code_challenge_methods_supported).toEqual(['S256'])
  })

  // RFC 9207 §3: "authorization_response_iss_parameter_supported"
  test('says that authorization answers have iss', ({ provider }) => {
    expect(provider.discovery.authorization_response_iss_parameter_supported).toBe(true)
  })
})

const registered =
  `issuer authorization_endpoint token_endpoint jwks_uri registration_endpoint userinfo_endpoint revocation_endpoint
  introspection_endpoint end_session_endpoint pushed_authorization_request_endpoint require_pushed_authorization_requests
  response_types_supported response_modes_supported grant_types_supported subject_types_supported
  authorization_signing_alg_values_supported id_token_signing_alg_values_supported token_endpoint_auth_methods_supported
  token_endpoint_auth_signing_alg_values_supported revocation_endpoint_auth_methods_supported
  revocation_endpoint_auth_signing_alg_values_supported introspection_endpoint_auth_methods_supported
  introspection_endpoint_auth_signing_alg_values_supported introspection_signing_alg_values_supported
  code_challenge_methods_supported dpop_signing_alg_values_supported scopes_supported claims_supported
  claim_types_supported acr_values_supported prompt_values_supported display_values_supported ui_locales_supported
  authorization_response_iss_parameter_supported claims_parameter_supported backchannel_logout_supported
  backchannel_logout_session_supported request_parameter_supported request_object_signing_alg_values_supported
  request_uri_parameter_supported service_documentation op_policy_uri op_tos_uri`.split(/\s+/)
