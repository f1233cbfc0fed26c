import { expect, test } from './provider.ts'

test.describe('official plan oidcc-config-certification-test-plan', () => {
  test('oidcc-discovery-endpoint-verification: publishes a valid document and valid keys', async ({ provider }) => {
    const answer = await provider.send(`${provider.issuer}/.well-known/openid-configuration`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    const found = answer.json()
    expect(found).toMatchObject({
      issuer: provider.issuer,
      response_types_supported: ['code'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
      request_object_signing_alg_values_supported: expect.arrayContaining(['RS256']),
      code_challenge_methods_supported: ['S256'],
      request_parameter_supported: true,
      request_uri_parameter_supported: false,
      claims_parameter_supported: true,
    })
    for (const name of ['claims_supported', 'grant_types_supported', 'scopes_supported'])
      expect(found[name].length, name).toBeGreaterThan(0)
    // RFC 6749 Appendix A.4
    for (const scope of found.scopes_supported) expect(scope).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/)
    for (const [name, value] of Object.entries(found))
      if (/(_endpoint|_uri)$/.test(name)) expect(new URL(String(value)).protocol, name).toBe('https:')
    const { keys } = (await provider.send(found.jwks_uri)).json()
    for (const { kty, n, crv, d, k } of keys) {
      expect([d, k]).toEqual([undefined, undefined])
      if (kty === 'RSA') expect(Buffer.from(n, 'base64url').length).toBeGreaterThanOrEqual(256)
      else expect([kty, crv]).toEqual(['EC', 'P-256'])
    }
  })
})
