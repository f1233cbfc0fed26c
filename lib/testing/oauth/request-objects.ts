import { exportJWK, importJWK } from 'jose'
import { flowProvision } from '#lib/testing/browser/flow'
import { assertionClaims, assertionForm, makeAssertionKey, signJwt } from '#lib/testing/oauth/assertions'
import { ask, asking } from '#lib/testing/oauth/authorize'
import { basicAuth, type Postern, secret } from '#lib/testing/process/postern'

const [ec, rsa, ed, foreign] = await Promise.all([
  makeAssertionKey('ec'),
  makeAssertionKey('rsa', 'PS256'),
  makeAssertionKey('ed', 'EdDSA'),
  makeAssertionKey('ec'),
])
// WebCrypto binds a key to one algorithm.
const forRs256 = (await importJWK(await exportJWK(rsa.privateKey), 'RS256')) as CryptoKey
const keys: Record<string, { kid: string; key: CryptoKey }> = {
  ES256: { kid: 'ec', key: ec.privateKey },
  EdDSA: { kid: 'ed', key: ed.privateKey },
  PS256: { kid: 'rsa', key: rsa.privateKey },
  RS256: { kid: 'rsa', key: forRs256 },
}

const [first, ...others] = flowProvision.teams
const [web] = first?.apps ?? []
const signing = { ...web, client_secret: undefined, kind: 'assertion', jwks: { keys: [ec.publicJwk] } }
const all = { keys: [ec, rsa, ed].map(({ publicJwk }) => publicJwk) }
const apps = [
  { ...signing, client_id: 'standard-app' },
  { ...signing, client_id: 'must-sign', require_signed_request_object: true },
  { ...signing, client_id: 'twin-app' },
  { ...web, client_id: 'oidc-app', profile: 'oidc', jwks: all },
  { ...web, client_id: 'oidc-es256', profile: 'oidc', authorization_signed_response_alg: 'ES256' },
  { ...web, client_id: 'oidc-ps256', profile: 'oidc', jwks: all, request_object_signing_alg: 'PS256' },
  { ...web, client_id: 'oidc-keyless', profile: 'oidc' },
  { ...signing, client_id: 'bank-app', profile: 'fapi2', jwks: all },
]
/** The teams of the tests, and apps that sign. */
export const signingProvision = {
  ...flowProvision,
  teams: [{ ...first, apps: [...(first?.apps ?? []), ...apps] }, ...others],
}

export type Changed = Record<string, unknown>
type How = { alg?: string; header?: Changed; key?: CryptoKey; write?: (claims: Changed) => string }

/** Returns functions that sign and send request objects of these apps. */
export function requestSigner(postern: Postern) {
  const seconds = () => Math.floor(postern.clock.now.getTime() / 1000)
  /** Signs a request object of an app, with every parameter of the tests' request inside. */
  function sign(
    clientId: string,
    changed: Changed = {},
    { alg = 'ES256', header = {}, key, write = JSON.stringify }: How = {},
  ) {
    const times = { iat: seconds(), nbf: seconds(), exp: seconds() + 300 }
    const claims = { iss: clientId, aud: postern.context.config.issuer, ...times, ...asking, client_id: clientId }
    const head = { alg, kid: keys[alg]?.kid, typ: 'oauth-authz-req+jwt', ...header }
    return signJwt(write({ ...claims, ...changed }), head, key ?? (keys[alg]?.key as CryptoKey))
  }

  /** Sends a request object with client_id and the given parameters beside it. */
  async function send(clientId: string, object: string, beside: Record<string, string> = {}) {
    return ask(postern.context, new URLSearchParams({ client_id: clientId, request: object, ...beside }).toString())
  }

  const assertion = (clientId: string) =>
    signJwt(
      assertionClaims(clientId, postern.context.config.issuer, postern.clock.now),
      { alg: 'ES256', kid: 'ec' },
      ec.privateKey,
    )
  const credentials = async (clientId: string) => assertionForm(await assertion(clientId), clientId)

  async function pushObject(clientId: string, request: string, beside: Record<string, string> = {}) {
    if (clientId.startsWith('oidc')) return postern.push({ request, ...beside }, basicAuth(clientId, secret))
    return postern.push({ request, ...beside, ...(await credentials(clientId)) }, {})
  }

  async function pushError(clientId: string, request: string) {
    const answer = await pushObject(clientId, request)
    return `${answer.status} ${(await answer.json()).error}`
  }
  return { seconds, sign, send, assertion, credentials, pushObject, pushError, foreign }
}
