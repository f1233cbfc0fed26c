/** An example of the body of each operation that has one; a program that sends them in order gets successes. */
export const examples: Record<string, Record<string, unknown>> = {
  renameTeam: { name: 'Garden Works' },
  changeMember: { role: 'developer' },
  inviteMember: { role: 'viewer' },
  registerApp: {
    name: 'Garden',
    kind: 'confidential',
    redirect_uris: ['https://garden.example/callback'],
    scopes: ['openid', 'name', 'email'],
    email: 'optional',
  },
  changeApp: { name: 'Garden Planner', homepage: 'https://garden.example/' },
  addKeys: {
    jwks: {
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          kid: 'garden-1',
          alg: 'ES256',
          use: 'sig',
          x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
          y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
        },
      ],
    },
  },
  setKeyAddress: { jwks_uri: 'https://garden.example/keys.json' },
  registerApi: { identifier: 'https://api.garden.example/', name: 'Garden API', scopes: ['beds.read', 'beds.write'] },
  replaceApi: { name: 'Garden API', scopes: ['beds.read'], signing_alg: 'ES256' },
  addDomain: { domain: 'garden.example' },
  addMailDomain: { domain: 'mail.garden.example' },
  setEventReceiver: { receiver: 'https://garden.example/events' },
  makeRegistrationToken: { name: 'Nightly build', profile: 'oidc', count: 5, days: 30 },
}

/** The answer that names each value of a path: an operation, and the place of the value in its body (RFC 6901). */
const sources: { path: RegExp; parameter: string; operationId: string; pointer: string }[] = [
  { path: /./, parameter: 'app', operationId: 'registerApp', pointer: '/client_id' },
  { path: /./, parameter: 'secret', operationId: 'addSecret', pointer: '/id' },
  { path: /./, parameter: 'kid', operationId: 'addKeys', pointer: '/keys/0/kid' },
  { path: /./, parameter: 'username', operationId: 'listMembers', pointer: '/items/0/username' },
  { path: /./, parameter: 'invitation', operationId: 'inviteMember', pointer: '/id' },
  { path: /./, parameter: 'api', operationId: 'registerApi', pointer: '/identifier' },
  { path: /./, parameter: 'offer', operationId: 'listOffers', pointer: '/items/0/id' },
  { path: /^\/tokens/, parameter: 'token', operationId: 'listTokens', pointer: '/items/0/id' },
  { path: /^\/registration-tokens/, parameter: 'token', operationId: 'makeRegistrationToken', pointer: '/id' },
  { path: /^\/domains/, parameter: 'domain', operationId: 'addDomain', pointer: '/items/0/domain' },
  { path: /mail/, parameter: 'domain', operationId: 'addMailDomain', pointer: '/items/0/domain' },
]

type Target = { id: string; path: string }

/** Returns the links of an answer (OpenAPI 3.1 §4.8.20): the operations whose paths hold a value of its body. */
export const linksFrom = (operationId: string, targets: readonly Target[]) =>
  Object.fromEntries(
    sources
      .filter((source) => source.operationId === operationId)
      .flatMap(({ path, parameter, pointer }) =>
        targets
          .filter((target) => path.test(target.path) && target.path.includes(`{${parameter}}`))
          .map(({ id }) => [id, { operationId: id, parameters: { [parameter]: `$response.body#${pointer}` } }]),
      ),
  )
