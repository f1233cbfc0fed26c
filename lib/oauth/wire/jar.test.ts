import { describe, expect, it } from 'vitest'
import { assertionForm } from '#lib/testing/oauth/assertions'
import { ask, asking } from '#lib/testing/oauth/authorize'
import { type Changed, requestSigner, signingProvision } from '#lib/testing/oauth/request-objects'
import { callback } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'

const postern = sharePostern({ provision: signingProvision })
const { seconds, sign, send, credentials, pushObject, pushError } = requestSigner(postern)

const refusedAs = async (clientId: string, object: Promise<string>) => {
  const { returned, accepted } = await send(clientId, await object)
  expect(accepted).toBeUndefined()
  return returned?.error
}

describe('a signed request object by value (RFC 9101 §5.1)', () => {
  it('replaces the parameters of the request', async () => {
    const object = await sign('standard-app', { nonce: 'n', max_age: 60, prompt: 'login' })
    const { accepted } = await send('standard-app', object)
    expect(accepted).toMatchObject({ redirectUri: callback, state: 'state', nonce: 'n', maxAge: 60, prompt: ['login'] })
  })

  it('makes every parameter outside it but client_id ignored (RFC 9101 §6.3)', async () => {
    const beside = { scope: 'openid email', state: 'outer', prompt: 'none', nonce: 'outer', response_type: 'token' }
    const { accepted } = await send('standard-app', await sign('standard-app'), beside)
    expect(accepted).toMatchObject({ state: 'state', scopes: ['openid', 'name'], prompt: [] })
  })

  it('is not completed by parameters outside it', async () => {
    const object = await sign('standard-app', { scope: undefined })
    expect((await send('standard-app', object, { scope: 'openid' })).returned).toMatchObject({ error: 'invalid_scope' })
    const homeless = await sign('standard-app', { redirect_uri: undefined })
    expect((await send('standard-app', homeless, { redirect_uri: callback })).shown?.kind).toBe('bad_redirect_uri')
  })

  it('is checked as any request is', async () => {
    expect(await refusedAs('standard-app', sign('standard-app', { code_challenge_method: 'plain' }))).toBe(
      'invalid_request',
    )
    const evil = await sign('standard-app', { redirect_uri: 'https://evil.example/' })
    expect((await send('standard-app', evil)).shown?.kind).toBe('bad_redirect_uri')
  })

  it.each([
    ['typ absent', { typ: undefined }],
    ['typ JWT', { typ: 'JWT' }],
    ['typ application/oauth-authz-req+jwt', { typ: 'application/oauth-authz-req+jwt' }],
    ['kid absent, where one key fits', { kid: undefined }],
  ])('is accepted with %s', async (_name, header) => {
    expect((await send('standard-app', await sign('standard-app', {}, { header }))).accepted).toBeDefined()
  })

  it.each([
    ['aud as a list with the issuer', { aud: ['https://other.example', 'the issuer'] }],
    ['no iss', { iss: undefined }],
    ['nbf 8 seconds ahead', { nbf: 8 }],
    ['neither exp nor nbf, since only message signing needs them', { exp: undefined, nbf: undefined }],
    ['a claim that is no parameter', { foo: { bar: [1] } }],
    ['claims as an object', { claims: { userinfo: { name: null } } }],
  ])('is accepted with %s', async (_name, changed: Changed) => {
    const aud = Array.isArray(changed.aud) ? { aud: ['https://other.example', postern.context.config.issuer] } : {}
    const nbf = changed.nbf === 8 ? { nbf: seconds() + 8 } : {}
    expect(
      (await send('standard-app', await sign('standard-app', { ...changed, ...aud, ...nbf }))).accepted,
    ).toBeDefined()
  })
})

describe('the parameter request', () => {
  it('counts as absent if it is empty (RFC 6749 §3.1)', async () => {
    const { accepted } = await ask(postern.context, { request: '' })
    expect(accepted).toMatchObject({ state: 'state' })
  })

  it('is refused if it is repeated, or has 60,000 characters', async () => {
    const object = await sign('standard-app')
    const repeated = `client_id=standard-app&request=${object}&request=${object}`
    expect((await ask(postern.context, repeated)).shown?.kind).toBe('bad_redirect_uri')
    const huge = await send('standard-app', `${object}${'a'.repeat(60_000)}`)
    expect(huge.returned?.error).toBe('invalid_request_object')
  })

  it('makes eight requests of one object that is sent eight times at once', async () => {
    const object = await sign('standard-app')
    const sent = await Promise.all(Array.from({ length: 8 }, () => send('standard-app', object)))
    expect(new Set(sent.map(({ accepted }) => accepted?.id)).size).toBe(8)
  })
})

describe('the algorithms of request objects', () => {
  it.each(['ES256', 'PS256', 'EdDSA', 'RS256'])('include %s for profile oidc', async (alg) => {
    expect((await send('oidc-app', await sign('oidc-app', {}, { alg }))).accepted).toBeDefined()
  })

  it('leave RS256 out for every other profile (FAPI 2.0 §5.4.1)', async () => {
    expect(await pushError('bank-app', await sign('bank-app', {}, { alg: 'RS256' }))).toBe('400 invalid_request_object')
    for (const alg of ['ES256', 'PS256', 'EdDSA'])
      expect(await pushError('bank-app', await sign('bank-app', {}, { alg }))).toBe('201 undefined')
  })

  it('are the registered one alone (RFC 9101 §9, request_object_signing_alg)', async () => {
    expect((await send('oidc-ps256', await sign('oidc-ps256', {}, { alg: 'PS256' }))).accepted).toBeDefined()
    expect(await refusedAs('oidc-ps256', sign('oidc-ps256'))).toBe('invalid_request_object')
  })

  it('never include none (RFC 9101 §10.1)', async () => {
    const [, payload] = (await sign('oidc-app')).split('.')
    for (const alg of ['none', 'None', 'nOnE', 'HS256']) {
      const header = Buffer.from(JSON.stringify({ alg })).toString('base64url')
      expect(await refusedAs('oidc-app', Promise.resolve(`${header}.${payload}.`))).toBe('invalid_request_object')
    }
  })
})

describe('the refusal of a request object', () => {
  const bad = (changed: Changed = {}) => sign('oidc-app', { aud: 'x', state: 'inner', ...changed })

  it('is delivered with the state of the object', async () => {
    const { returned } = await send('oidc-app', await bad(), { redirect_uri: callback, state: 'outer' })
    expect(returned).toMatchObject({ error: 'invalid_request_object', state: 'inner' })
  })

  it('is delivered by form_post if the object asks for it', async () => {
    const { address } = await send('oidc-app', await bad({ response_mode: 'form_post' }))
    expect([address.origin, address.pathname]).toEqual([postern.context.config.accountUrl, '/return'])
  })

  it('never goes to a redirect URI that is not registered', async () => {
    const evil = await bad({ redirect_uri: 'https://evil.example/' })
    expect((await send('oidc-app', evil)).shown?.kind).toBe('bad_request_object')
    const { address } = await send('oidc-app', evil, { redirect_uri: callback })
    expect(address.origin).toBe(new URL(callback).origin)
  })
})

describe('request objects and client assertions are kept apart (RFC 9101 §10.8)', () => {
  it('refuses a request object as a client assertion', async () => {
    const sent = { response_type: 'code', redirect_uri: callback, scope: 'openid' }
    for (const header of [{}, { typ: undefined }]) {
      const object = await sign('standard-app', { jti: crypto.randomUUID() }, { header })
      const answer = await postern.push({ ...sent, ...assertionForm(object, 'standard-app') }, {})
      expect(answer.status).toBe(401)
    }
  })
})

describe('message signing (FAPI 2.0 Message Signing §5.3.1)', () => {
  it.each(['exp', 'nbf'])('needs %s in a request object of profile fapi2', async (name) => {
    expect(await pushError('bank-app', await sign('bank-app', { [name]: undefined }))).toBe(
      '400 invalid_request_object',
    )
  })
})

describe('a pushed request object (RFC 9126 §3)', () => {
  it('is kept as its parameters; none outside it counts', async () => {
    const answer = await pushObject('standard-app', await sign('standard-app'), {
      scope: 'openid email',
      state: 'outer',
    })
    const { request_uri } = await answer.json()
    const { accepted } = await ask(postern.context, `client_id=standard-app&request_uri=${request_uri}`)
    expect(accepted).toMatchObject({ state: 'state', scopes: ['openid', 'name'] })
  })

  it('may expire between the push and the browser', async () => {
    const { request_uri } = await (
      await pushObject('standard-app', await sign('standard-app', { exp: seconds() + 5 }))
    ).json()
    postern.later(60)
    const { accepted } = await ask(postern.context, `client_id=standard-app&request_uri=${request_uri}`)
    expect(accepted).toBeDefined()
  })
})

describe('an app that must sign (RFC 9101 §10.5, require_signed_request_object)', () => {
  it('gets invalid_request for an unsigned request and for an unsigned push', async () => {
    const unsigned = await ask(postern.context, { client_id: 'must-sign' })
    expect(unsigned.returned).toMatchObject({ error: 'invalid_request', state: 'state' })
    const pushed = await postern.push({ ...asking, ...(await credentials('must-sign')) }, {})
    expect([pushed.status, (await pushed.json()).error]).toEqual([400, 'invalid_request'])
  })

  it('is accepted with a signed request and with a signed push', async () => {
    expect((await send('must-sign', await sign('must-sign'))).accepted).toBeDefined()
    const { request_uri } = await (await pushObject('must-sign', await sign('must-sign'))).json()
    const opened = await ask(postern.context, `client_id=must-sign&request_uri=${request_uri}`)
    expect(opened.accepted).toBeDefined()
  })
})
