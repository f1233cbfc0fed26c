import { callback, challengeOf, verifier } from '#lib/testing/process/postern'
import { signingProvision } from './request-objects.ts'

/** The identifiers of the APIs of the tests (RFC 8707). */
export const orders = 'https://api.acme.example/orders'
export const stock = 'https://api.acme.example/stock'
export const classic = 'https://api.acme.example/classic'
export const foreign = 'https://api.other.example'
export const many = ['1', '2', '3', '4'].map((one) => `https://api.acme.example/${one}`)
const apis = [
  { identifier: orders, name: 'Acme Orders', scopes: ['orders.read', 'orders.write'] },
  { identifier: stock, name: 'Acme Stock', scopes: ['stock.read'] },
  { identifier: classic, name: 'Acme Classic', scopes: ['classic.read'], signing_alg: 'RS256' },
  ...many.map((identifier, one) => ({ identifier, name: 'Acme More', scopes: [`more${one}.read`] })),
]
const [first, other] = signingProvision.teams
const [web] = first?.apps ?? []
const oidc = { ...web, client_id: 'acme-oidc', profile: 'oidc' }
/** The teams of the tests; both have APIs. */
export const apiProvision = {
  ...signingProvision,
  teams: [
    { ...first, apps: [...(first?.apps ?? []), oidc], apis },
    { ...other, apis: [{ identifier: foreign, name: 'Other', scopes: ['orders.read', 'foreign.read'] }] },
  ],
}

type Resource = string | string[]
export type Sent = Record<string, Resource | undefined>

/** Returns a form or query; a list makes a parameter that is repeated (RFC 8707 §2). */
export const encode = (sent: Sent) =>
  new URLSearchParams(
    Object.entries(sent).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one])),
  ).toString()

/** The parameters of a request that names one API. */
export const askingForApi = {
  response_type: 'code',
  client_id: 'acme-web',
  redirect_uri: callback,
  state: 'state',
  scope: 'openid name orders.read orders.write',
  code_challenge: challengeOf(verifier),
  code_challenge_method: 'S256',
  resource: orders,
}
