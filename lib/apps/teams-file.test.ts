import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { knownScopes } from '#lib/oauth/scope'
import type { Problem } from '#lib/text/read-fields'
import { readTeams } from './teams-file.ts'

const jwk = { ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }), kid: 'k1' }
const web = {
  client_id: 'acme-web',
  name: 'Acme Web',
  kind: 'confidential',
  redirect_uris: ['https://acme.example/cb'],
}
const spa = { ...web, client_id: 'acme-spa', kind: 'public' }
const robot = { ...web, client_id: 'acme-robot', kind: 'assertion', jwks: { keys: [jwk] } }

function read(teams: unknown, issuerIsLoopback = false) {
  const problems: Problem[] = []
  const rules = { issuer: 'https://id.example.org', issuerIsLoopback, knownScopes }
  const read = readTeams(teams, rules, (path, message) => problems.push({ path, message }))
  return { teams: read, problems, paths: problems.map((problem) => problem.path) }
}

const readApp = (app: object, issuerIsLoopback = false) => {
  const { teams, problems } = read([{ id: 'acme', name: 'Acme', apps: [app] }], issuerIsLoopback)
  return {
    app: teams[0]?.apps[0],
    problems: problems.map(({ path, message }) => `${path.replace('teams[0].apps[0].', '')} ${message}`),
  }
}

it('gives defaults to an app with only the required fields', () => {
  const { app, problems } = readApp(web)
  expect(problems).toEqual([])
  expect(app).toMatchObject({
    teamId: 'acme',
    profile: 'standard',
    scopes: ['openid'],
    requiredScopes: ['openid'],
    email: 'none',
    keys: [],
  })
  expect(app?.homepage).toBeUndefined()
})

it('reads an app of each kind', () => {
  const { teams, problems } = read([{ id: 'acme', name: 'Acme', apps: [web, spa, robot] }])
  expect(problems).toEqual([])
  expect(teams[0]?.apps.map((app) => [app.kind, app.keys.length])).toEqual([
    ['confidential', 0],
    ['public', 0],
    ['assertion', 1],
  ])
})

it('stores mail domains in the form DNS uses', () => {
  expect(readApp({ ...web, mail_domains: ['Acme.Example', 'bücher.example'] }).app?.mailDomains).toEqual([
    'acme.example',
    'xn--bcher-kva.example',
  ])
  expect(readApp(web).app?.mailDomains).toBeUndefined()
})

it.each([
  [['acme'], 'mail_domains[0] must be a domain name such as mail.example.org'],
  [['192.0.2.1'], 'mail_domains[0] must be a domain name such as mail.example.org'],
  [['*.acme.example'], 'mail_domains[0] must be a domain name such as mail.example.org'],
  [['co.uk'], 'mail_domains[0] must be a domain of your own: anyone can register names below this one'],
  [['me@acme.example'], 'mail_domains[0] must be a domain name such as mail.example.org'],
  [[`${'a.'.repeat(124)}example`], 'mail_domains[0] must be a domain name such as mail.example.org'],
  [
    ['a.example', 'A.example'],
    'mail_domains[1] is given twice: "a.example" already appears at teams[0].apps[0].mail_domains[0]',
  ],
  [Array.from({ length: 21 }, (_, n) => `n${n}.example`), 'mail_domains must name at most 20'],
  ['acme.example', 'mail_domains must be a list of texts'],
  [[7], 'mail_domains[0] must be text'],
])('rejects the mail domains %j', (domains, problem) => {
  expect(readApp({ ...web, mail_domains: domains }).problems).toEqual([problem])
})

it('stores scopes in one order, and a required e-mail address as a required scope', () => {
  const { app } = readApp({ ...web, scopes: ['email', 'name', 'openid'], email: 'required', required_scopes: ['name'] })
  expect(app?.scopes).toEqual(['openid', 'name', 'email'])
  expect(app?.requiredScopes).toEqual(['openid', 'name', 'email'])
})

it('reports every problem of a file, each with its path', () => {
  const { teams, paths } = read([
    {
      id: 'a',
      name: '',
      nmae: 'Typo',
      apps: [{ client_id: 'x y', kind: 'secret', redirect_uris: ['http://a.example/', 7] }],
    },
    'no team',
    { id: 'acme', name: 'Acme', apps: 'none' },
    { id: 'acme', name: 'Again', apps: [web, { ...spa, client_id: 'acme-web', scopes: ['name', 'everything'] }] },
  ])
  expect(new Set(paths)).toEqual(
    new Set([
      'teams[0].nmae',
      'teams[0].id',
      'teams[0].name',
      'teams[0].apps[0].client_id',
      'teams[0].apps[0].name',
      'teams[0].apps[0].kind',
      'teams[0].apps[0].redirect_uris[1]',
      'teams[1]',
      'teams[2].apps',
      'teams[3].id',
      'teams[3].apps[1].client_id',
      'teams[3].apps[1].scopes',
      'teams[3].apps[1].scopes[1]',
    ]),
  )
  expect(teams.flatMap((team) => team.apps).map((app) => app.clientId)).toEqual(['acme-web'])
})

it.each([{}, 'teams', 7, null])('rejects %j in place of the list of teams', (teams) => {
  expect(read(teams).paths).toEqual(['teams'])
})

it.each([
  ['client_id', { client_id: 'ab' }],
  ['client_id', { client_id: 'a'.repeat(65) }],
  ['client_id', { client_id: 'a/b' }],
  ['client_id', { client_id: 'a:b' }],
  ['client_id', { client_id: 'abc\0' }],
  ['client_id must be text', { client_id: 7 }],
  ['client_id is missing', { client_id: undefined }],
  ['name', { name: '' }],
  ['name', { name: '   ' }],
  ['name must have 1 to 80', { name: 'a'.repeat(81) }],
  ['name must not hold control', { name: 'a\u0007b' }],
  ['name must not hold control', { name: 'a\nb' }],
  ['name', { name: 'a\0b' }],
  ['name must not hold control', { name: 'abc\u202egpj.exe' }],
  ['name must not hold NUL or broken', { name: '\ud800' }],
  ['kind must be confidential, public or assertion', { kind: 'web' }],
  ['kind is missing', { kind: undefined }],
  ['token_endpoint_auth_method must be client_secret_basic', { token_endpoint_auth_method: 'client_secret_post' }],
  [
    'token_endpoint_auth_method must be client_secret_basic or client_secret_post',
    { profile: 'oidc', token_endpoint_auth_method: 'none' },
  ],
  ['token_endpoint_auth_method must be', { token_endpoint_auth_method: 'tls_client_auth' }],
  ['require_pushed_authorization_requests must be true', { require_pushed_authorization_requests: 'yes' }],
  ['require_signed_request_object must be true', { profile: 'oidc', require_signed_request_object: 1 }],
  ['require_signed_request_object must be false', { require_signed_request_object: true }],
  ['id_token_claims must be true', { id_token_claims: 'yes' }],
  ['dpop_bound_access_tokens must be true', { dpop_bound_access_tokens: 'true' }],
  ['dpop_nonces must be true', { dpop_nonces: 1 }],
  ['dpop_access_token_seconds must be 30 to 3600', { kind: 'public', dpop_access_token_seconds: 29 }],
  ['dpop_access_token_seconds must be 30 to 3600', { kind: 'public', dpop_access_token_seconds: 3601 }],
  ['dpop_access_token_seconds must be a whole number', { kind: 'public', dpop_access_token_seconds: 60.5 }],
  ['dpop_access_token_seconds must be a whole number', { kind: 'public', dpop_access_token_seconds: '60' }],
  ['dpop_access_token_seconds must be 0', { dpop_access_token_seconds: 3600 }],
  ['request_object_signing_alg must be', { profile: 'oidc', request_object_signing_alg: 'none' }],
  ['request_object_signing_alg must be', { request_object_signing_alg: 'RS256' }],
  ['profile must be assertion for an app of kind confidential', { profile: 'fapi2' }],
  ['profile must be assertion for an app of kind public', { kind: 'public', profile: 'fapi2' }],
  ['profile must be standard', { profile: 'other' }],
  ['email must be none, optional or required', { email: 'always' }],
  ['redirect_uris is missing', { redirect_uris: undefined }],
  ['redirect_uris must name at least one', { redirect_uris: [] }],
  ['redirect_uris must be a list', { redirect_uris: 'https://a.example/' }],
  ['redirect_uris[1] is given twice', { redirect_uris: ['https://a.example/', 'https://a.example/'] }],
  [
    'redirect_uris must name at most 50',
    { redirect_uris: Array.from({ length: 51 }, (_, n) => `https://a.example/${n}`) },
  ],
  ['redirect_uris[1] must be https', { redirect_uris: ['https://a.example/', 'http://b.example/'] }],
  ['post_logout_redirect_uris must be a list', { post_logout_redirect_uris: 'https://a.example/' }],
  ['post_logout_redirect_uris[0] must be https', { post_logout_redirect_uris: ['http://a.example/'] }],
  ['post_logout_redirect_uris[0] must not have a fragment', { post_logout_redirect_uris: ['https://a.example/#x'] }],
  [
    'post_logout_redirect_uris[1] is given twice',
    { post_logout_redirect_uris: ['https://a.example/', 'https://a.example/'] },
  ],
  ['backchannel_logout_uri must be https', { backchannel_logout_uri: 'http://a.example/' }],
  ['backchannel_logout_uri must be https', { backchannel_logout_uri: 'http://127.0.0.1/' }],
  ['backchannel_logout_uri must be absolute', { backchannel_logout_uri: '/logout' }],
  ['backchannel_logout_uri must not have a fragment', { backchannel_logout_uri: 'https://a.example/#x' }],
  ['backchannel_logout_uri must not hold a user name', { backchannel_logout_uri: 'https://a@a.example/' }],
  [
    'backchannel_logout_uri must have at most 2000',
    { backchannel_logout_uri: `https://a.example/${'a'.repeat(2000)}` },
  ],
  ['backchannel_logout_uri must be text', { backchannel_logout_uri: ['https://a.example/'] }],
  ['backchannel_logout_session_required must be true', { backchannel_logout_session_required: 'true' }],
  ['scopes must include openid', { scopes: ['name'] }],
  ['scopes[1] is not a scope', { scopes: ['openid', 'phone'] }],
  ['scopes[1] is given twice', { scopes: ['openid', 'openid'] }],
  ['scopes must be a list', { scopes: 'openid' }],
  ['email must be optional or required', { scopes: ['openid', 'email'] }],
  ['scopes must include email', { scopes: ['openid'], email: 'optional' }],
  ['scopes must include email', { scopes: ['openid'], email: 'required' }],
  ['required_scopes[0] is not among the scopes', { scopes: ['openid'], required_scopes: ['name'] }],
  [
    'required_scopes must not include email',
    { scopes: ['openid', 'email'], email: 'optional', required_scopes: ['email'] },
  ],
  ['client_secret must be 16 to 256', { client_secret: 'too short' }],
  ['client_secret', { client_secret: 's'.repeat(257) }],
  ['client_secret must be 16 to 256 printable ASCII', { client_secret: `${'s'.repeat(20)}é` }],
  ['jwks.keys must be empty', { jwks: { keys: [jwk] } }],
  ['jwks must be a JWK set', { jwks: [] }],
  ['homepage must be an https address', { homepage: 'http://acme.example' }],
  ['homepage', { homepage: 'javascript:alert(1)' }],
  ['policy_uri must not hold a user name', { policy_uri: 'https://a:b@acme.example' }],
  ['tos_uri must be an https address', { tos_uri: 'acme.example' }],
  ['redirect_uri is not a known key', { redirect_uri: 'https://a.example/' }],
])('rejects a confidential app: %s', (expected, change) => {
  const { app, problems } = readApp({ ...web, ...change })
  expect(app).toBeUndefined()
  expect(problems.join('\n')).toContain(expected)
})

it('rejects __proto__ and constructor as unknown keys', () => {
  const app = JSON.parse(JSON.stringify(web).replace('{', '{"__proto__": {"profile": "oidc"}, "constructor": 1,'))
  expect(readApp(app).problems).toHaveLength(2)
})

it('rejects a secret for a public app and for an assertion app', () => {
  expect(readApp({ ...spa, client_secret: 's'.repeat(20) }).problems).toEqual([
    'client_secret must not be given: an app of kind public has none',
  ])
  expect(readApp({ ...robot, client_secret: 's'.repeat(20) }).problems).toEqual([
    'client_secret must not be given: an app of kind assertion has none',
  ])
})

it.each([
  ['jwks is missing', undefined],
  ['jwks.keys must hold at least one', { keys: [] }],
  ['jwks.keys[1].kid is given twice', { keys: [jwk, jwk] }],
  ['jwks.keys[0] holds a private key', { keys: [{ ...jwk, d: 'x' }] }],
  ['jwks.kyes is not a known key', { keys: [jwk], kyes: [] }],
])('rejects an assertion app: %s', (expected, jwks) => {
  expect(readApp({ ...robot, jwks }).problems.join('\n')).toContain(expected)
})

it('accepts http for pages and loopback callbacks when the issuer is on loopback', () => {
  const local = { ...web, redirect_uris: ['http://localhost:3002/cb'], homepage: 'http://localhost:3002', tos_uri: '' }
  expect(readApp(local, true).problems).toEqual([])
  expect(readApp(local, false).problems).toHaveLength(2)
})
