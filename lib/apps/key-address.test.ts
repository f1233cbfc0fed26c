import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { knownScopes } from '#lib/oauth/scope'
import { readTeams } from './teams-file.ts'

const jwk = { ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }), kid: 'k1' }
const robot = {
  client_id: 'acme-robot',
  name: 'Acme Robot',
  kind: 'assertion',
  redirect_uris: ['https://acme.example/cb'],
  jwks: { keys: [jwk] },
}

function readApp(app: object, issuerIsLoopback = false) {
  const problems: string[] = []
  const [team] = readTeams(
    [{ id: 'acme', name: 'Acme', apps: [app] }],
    { issuer: 'https://id.example.org', issuerIsLoopback, knownScopes },
    (path, message) => problems.push(`${path.replace('teams[0].apps[0].', '')} ${message}`),
  )
  return { app: team?.apps[0], problems }
}

it('accepts jwks_uri in place of jwks', () => {
  const { problems, app } = readApp({ ...robot, jwks: undefined, jwks_uri: 'https://acme.example/jwks' })
  expect([problems, app?.registration]).toEqual([[], { jwks_uri: 'https://acme.example/jwks' }])
})

it.each<[string, object]>([
  ['jwks_uri must not be given beside jwks', { jwks_uri: 'https://acme.example/jwks' }],
  ['jwks_uri must be https', { jwks: undefined, jwks_uri: 'http://acme.example/jwks' }],
  ['jwks_uri must be absolute', { jwks: undefined, jwks_uri: '/jwks' }],
  ['jwks_uri must not have a fragment', { jwks: undefined, jwks_uri: 'https://acme.example/jwks#x' }],
  ['jwks_uri must have at most 2000', { jwks: undefined, jwks_uri: `https://acme.example/${'x'.repeat(2000)}` }],
  ['jwks_uri must not hold a user name', { jwks: undefined, jwks_uri: 'https://a:b@acme.example/jwks' }],
  [
    'jwks_uri must not be given: an app of kind public',
    { kind: 'public', jwks: undefined, jwks_uri: 'https://acme.example/jwks' },
  ],
  ['jwks is missing', { jwks: undefined, jwks_uri: '' }],
  ['jwks_uri must be text', { jwks: undefined, jwks_uri: ['https://acme.example/jwks'] }],
])('rejects an app: %s', (expected, changed) => {
  expect(readApp({ ...robot, ...changed }).problems.join('\n')).toContain(expected)
})

it('accepts http in an evaluation, also for a host that is not loopback', () => {
  const published = { ...robot, jwks: undefined, jwks_uri: 'http://app.test:8080/jwks' }
  expect([readApp(published, true).problems, readApp(published).problems.length]).toEqual([[], 1])
})

it('accepts an address from a confidential app of profile oidc, which may sign request objects', () => {
  const web = {
    ...robot,
    kind: 'confidential',
    profile: 'oidc',
    jwks: undefined,
    jwks_uri: 'https://acme.example/jwks',
  }
  expect(readApp(web).problems).toEqual([])
  expect(readApp({ ...web, profile: 'standard' }).problems.join()).toContain('jwks_uri must not be given')
})
