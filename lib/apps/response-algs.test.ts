import { describe, expect, it } from 'vitest'
import { knownScopes } from '#lib/oauth/scope'
import { readTeams } from './teams-file.ts'

type Field = 'introspection_signed_response_alg' | 'authorization_signed_response_alg'

function problemsOf(field: Field, kind: string, alg: string, profile = 'standard') {
  const problems: string[] = []
  const jwks_uri = kind === 'assertion' ? 'https://acme.example/jwks' : undefined
  const app = { client_id: 'acme', name: 'Acme', kind, profile, jwks_uri, redirect_uris: ['https://acme.example/cb'] }
  const apps = [{ ...app, [field]: alg }]
  const rules = { issuer: 'https://id.example.org', issuerIsLoopback: false, knownScopes }
  readTeams([{ id: 'acme', name: 'Acme', apps }], rules, (_, message) => problems.push(message))
  return problems
}

describe('introspection_signed_response_alg (RFC 9701 §6)', () => {
  const field = 'introspection_signed_response_alg'

  it('accepts the algorithms of the profile', () => {
    expect(problemsOf(field, 'confidential', 'ES256')).toEqual([])
    expect(problemsOf(field, 'confidential', 'RS256', 'oidc')).toEqual([])
  })

  it('rejects an algorithm that the kind or the profile does not have', () => {
    expect(problemsOf(field, 'confidential', 'RS256')).toEqual(['must be ES256 for profile standard'])
    expect(problemsOf(field, 'confidential', 'none')).toEqual(['must be ES256 or RS256'])
    expect(problemsOf(field, 'public', 'ES256')).toEqual(['must not be given: an app of kind public cannot introspect'])
  })
})

describe('authorization_signed_response_alg (JARM §3)', () => {
  const field = 'authorization_signed_response_alg'

  it('accepts the algorithms of the profile', () => {
    expect(problemsOf(field, 'confidential', 'ES256', 'oidc')).toEqual([])
    expect(problemsOf(field, 'public', 'RS256', 'oidc')).toEqual([])
    expect(problemsOf(field, 'assertion', 'ES256', 'fapi2')).toEqual([])
  })

  it('rejects RS256 for fapi2 (FAPI 2.0 §5.4.1), none (JARM §3), and the profile without signed responses', () => {
    expect(problemsOf(field, 'assertion', 'RS256', 'fapi2')).toEqual(['must be ES256 for profile fapi2'])
    expect(problemsOf(field, 'confidential', 'none', 'oidc')).toEqual(['must be ES256 or RS256'])
    expect(problemsOf(field, 'confidential', 'ES256')).toEqual([
      'must not be given: profile standard has no signed authorization responses',
    ])
  })
})
