import { describe, expect, it } from 'vitest'
import { requestSigner, signingProvision } from '#lib/testing/oauth/request-objects'
import { callback } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'

const postern = sharePostern({ provision: signingProvision })
const { seconds, sign, send, assertion, pushError, foreign } = requestSigner(postern)

/** Writes the claims with a parameter `claims` of 20,000 nested lists, which JSON.stringify cannot write. */
const nested = (claims: object) =>
  `${JSON.stringify(claims).slice(0, -1)},"claims":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`

const refusedAs = async (clientId: string, object: Promise<string>) => {
  const { returned, accepted } = await send(clientId, await object)
  expect(accepted).toBeUndefined()
  return returned?.error
}

describe('a request object is refused as invalid_request_object (RFC 9101 §6)', () => {
  const refused: [string, () => Promise<string>][] = [
    ['that another key signed', () => sign('standard-app', {}, { key: foreign.privateKey })],
    ['with an unknown kid', () => sign('standard-app', {}, { header: { kid: 'other' } })],
    ['of another app with the same key (§5: client_id must agree)', () => sign('twin-app')],
    ['without client_id (§4)', () => sign('standard-app', { client_id: undefined })],
    ['whose client_id is a list', () => sign('standard-app', { client_id: ['standard-app'] })],
    ['whose iss is another app', () => sign('standard-app', { iss: 'twin-app' })],
    ['without aud', () => sign('standard-app', { aud: undefined })],
    ['for another audience', () => sign('standard-app', { aud: 'https://other.example' })],
    ['for the token endpoint', () => sign('standard-app', { aud: `${postern.context.config.issuer}/oauth2/token` })],
    ['whose sub is the client_id (§10.8)', () => sign('standard-app', { sub: 'standard-app' })],
    ['with request inside (§4)', () => sign('standard-app', { request: 'x' })],
    ['with request_uri inside (§4)', () => sign('standard-app', { request_uri: 'urn:x' })],
    ['that is expired', () => sign('standard-app', { exp: seconds() - 1 })],
    ['whose exp is now', () => sign('standard-app', { exp: seconds() })],
    ['whose exp is 70 minutes ahead', () => sign('standard-app', { exp: seconds() + 4200 })],
    [
      'whose exp is 70 minutes ahead without nbf',
      () => sign('standard-app', { exp: seconds() + 4200, nbf: undefined }),
    ],
    ['whose nbf is 70 minutes ago', () => sign('standard-app', { nbf: seconds() - 4200 })],
    ['whose nbf is 70 seconds ahead', () => sign('standard-app', { nbf: seconds() + 70, exp: seconds() + 300 })],
    ['whose exp is a text', () => sign('standard-app', { exp: 'tomorrow' })],
    ['whose nbf is an object', () => sign('standard-app', { nbf: {} })],
    ['whose state is a number in a list', () => sign('standard-app', { state: [1] })],
    ['whose scope is an object', () => sign('standard-app', { scope: {} })],
    ['whose state has NUL', () => sign('standard-app', { state: 'a\0' })],
    ['of typ at+jwt', () => sign('standard-app', {}, { header: { typ: 'at+jwt' } })],
    [
      'of typ client-authentication+jwt',
      () => sign('standard-app', {}, { header: { typ: 'client-authentication+jwt' } }),
    ],
    ['of typ dpop+jwt', () => sign('standard-app', {}, { header: { typ: 'dpop+jwt' } })],
    ['whose kid is an object', () => sign('standard-app', {}, { header: { kid: { toString: 1 } } })],
    ['whose typ is an object', () => sign('standard-app', {}, { header: { typ: { toString: 1 } } })],
    ['whose claims are nested too deeply to be written', () => sign('standard-app', {}, { write: nested })],
    ['with b64 in its header', () => sign('standard-app', {}, { header: { b64: true } })],
    ['with a changed signature', async () => `${(await sign('standard-app')).slice(0, -4)}AAAA`],
    ['that is encrypted', async () => `${await sign('standard-app')}.x.y`],
    ['that is no JWT', async () => 'x'],
    ['that is a client assertion', () => assertion('standard-app')],
  ]
  it.each(refused)('%s, and the error goes to the registered redirect URI', async (_name, object) => {
    const { returned } = await send('standard-app', await object(), { redirect_uri: callback, state: 'outer' })
    expect(returned?.error).toBe('invalid_request_object')
  })

  it.each(refused)('%s at the endpoint for pushed requests', async (_name, object) => {
    expect(await pushError('standard-app', await object())).toBe('400 invalid_request_object')
  })

  it('that is no JWT, on a page of its own if no redirect URI is registered beside it', async () => {
    const { shown } = await send('standard-app', 'x', { redirect_uri: 'https://evil.example/' })
    expect(shown?.kind).toBe('bad_request_object')
    expect((await send('standard-app', 'x')).shown?.kind).toBe('bad_request_object')
  })

  it('and an app without keys gets request_not_supported', async () => {
    for (const clientId of ['oidc-keyless', 'acme-spa'])
      expect(await refusedAs(clientId, sign(clientId))).toBe('request_not_supported')
  })

  it('beside a foreign request_uri, which is never fetched (RFC 9101 §5)', async () => {
    const beside = { request_uri: 'https://acme.example/r', redirect_uri: callback, state: 'outer' }
    const { returned } = await send('standard-app', await sign('standard-app'), beside)
    expect(returned?.error).toBe('request_uri_not_supported')
  })
})
