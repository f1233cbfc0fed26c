import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerUserinfo } from '#lib/oauth/userinfo/userinfo'
import { ask } from '#lib/testing/oauth/authorize'
import { refusal } from '#lib/testing/oauth/tokens'
import {
  acme,
  basicAuth,
  callback,
  challengeOf,
  openPostern,
  type Postern,
  secret,
  verifier,
} from '#lib/testing/process/postern'

const app = {
  kind: 'confidential',
  profile: 'oidc',
  client_secret: secret,
  redirect_uris: [callback],
  scopes: ['openid', 'name', 'nickname', 'picture', 'gender', 'locale', 'email', 'profile'],
  email: 'optional',
}
const native = {
  kind: 'public',
  client_secret: undefined,
  redirect_uris: ['http://127.0.0.1/callback', 'http://[::1]:9000/callback?one=1', callback],
}
const apps = [
  { ...app, client_id: 'classic', name: 'Classic' },
  { ...app, client_id: 'classic-form', name: 'Form', token_endpoint_auth_method: 'client_secret_post' },
  { ...app, client_id: 'classic-es', name: 'Curve', id_token_signed_response_alg: 'ES256' },
  { ...app, client_id: 'classic-spa', name: 'Page', kind: 'public', client_secret: undefined },
  { ...app, ...native, client_id: 'classic-native', name: 'Native' },
  { ...app, ...native, client_id: 'strict-native', name: 'Strict', profile: 'standard' },
]

let postern: Postern
beforeAll(async () => {
  const teams = [...acme.teams, { id: 'classics', name: 'Classics', apps }]
  postern = await openPostern({ provision: { ...acme, teams } })
})
afterAll(() => postern.close())

/** Exchanges a fresh code of an app, without PKCE unless a challenge is given. */
async function exchange(clientId: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const { code_verifier } = form
  const challenge = code_verifier && challengeOf(code_verifier)
  const code = await postern.approve({ clientId, challenge, scopes: ['openid', 'name', 'nickname', 'locale'] })
  return postern.token({ grant_type: 'authorization_code', code, redirect_uri: callback, ...form }, headers)
}
const inForm = (client_id: string) => ({ client_id, client_secret: secret })

describe('an authorization request of profile oidc', () => {
  const withoutPkce = { code_challenge: undefined, code_challenge_method: undefined }

  it('needs neither PKCE nor state from a confidential app (Core §3.1.2.1: state is RECOMMENDED)', async () => {
    const { accepted } = await ask(postern.context, { client_id: 'classic', state: undefined, ...withoutPkce })
    expect([accepted?.clientId, accepted?.state, accepted?.challenge]).toEqual(['classic', undefined, undefined])
  })

  it('needs PKCE from a public app (RFC 9700 §2.1.1)', async () => {
    const { returned } = await ask(postern.context, { client_id: 'classic-spa', ...withoutPkce })
    expect(returned).toMatchObject({ error: 'invalid_request' })
  })

  it('is held to the challenge that it sends (RFC 7636 §4.4)', async () => {
    const { returned } = await ask(postern.context, { client_id: 'classic', code_challenge_method: 'plain' })
    expect(returned).toMatchObject({ error: 'invalid_request' })
  })
})

describe('a loopback redirect URI of a public app (RFC 8252 §7.3: "MUST allow any port")', () => {
  const outcomeOf = async (client_id: string, redirect_uri: string) => {
    const { accepted, shown } = await ask(postern.context, { client_id, redirect_uri })
    return accepted?.redirectUri ?? shown?.kind
  }

  it.each([
    'http://127.0.0.1/callback',
    'http://127.0.0.1:1/callback',
    'http://127.0.0.1:65535/callback',
    'http://[::1]/callback?one=1',
    'http://[::1]:49152/callback?one=1',
  ])('of profile oidc matches with any port: %s', async (uri) => {
    expect(await outcomeOf('classic-native', uri)).toBe(uri)
  })

  it.each([
    'http://127.0.0.1:65536/callback',
    'http://127.0.0.1:/callback',
    'http://127.0.0.1:-1/callback',
    'http://127.0.0.1:9000/callback/',
    'http://127.0.0.1:9000/callback?x',
    'http://127.0.0.1:9000/callback#x',
    'http://127.0.0.1:9000',
    'http://127.0.0.1:9000@evil.example/callback',
    'http://127.0.0.1.evil.example:9000/callback',
    'http://127.0.0.2:9000/callback',
    'http://localhost:9000/callback',
    'https://127.0.0.1:9000/callback',
    'http://[::1]:9000/callback',
    callback.replace('.example', '.example:8443'),
  ])('of profile oidc differs in nothing but the port: %s', async (uri) => {
    expect(await outcomeOf('classic-native', uri)).toBe('bad_redirect_uri')
  })

  it('of profile standard matches exactly (specification §4.2)', async () => {
    expect(await outcomeOf('strict-native', 'http://127.0.0.1/callback')).toBe('http://127.0.0.1/callback')
    expect(await outcomeOf('strict-native', 'http://127.0.0.1:9000/callback')).toBe('bad_redirect_uri')
  })
})

describe('client authentication of profile oidc (Core §9)', () => {
  it('takes the secret by HTTP Basic or in the form if no method is registered', async () => {
    expect((await exchange('classic', {}, basicAuth('classic', secret))).status).toBe(200)
    expect((await exchange('classic', inForm('classic'))).status).toBe(200)
  })

  it('takes the registered method alone', async () => {
    expect((await exchange('classic-form', inForm('classic-form'))).status).toBe(200)
    expect(await refusal(exchange('classic-form', {}, basicAuth('classic-form', secret)))).toBe('401 invalid_client')
  })

  it('rejects two methods in one request (RFC 6749 §2.3)', async () => {
    expect(await refusal(exchange('classic', inForm('classic'), basicAuth('classic', secret)))).toBe(
      '400 invalid_request',
    )
  })

  it.each(['', 'wrong', `${secret} `])('rejects the secret %j in the form', async (client_secret) => {
    expect(await refusal(exchange('classic', { client_id: 'classic', client_secret }))).toBe('401 invalid_client')
  })

  it('does not take the secret in the form from an app of profile standard', async () => {
    expect(await refusal(exchange('acme-web', inForm('acme-web')))).toBe('401 invalid_client')
  })
})

describe('the verifier of profile oidc', () => {
  it('is required when the request had a challenge (RFC 7636 §4.6)', async () => {
    const code = await postern.approve({ clientId: 'classic' })
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback, ...inForm('classic') }
    expect(await refusal(postern.token(form, {}))).toBe('400 invalid_grant')
    expect((await postern.token({ ...form, code_verifier: verifier }, {})).status).toBe(200)
  })

  it('is rejected when the request had none (RFC 9700 §4.8.2)', async () => {
    const code = await postern.approve({ clientId: 'classic', challenge: undefined })
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback, ...inForm('classic') }
    expect(await refusal(postern.token({ ...form, code_verifier: verifier }, {}))).toBe('400 invalid_grant')
  })
})

describe('the ID token', () => {
  const published = async () => createLocalJWKSet({ keys: await postern.context.oauth.keys.published() })
  const idTokenOf = async (clientId: string) => (await (await exchange(clientId, inForm(clientId))).json()).id_token

  it('is signed with RS256 unless ES256 is registered (Core §2, Registration §2)', async () => {
    const [classic, curve] = [await idTokenOf('classic'), await idTokenOf('classic-es')]
    expect([classic, curve].map((token) => decodeProtectedHeader(token).alg)).toEqual(['RS256', 'ES256'])
    for (const token of [classic, curve]) {
      const { payload } = await jwtVerify(token, await published(), { issuer: postern.context.config.issuer })
      expect(payload.sub).toBeDefined()
    }
  })

  it('stays valid as id_token_hint (Core §3.1.2.1)', async () => {
    const id_token_hint = await idTokenOf('classic')
    const { accepted } = await ask(postern.context, { client_id: 'classic', id_token_hint })
    expect(accepted?.hintedSubject).toBeDefined()
  })

  it('is signed by keys that the JWK set has, of both algorithms (Core §10.1.1)', async () => {
    const keys = await postern.context.oauth.keys.published()
    expect(keys.map(({ kty, alg, use }) => [kty, alg, use]).sort()).toEqual([
      ['EC', 'ES256', 'sig'],
      ['RSA', 'RS256', 'sig'],
    ])
    expect(keys.every((key) => !('d' in key))).toBe(true)
  })
})

describe('userinfo of profile oidc (Core §5.3)', () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    answerUserinfo(
      postern.context.oauth,
      new Request(`${postern.context.config.issuer}/userinfo`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body,
      }),
    )
  const accessTokenOf = async (clientId: string) =>
    (await (await exchange(clientId, inForm(clientId))).json()).access_token as string

  it('has granted and set claims only (§5.3.2: a claim that is not returned is absent)', async () => {
    const claims = await (await postern.userinfo(await accessTokenOf('classic'))).json()
    expect(claims).toEqual({
      sub: expect.any(String),
      name: 'Ada L.',
      locale: 'ja',
      updated_at: expect.any(Number),
    })
  })

  it('takes the access token in the form of a POST (RFC 6750 §2.2)', async () => {
    const access_token = await accessTokenOf('classic')
    const answer = await post(new URLSearchParams({ access_token }).toString())
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ name: 'Ada L.' })])
  })

  it('rejects a token in the header and in the form (RFC 6750 §2)', async () => {
    const access_token = await accessTokenOf('classic')
    const answer = await post(`access_token=${access_token}`, { authorization: `Bearer ${access_token}` })
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      400,
      expect.stringContaining('invalid_request'),
    ])
  })

  it.each([
    '',
    'access_token=',
    'access_token=x&access_token=y',
    'access_token=%zz',
    `access_token=${'x'.repeat(100_000)}`,
  ])('rejects the form %.40s', async (body) => {
    const { status } = await post(body)
    expect([400, 401]).toContain(status)
  })

  it('does not take a token of profile standard in the form', async () => {
    const code = await postern.approve({ clientId: 'acme-web' })
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
    const { access_token } = await (await postern.token(form)).json()
    expect((await post(`access_token=${access_token}`)).status).toBe(401)
  })
})
