import { expect, it } from 'vitest'
import { knownScopes } from '#lib/oauth/scope'
import type { Problem } from '#lib/text/read-fields'
import { readTeams } from './teams-file.ts'

const orders = { identifier: 'https://api.acme.example/orders', name: 'Orders', scopes: ['orders.read'] }

/** Reads one team for each argument; the argument is the list of its APIs. */
function read(...apis: unknown[]) {
  const problems: Problem[] = []
  const rules = { issuer: 'https://id.example.org', issuerIsLoopback: false, knownScopes }
  const teams = apis.map((list, index) => ({ id: `team-${index}`, name: 'Team', apis: list }))
  const declared = readTeams(teams, rules, (path, message) => problems.push({ path, message }))
  return { apis: declared.flatMap((team) => team.apis), problems: problems.map((one) => `${one.path} ${one.message}`) }
}

it('reads an API with its defaults', () => {
  const { apis, problems } = read([orders])
  expect(problems).toEqual([])
  const unmarked = { sensitiveScopes: [], waitingScopes: [] }
  expect(apis).toEqual([{ ...orders, ...unmarked, path: 'teams[0].apis[0]', teamId: 'team-0', signingAlg: 'ES256' }])
})

it.each([
  ['', 'https address'],
  ['orders', 'https address'],
  ['/orders', 'https address'],
  ['//api.acme.example', 'https address'],
  ['http://api.acme.example', 'https address'],
  ['urn:acme:orders', 'https address'],
  ['https://api.acme.example/a b', 'https address'],
  ['https://api.acme.example/\\a', 'https address'],
  ['https://bücher.example', 'https address'],
  ['https://api.acme.example/#', 'fragment'],
  ['https://api.acme.example/#x', 'fragment'],
  ['https://api.acme.example/?x=1', 'query'],
  ['https://ada@api.acme.example', 'user name'],
  ['https://id.example.org', 'issuer'],
  ['https://id.example.org/userinfo', 'issuer'],
  ['https://ID.example.org:443/x', 'issuer'],
  [`https://api.acme.example/${'x'.repeat(200)}`, '200 characters'],
  [7, 'must be text'],
])('rejects the identifier %j (RFC 8707 §2)', (identifier, why) => {
  expect(read([{ ...orders, identifier }]).problems).toEqual([expect.stringContaining(why)])
})

it.each([
  ['openid'],
  ['OpenID'],
  ['profile'],
  ['email'],
  ['offline_access'],
  [''],
  ['a b'],
  ['a"b'],
  ['a%b'],
  ['x'.repeat(65)],
  [7],
])('rejects the scope %j', (scope) => {
  const { problems } = read([{ ...orders, scopes: ['orders.read', scope] }])
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain('scopes[1]')
})

it.each([[[]], [undefined], ['orders.read'], [Array.from({ length: 21 }, (_, one) => `s${one}`)]])(
  'rejects the scopes %j',
  (scopes) => {
    expect(read([{ ...orders, scopes }]).problems).toHaveLength(1)
  },
)

it('rejects an unknown field, an unknown algorithm and a list of the wrong type', () => {
  expect(read([{ ...orders, audience: 'x' }]).problems).toEqual([expect.stringContaining('is not a known key')])
  expect(read([{ ...orders, signing_alg: 'none' }]).problems).toEqual([expect.stringContaining('ES256 or RS256')])
  expect(read({ orders }).problems).toEqual(['teams[0].apis must be a list'])
})

it('rejects an identifier that two teams declare, and a scope of two APIs of a team', () => {
  expect(read([orders], [orders]).problems).toEqual([
    expect.stringContaining('teams[1].apis[0].identifier is given twice'),
  ])
  const stock = { ...orders, identifier: 'https://api.acme.example/stock' }
  expect(read([orders, stock]).problems).toEqual([expect.stringContaining('apis[1].scopes[0] is given twice')])
  expect(read([orders], [stock]).problems).toEqual([])
})
