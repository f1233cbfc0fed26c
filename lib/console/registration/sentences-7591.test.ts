import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openRegistration } from '#lib/testing/console/registration'
import { openTeams } from '#lib/testing/console/teams'
import { sharePostern } from '#lib/testing/process/share-postern'

// The sentences of RFC 7591, as docs/conformance.md lists them.

const uris = ['https://robot.example/cb']
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const asKey = (key: typeof publicKey) => ({ ...key.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' })

/** Returns metadata with this text as its keys. */
const keyed = (keys: string) =>
  `{"redirect_uris":["https://robot.example/cb"],"token_endpoint_auth_method":"private_key_jwt","jwks":{"keys":${keys}}}`

describe('RFC 7591', () => {
  const postern = sharePostern({ env: { TEAMS: 'open' } })
  // The names of a team that the operator has approved are not checked, so this is not acme.
  const { teamWith } = openTeams(postern)
  const { makeInitial, register, handle } = openRegistration(postern)
  const initial = async () => {
    const { owner, id } = await teamWith('viewer')
    return makeInitial(owner, id)
  }
  const registered = async (metadata: object) => register(await initial(), { redirect_uris: uris, ...metadata })
  const refused = async (metadata: object) => {
    const { status, body } = await registered(metadata)
    return [status, body.error]
  }
  const invalid = [400, 'invalid_client_metadata']

  it('gives omitted fields their defaults (§2)', async () => {
    expect((await registered({})).body).toMatchObject({
      token_endpoint_auth_method: 'client_secret_basic',
      response_types: ['code'],
      grant_types: expect.arrayContaining(['authorization_code']),
      scope: 'openid',
      client_name: expect.stringMatching(/^app-/),
    })
  })

  it.each([
    ['client_secret_basic', true],
    ['client_secret_post', true],
    ['none', false],
  ])('registers the method %s (§2)', async (method, hasSecret) => {
    const { status, body } = await registered({ token_endpoint_auth_method: method })
    expect([status, body.token_endpoint_auth_method, 'client_secret' in body]).toEqual([201, method, hasSecret])
  })

  it('registers public keys, and refuses private ones (§2)', async () => {
    const method = { token_endpoint_auth_method: 'private_key_jwt' }
    const { status, body } = await registered({ ...method, jwks: { keys: [asKey(publicKey)] } })
    expect([status, body.jwks]).toEqual([201, { keys: [expect.objectContaining({ kid: 'one', alg: 'ES256' })] }])
    expect(body).not.toHaveProperty('client_secret')
    expect(await refused({ ...method, jwks: { keys: [asKey(privateKey as typeof publicKey)] } })).toEqual(invalid)
  })

  it('answers with jwks_uri and without jwks; fetches nothing at the registration (§2)', async () => {
    const method = { token_endpoint_auth_method: 'private_key_jwt' }
    const { status, body } = await registered({ ...method, jwks_uri: 'https://never-asked.invalid/jwks' })
    expect([status, body.jwks_uri, 'jwks' in body]).toEqual([201, 'https://never-asked.invalid/jwks', false])
  })

  // An address of a private network is refused when it is fetched: lib/http/outbound.test.ts.
  it.each([
    'https://user:password@robot.example/jwks',
    'https://robot.example/jwks#x',
    'https://robot.example/*/jwks',
    'file:///etc/passwd',
    'ftp://robot.example/jwks',
    '//robot.example/jwks',
  ])('refuses the jwks_uri %s (§2)', async (jwks_uri) => {
    expect(await refused({ token_endpoint_auth_method: 'private_key_jwt', jwks_uri })).toEqual(invalid)
  })

  it('ignores metadata that it does not understand, and query parameters (§2)', async () => {
    const token = await initial()
    const body = JSON.stringify({
      redirect_uris: uris,
      client_id: 'mine',
      client_secret: 'mine',
      software_id: '4NRB1-0XZABZI9E6-5SM3R',
      contacts: ['a@robot.example'],
      'client_uri#ja': 'https://robot.example/ja',
      'name#ja': 'ロボット',
      constructor: 1,
    })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' }
    const url = `${postern.context.config.issuer}/register?client_id=x&client_id=y`
    const answer = await handle(new Request(url, { method: 'POST', headers, body }))
    const made = (await answer.json()) as Record<string, string>
    expect(answer.status).toBe(201)
    expect(made.client_id).toMatch(/^app-/)
    expect(made.client_secret).not.toBe('mine')
    for (const name of ['software_id', 'contacts', 'client_uri#ja', 'client_name#ja', 'name#ja'])
      expect(made).not.toHaveProperty([name])
  })

  it.each([
    [{ response_types: [] }, invalid],
    [{ response_types: ['code', 'token'] }, invalid],
    [{ grant_types: ['authorization_code', 'implicit'] }, invalid],
    [{ grant_types: [] }, invalid],
    [{ grant_types: ['authorization_code'], response_types: ['code'] }, [201, undefined]],
  ])('keeps grants and response types consistent: %j (§2.1)', async (metadata, answer) => {
    expect(await refused(metadata)).toEqual(answer)
  })

  it('registers names with language tags, and returns them (§2.2)', async () => {
    const names = { client_name: 'Garden', 'client_name#ja': 'ガーデン', 'client_name#zh-TW': '花園' }
    const { status, body } = await registered(names)
    expect([status, body]).toEqual([201, expect.objectContaining(names)])
    const client = await postern.context.oauth.store.findClient(String(body.client_id))
    expect(client).toMatchObject({ name: 'Garden', names: { ja: 'ガーデン', 'zh-TW': '花園' } })
    const { status: refusal, body: why } = await registered({ ...names, 'client_name#ja': 'x'.repeat(81) })
    expect([refusal, why.error_description]).toEqual([400, expect.stringMatching(/^client_name#ja /)])
  })

  it('ignores a language in which people see no names (§2.2)', async () => {
    const { status, body } = await registered({ client_name: 'Garten', 'client_name#de': 'Garten' })
    expect([status, body]).toEqual([201, expect.not.objectContaining({ 'client_name#de': 'Garten' })])
  })

  it('accepts no software statement (§2.3)', async () => {
    expect(await refused({ software_statement: 'eyJhbGciOiJub25lIn0.e30.' })).toEqual([
      400,
      'unapproved_software_statement',
    ])
    expect(await refused({ software_statement: null })).toEqual([400, 'unapproved_software_statement'])
  })

  it('challenges a request without an initial access token (§3)', async () => {
    const url = `${postern.context.config.issuer}/register`
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    const answer = await handle(new Request(url, init))
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer/)])
  })

  it.each(['application/x-www-form-urlencoded', 'text/plain', ''])('refuses the type %j (§3.1)', async (type) => {
    const url = `${postern.context.config.issuer}/register`
    const headers = { authorization: `Bearer ${await initial()}`, 'content-type': type }
    const body = JSON.stringify({ redirect_uris: uris })
    const answer = await handle(new Request(url, { method: 'POST', headers, body }))
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_client_metadata' }])
  })

  it('gives each app a client_id and a secret of its own (§3.2.1)', async () => {
    const [one, two] = [(await registered({})).body, (await registered({})).body]
    expect(one.client_id).not.toBe(two.client_id)
    expect(one.client_secret).not.toBe(two.client_secret)
    expect(one).toMatchObject({ client_secret_expires_at: 0, client_id_issued_at: expect.any(Number) })
  })

  it('returns every registered value (§3.2.1)', async () => {
    const metadata = {
      client_name: 'Whole',
      client_uri: 'https://robot.example/',
      policy_uri: 'https://robot.example/policy',
      tos_uri: 'https://robot.example/tos',
      post_logout_redirect_uris: ['https://robot.example/bye'],
      backchannel_logout_uri: 'https://robot.example/logout',
      id_token_signed_response_alg: 'ES256',
      dpop_bound_access_tokens: true,
      scope: 'openid name',
    }
    expect((await registered(metadata)).body).toMatchObject(metadata)
  })

  it.each([
    [{ client_name: 'Postern' }, 'client_name: This name could pass for the service itself.'],
    [{ client_name: 'Official Account Team' }, 'client_name: This name could pass for the service itself.'],
    [{ client_name: 'Gаrden' }, 'client_name: The name mixes letters of scripts that look alike.'],
    [{ client_name: 'Fine', 'client_name#ja': 'Support' }, 'client_name#ja: This name could pass'],
  ])('refuses a name that deceives: %j (§5)', async (names, sentence) => {
    const { status, body } = await registered(names)
    expect([status, body.error]).toEqual(invalid)
    expect(body.error_description).toContain(sentence)
  })

  it.each([
    ['a NUL', { client_name: 'a\0b' }],
    ['an invisible character', { client_name: 'Gar\u202eden' }],
    ['a list as a name', { client_name: ['a'] }],
    ['an object as a redirect URI', { redirect_uris: [{ toString: 'https://robot.example/' }] }],
    ['a key with a prototype', { jwks: { __proto__: null, keys: [{ __proto__: 1 }] } }],
    ['a javascript address', { client_uri: 'javascript:alert(1)' }],
    ['an address with a password', { policy_uri: 'https://a:b@robot.example/' }],
  ])('refuses %s', async (_, metadata) => {
    expect((await refused(metadata))[0]).toBe(400)
  })

  it.each([
    ['{"redirect_uris":["https://robot.example/cb"],"__proto__":{"client_name":"Postern"}}', 201],
    ['{"client_name":"One","client_name":"Two","redirect_uris":["https://robot.example/cb"]}', 201],
    [`{"redirect_uris":["https://robot.example/cb"],"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 201],
    [`${'['.repeat(30_000)}`, 400],
    [keyed(`[${'['.repeat(15_000)}${']'.repeat(15_000)}]`), 400],
    [keyed(`[${'{"kty":'.repeat(5000)}1${'}'.repeat(5000)}]`), 400],
    [keyed(`[{"kty":"EC","crv":"P-256","x":${'['.repeat(15_000)}${']'.repeat(15_000)},"y":"a","kid":"a"}]`), 400],
    ['\ufeff{}', 400],
  ])('reads hostile JSON as data (%#)', async (body, status) => {
    const answer = await register(await initial(), body)
    expect(answer.status).toBe(status)
    expect(['Postern', 'One']).not.toContain(answer.body.client_name)
  })

  it('limits the requests of an address, and counts them before it looks for the token (§5)', async () => {
    const attempts = await Promise.all(Array.from({ length: 620 }, () => register('wrong', {})))
    const refusals = attempts.filter(({ status }) => status === 429)
    expect(refusals.length).toBeGreaterThanOrEqual(19)
    expect(Number(refusals[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refusals[0]?.body.error).toBe('temporarily_unavailable')
    postern.later(120)
  })
})
