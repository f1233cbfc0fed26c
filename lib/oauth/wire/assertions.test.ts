import { createSecretKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProfileName } from '#lib/oauth/client/profile'
import { assertionForm, makeAssertionKey, signJwt } from '#lib/testing/oauth/assertions'
import { refusal } from '#lib/testing/oauth/tokens'
import { basicAuth, callback, openPostern, type Postern, secret } from '#lib/testing/process/postern'

const keys = {
  ES256: await makeAssertionKey('es'),
  PS256: await makeAssertionKey('ps', 'PS256'),
  EdDSA: await makeAssertionKey('ed', 'EdDSA'),
  RS256: rsaKey('rs'),
}
type Alg = keyof typeof keys

/** An RSA key that is registered for RS256, and that can sign with every RSA algorithm. */
function rsaKey(kid: string) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { kid, privateKey, publicJwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256' } }
}

let postern: Postern
beforeAll(async () => {
  const jwks = { keys: Object.values(keys).map(({ publicJwk }) => publicJwk) }
  const app = { kind: 'assertion', redirect_uris: [callback], scopes: ['openid'], jwks, profile: 'oidc' }
  const apps = ['standard', 'oidc', 'fapi2'].map((id) => ({ ...app, client_id: id, name: id }))
  postern = await openPostern({ provision: { teams: [{ id: 'acme', name: 'Acme', apps }], people: [] } })
  for (const id of ['standard', 'fapi2'])
    await postern.context.database.prisma.app.update({ where: { id }, data: { profile: id } })
})
afterAll(() => postern.close())

const issuer = () => postern.context.config.issuer
const seconds = () => Math.floor(postern.clock.now.getTime() / 1000)
type Changed = Record<string, unknown>

/** Authenticates as an app at the revocation endpoint; returns 200 or the refusal. */
async function ask(
  id: ProfileName,
  alg: Alg,
  changed: Changed = {},
  header: Changed = {},
  by: CryptoKey | KeyObject = keys[alg].privateKey,
  form: Changed = {},
) {
  const { kid } = keys[alg]
  const [iat, exp] = [seconds(), seconds() + 120]
  const claims = { iss: id, sub: id, aud: issuer(), jti: randomUUID(), iat, exp, ...changed }
  const assertion = await signJwt(claims, { alg, kid, ...header }, by)
  const answer = await revoke({ token: 'x', ...assertionForm(assertion, id), ...form } as Record<string, string>)
  return answer.status === 200 ? '200' : refusal(Promise.resolve(answer))
}
/** Each request comes from another address, so that refusals do not slow down later ones. */
const revoke = (form: Record<string, string | undefined>, headers: Record<string, string> = {}) =>
  postern.revoke(form, { 'x-postern-client': randomUUID(), ...headers })
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const refused = '401 invalid_client'

describe('the algorithm of a client assertion', () => {
  it.each<[ProfileName, Alg, string]>([
    ['standard', 'ES256', '200'],
    ['standard', 'PS256', refused],
    ['standard', 'EdDSA', refused],
    ['standard', 'RS256', refused],
    ['oidc', 'ES256', '200'],
    ['oidc', 'PS256', '200'],
    ['oidc', 'EdDSA', '200'],
    ['oidc', 'RS256', refused],
    ['fapi2', 'ES256', '200'],
    ['fapi2', 'PS256', '200'],
    ['fapi2', 'EdDSA', '200'],
    ['fapi2', 'RS256', refused],
  ])(
    'in %s, %s: %s (specification §2.5; FAPI 2.0 §5.4.1 "shall use PS256, ES256, or EdDSA")',
    async (id, alg, outcome) => {
      expect(await ask(id, alg)).toBe(outcome)
    },
  )

  it('may be named Ed25519 for EdDSA (RFC 9864 §2.2), as oauth4webapi names it', async () => {
    expect(await ask('fapi2', 'EdDSA', {}, { alg: 'Ed25519' })).toBe('200')
    expect(await ask('standard', 'EdDSA', {}, { alg: 'Ed25519' })).toBe(refused)
  })

  it('belongs to the type of the key that kid names (RFC 7515 §10.7)', async () => {
    expect(await ask('fapi2', 'ES256', {}, { kid: 'ps' })).toBe(refused)
    expect(await ask('fapi2', 'PS256', {}, { kid: 'es' })).toBe(refused)
    expect(await ask('fapi2', 'EdDSA', {}, { kid: 'es' })).toBe(refused)
    expect(await ask('oidc', 'RS256', {}, { kid: 'ps' })).toBe(refused)
  })

  it('fits the alg of the registered key, if the key names one (RFC 7517 §4.4)', async () => {
    expect(await ask('oidc', 'RS256', {}, { alg: 'PS256' })).toBe(refused)
  })

  it('is never none or a MAC with the public key as secret (RFC 8725 §3.1)', async () => {
    for (const id of ['standard', 'oidc', 'fapi2'] as const) {
      const shared = createSecretKey(Buffer.from(JSON.stringify(keys.PS256.publicJwk)))
      expect(await ask(id, 'PS256', {}, { alg: 'HS256' }, shared)).toBe(refused)
      const claims = { iss: id, sub: id, aud: issuer(), jti: randomUUID(), iat: seconds(), exp: seconds() + 60 }
      const unsigned = [{ alg: 'none', kid: 'ps' }, claims].map((part) => encode(part)).join('.')
      expect(await refusal(revoke({ token: 'x', ...assertionForm(`${unsigned}.`, id) }))).toBe(refused)
    }
  })
})

describe('the audience of a client assertion', () => {
  const both = () => [issuer(), `${issuer()}/oauth2/token`]
  it.each<[ProfileName, string, () => unknown, string]>([
    ['fapi2', 'the issuer', () => issuer(), '200'],
    ['fapi2', 'the issuer in a list', () => [issuer()], refused],
    ['fapi2', 'issuer and token endpoint in a list', both, refused],
    ['fapi2', 'an empty list', () => [], refused],
    ['fapi2', 'nothing', () => undefined, refused],
    ['fapi2', 'the issuer with a slash', () => `${issuer()}/`, refused],
    ['fapi2', 'the token endpoint', () => `${issuer()}/oauth2/token`, refused],
    ['fapi2', 'the PAR endpoint', () => `${issuer()}/oauth2/par`, refused],
    ['fapi2', 'another server', () => 'https://elsewhere.example', refused],
    ['oidc', 'the issuer', () => issuer(), '200'],
    ['oidc', 'the token endpoint', () => `${issuer()}/oauth2/token`, '200'],
    ['oidc', 'issuer and token endpoint in a list', both, '200'],
    ['oidc', 'the PAR endpoint, where nothing is pushed', () => `${issuer()}/oauth2/par`, refused],
    ['oidc', 'the issuer and another server', () => [issuer(), 'https://elsewhere.example'], refused],
  ])(
    'in %s, %s: FAPI 2.0 §5.3.2.1 "shall only accept its issuer identifier value as a string in the aud claim"',
    async (...[id, , aud, outcome]) => {
      expect(await ask(id, 'ES256', { aud: aud() })).toBe(outcome)
    },
  )
})

describe('the claims of a client assertion in fapi2', () => {
  it.each<[string, () => Changed, string]>([
    ['sub is the client_id', () => ({}), '200'],
    ['sub is missing', () => ({ sub: undefined }), refused],
    ['sub is empty', () => ({ sub: '' }), refused],
    ['sub is another app', () => ({ sub: 'oidc' }), refused],
    ['iss is missing', () => ({ iss: undefined }), refused],
    ['iss is another app', () => ({ iss: 'oidc' }), refused],
    ['jti is missing', () => ({ jti: undefined }), refused],
    ['exp is missing', () => ({ exp: undefined }), refused],
    ['exp has passed', () => ({ exp: seconds() }), refused],
  ])('%s: RFC 7523 §3 rules 1 to 4, Core §9 "iss, sub, aud, jti, exp REQUIRED"', async (_, changed, outcome) => {
    expect(await ask('fapi2', 'ES256', changed())).toBe(outcome)
  })

  it('names the app by sub when the form has no client_id (RFC 7521 §4.2)', async () => {
    const form = { client_id: undefined }
    expect(await ask('fapi2', 'ES256', {}, {}, undefined, form)).toBe('200')
    expect(await ask('fapi2', 'ES256', { sub: undefined }, {}, undefined, form)).toBe(refused)
  })

  it.each([
    ['iat', 8, '200'],
    ['iat', 10, '200'],
    ['iat', 61, refused],
    ['nbf', 8, '200'],
    ['nbf', 10, '200'],
    ['nbf', 61, refused],
    ['nbf', -600, '200'],
  ])(
    '%s %s seconds ahead: %s (FAPI 2.0 §5.3.2.1: accepted to 10 seconds in the future, refused from 60)',
    async (name, ahead, outcome) => {
      expect(await ask('fapi2', 'ES256', { [name]: seconds() + ahead })).toBe(outcome)
    },
  )

  it('are used once: RFC 7523 §3 rule 7, Core §9 "These tokens MUST only be used once"', async () => {
    const jti = randomUUID()
    expect(await ask('fapi2', 'PS256', { jti })).toBe('200')
    expect(await ask('fapi2', 'EdDSA', { jti })).toBe(refused)
    const raced = randomUUID()
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('fapi2', 'EdDSA', { jti: raced })))
    expect(answers.sort()).toEqual(['200', ...Array(7).fill(refused)])
  })
})

describe('another JWT of the app', () => {
  it('is no client assertion: a request object is refused by its typ (RFC 9101 §10.8)', async () => {
    for (const typ of ['oauth-authz-req+jwt', 'application/oauth-authz-req+jwt', 'OAuth-AuthZ-Req+JWT'])
      expect(await ask('oidc', 'ES256', {}, { typ })).toBe(refused)
    expect(await ask('oidc', 'ES256', {}, { typ: 'JWT' })).toBe('200')
    expect(await ask('oidc', 'ES256', {}, { typ: 'client-authentication+jwt' })).toBe('200')
  })
})

it('authenticates a fapi2 app alone: neither a secret nor nothing (FAPI 2.0 §5.3.2.1, private_key_jwt)', async () => {
  expect(await refusal(revoke({ token: 'x', client_id: 'fapi2' }))).toBe(refused)
  expect(await refusal(revoke({ token: 'x', client_id: 'fapi2', client_secret: secret }))).toBe(refused)
  expect(await refusal(revoke({ token: 'x' }, basicAuth('fapi2', secret)))).toBe(refused)
})
