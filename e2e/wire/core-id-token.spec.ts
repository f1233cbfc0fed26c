import { expect, people, test } from './provider.ts'
import { idTokenOf } from './tokens.ts'
import { openAgent } from './user-agent.ts'

type IdToken = Awaited<ReturnType<typeof idTokenOf>>

const nonce = 'n-0S6_WzA2Mj ü "\\&=+%20'.padEnd(512, 'x')
const samples: Record<string, IdToken & { clientId: string }> = {}

test.describe('OpenID Connect Core 1.0 §2 ID Token', () => {
  test.beforeAll(async ({ provider }) => {
    const agent = openAgent(provider)
    for (const profile of ['standard', 'oidc', 'fapi2'] as const) {
      const client = await provider.client(profile)
      samples[profile] = {
        clientId: client.id,
        ...(await idTokenOf(provider, agent, client, { nonce, max_age: '3600' })),
      }
    }
  })

  const each = (title: string, check: (sample: IdToken & { clientId: string }, issuer: string) => void) =>
    test(title, ({ provider }) => {
      expect(Object.keys(samples)).toHaveLength(3)
      for (const sample of Object.values(samples)) check(sample, provider.issuer)
    })

  // "iss REQUIRED. … a case-sensitive URL using the https scheme that contains scheme, host, and optionally, port
  // number and path components and no query or fragment components."
  each('names the issuer in iss, an https URL without query and fragment', ({ claims }, issuer) => {
    expect(claims.iss).toBe(issuer)
    const { protocol, search, hash } = new URL(claims.iss ?? '')
    expect([protocol, search, hash]).toEqual(['https:', '', ''])
  })

  // "sub REQUIRED. … It MUST NOT exceed 255 ASCII characters in length."
  each('has a sub of at most 255 ASCII characters', ({ claims }) => {
    expect(claims.sub).toMatch(/^[\x21-\x7e]{1,255}$/)
  })

  // "A locally unique and never reassigned identifier within the Issuer for the End-User"
  test('gives two people two values of sub, and one person the same value again', async ({ provider }) => {
    const client = await provider.client('oidc')
    const agent = openAgent(provider)
    const first = await idTokenOf(provider, agent, client)
    const again = await idTokenOf(provider, openAgent(provider), client)
    const other = await idTokenOf(provider, openAgent(provider, { person: people.bob }), client)
    expect(again.claims.sub).toBe(first.claims.sub)
    expect(other.claims.sub).not.toBe(first.claims.sub)
  })

  // "aud REQUIRED. … It MUST contain the OAuth 2.0 client_id of the Relying Party as an audience value."
  each('has the client_id as its audience', ({ claims, clientId }) => {
    expect([claims.aud].flat()).toEqual([clientId])
  })

  // "exp REQUIRED … a JSON number"; "iat REQUIRED … a JSON number"
  each('has exp and iat as numbers of seconds, exp after iat', ({ claims }) => {
    expect(Number.isInteger(claims.exp) && Number.isInteger(claims.iat)).toBe(true)
    expect(claims.exp).toBeGreaterThan(claims.iat ?? 0)
    expect(Math.abs(Date.now() / 1000 - (claims.iat ?? 0))).toBeLessThan(300)
  })

  // "When a max_age request is made … then [auth_time] is REQUIRED"; "Its value is a JSON number"
  each('has auth_time as a number, not after iat, when max_age was sent', ({ claims }) => {
    expect(Number.isInteger(claims.auth_time)).toBe(true)
    expect(claims.auth_time).toBeLessThanOrEqual(claims.iat ?? 0)
  })

  // "Authorization Servers MUST include a nonce Claim in the ID Token with the Claim Value being the nonce value sent in
  // the Authentication Request."; "The value is passed through unmodified"
  each('has the nonce of the request, byte for byte', ({ claims }) => {
    expect(claims.nonce).toBe(nonce)
  })

  test('has no nonce when the request has none', async ({ provider }) => {
    const client = await provider.client('oidc')
    const { claims } = await idTokenOf(provider, openAgent(provider), client, { nonce: undefined })
    expect(claims).not.toHaveProperty('nonce')
  })

  // "acr … a case-sensitive string"; "amr … a JSON array of strings"
  each('has acr as a string and amr as an array of strings', ({ claims }) => {
    expect(claims.acr).toBe('aal1')
    expect(claims.amr).toEqual(['pwd'])
  })

  // "azp … If present, it MUST contain the OAuth 2.0 Client ID of this party."
  each('has no azp, since the audience is the app alone', ({ claims }) => {
    expect(claims).not.toHaveProperty('azp')
  })

  // "ID Tokens MUST be signed using JWS"; "ID Tokens MUST NOT use none as the alg value unless …"
  each('is signed with the algorithm of the app', ({ header, clientId }) => {
    expect(header.alg).toBe(clientId.startsWith('oidc') ? 'RS256' : 'ES256')
  })

  // "ID Tokens SHOULD NOT use the JWS or JWE x5u, x5c, jku, or jwk Header Parameter fields."
  each('has no key and no address of a key in its header, but a kid', ({ header }) => {
    expect(Object.keys(header).filter((name) => ['x5u', 'x5c', 'jku', 'jwk'].includes(name))).toEqual([])
    expect(typeof header.kid).toBe('string')
  })
})
