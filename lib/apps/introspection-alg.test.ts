import { expect, it } from 'vitest'
import { knownScopes } from '#lib/oauth/scope'
import { readTeams } from './teams-file.ts'

function problemsOf(kind: string, alg: string, profile = 'standard') {
  const problems: string[] = []
  const app = { client_id: 'acme', name: 'Acme', kind, profile, redirect_uris: ['https://acme.example/cb'] }
  const apps = [{ ...app, introspection_signed_response_alg: alg }]
  const rules = { issuer: 'https://id.example.org', issuerIsLoopback: false, knownScopes }
  readTeams([{ id: 'acme', name: 'Acme', apps }], rules, (_, message) => problems.push(message))
  return problems
}

it('accepts the algorithms of the profile for introspection answers (RFC 9701 §6)', () => {
  expect(problemsOf('confidential', 'ES256')).toEqual([])
  expect(problemsOf('confidential', 'RS256', 'oidc')).toEqual([])
})

it('rejects an algorithm that the kind or the profile does not have', () => {
  expect(problemsOf('confidential', 'RS256')).toEqual(['must be ES256 for profile standard'])
  expect(problemsOf('confidential', 'none')).toEqual(['must be ES256 or RS256'])
  expect(problemsOf('public', 'ES256')).toEqual(['must not be given: an app of kind public cannot introspect'])
})
