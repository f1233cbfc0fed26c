import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { profileScopes } from '#lib/oauth/scope'
import { anyCharacter } from '#lib/testing/oauth/any-character'
import { type Asked, ask, queryOf } from '#lib/testing/oauth/authorize'
import { acme, callback, openPostern, verifier } from '#lib/testing/process/postern'
import { sharePostern } from '#lib/testing/process/share-postern'

const [first] = acme.teams
const narrow = { ...first?.apps[0], client_id: 'acme-narrow', scopes: ['openid', 'name'], email: 'none' }
const provision = { ...acme, teams: [{ ...first, apps: [...(first?.apps ?? []), narrow] }] }

const postern = sharePostern({ provision })

const accept = async (asked: Asked) => (await ask(postern.context, asked)).accepted
const refuse = async (asked: Asked) => {
  const { response, returned = {} } = await ask(postern.context, asked)
  expect(response.status).toBe(303)
  expect(Object.keys(returned).filter((name) => name !== 'state')).toEqual(['error', 'error_description', 'iss'])
  // RFC 6749 §4.1.2.1 limits the characters of error_description; these need no escaping on a page or in a log either.
  expect(returned.error_description).toMatch(/^[\x20\x21\x23-\x26\x28-\x5b\x5d-\x7e]+$/)
  return `${returned.error}: ${returned.error_description}`
}

/** JSON doubles each of its 4,096 characters. */
const longest = '"'.repeat(4096)

describe('an invalid request', () => {
  it.each<[string, Asked, RegExp]>([
    ['a repeated known parameter', `${queryOf({})}&scope=openid`, /^invalid_request: .* scope is repeated/],
    ['a parameter that is also sent empty', `${queryOf({})}&nonce=&nonce=a`, /^invalid_request: .* nonce is repeated/],
    ['no response_type', { response_type: undefined }, /^invalid_request: .*response_type is missing/],
    ['an empty response_type', { response_type: '' }, /^invalid_request: .*response_type is missing/],
    ['response_type token', { response_type: 'token' }, /^unsupported_response_type:/],
    ['response_type id_token', { response_type: 'id_token' }, /^unsupported_response_type:/],
    ['response_type code id_token', { response_type: 'code id_token' }, /^unsupported_response_type:/],
    ['response_type in capitals', { response_type: 'CODE' }, /^unsupported_response_type:/],
    ['no scope', { scope: undefined }, /^invalid_scope: .*openid/],
    ['scope without openid', { scope: 'name email' }, /^invalid_scope: .*openid/],
    ['openid in capitals', { scope: 'OPENID' }, /^invalid_scope: .*openid/],
    ['openid followed by a tab', { scope: 'openid\tname' }, /^invalid_scope: .*openid/],
    ['no state', { state: undefined }, /^invalid_request: .*state is missing/],
    ['an empty state', { state: '' }, /^invalid_request: .*state is missing/],
    ['a state of 4097 characters', { state: 's'.repeat(4097) }, /^invalid_request: .*state is longer than 4096/],
    [
      'a state of 8193 bytes',
      { state: '字'.repeat(2731) },
      /^invalid_request: .*state is longer than 4096 characters or 8192 bytes/,
    ],
    ['a nonce of 513 characters', { nonce: 'n'.repeat(513) }, /^invalid_request: .*nonce is longer than 512/],
    ['no challenge', { code_challenge: undefined }, /^invalid_request: .*code_challenge is missing/],
    [
      'neither challenge nor method',
      { code_challenge: undefined, code_challenge_method: undefined },
      /^invalid_request: .*code_challenge is missing/,
    ],
    ['challenge method plain', { code_challenge_method: 'plain' }, /^invalid_request: .*must be S256/],
    ['no challenge method', { code_challenge_method: undefined }, /^invalid_request: .*must be S256/],
    ['a challenge method in small letters', { code_challenge_method: 's256' }, /^invalid_request: .*must be S256/],
    [
      'a short challenge',
      { code_challenge: 'a'.repeat(42) },
      /^invalid_request: .*code_challenge must be the base64url/,
    ],
    [
      'a long challenge',
      { code_challenge: 'A'.repeat(44) },
      /^invalid_request: .*code_challenge must be the base64url/,
    ],
    [
      'a padded challenge',
      { code_challenge: `${'A'.repeat(43)}=` },
      /^invalid_request: .*code_challenge must be the base64url/,
    ],
    [
      'a challenge whose last character no hash has',
      { code_challenge: 'a'.repeat(42).concat('b') },
      /^invalid_request: .*code_challenge must be the base64url/,
    ],
    [
      'a challenge in base64',
      { code_challenge: '+'.repeat(42).concat('A') },
      /^invalid_request: .*code_challenge must be the base64url/,
    ],
    ['prompt none beside another', { prompt: 'none login' }, /^invalid_request: .*none cannot be combined/],
    ['an unknown prompt', { prompt: 'create' }, /^invalid_request: .*prompt must be/],
    ['an unknown prompt beside a known one', { prompt: 'login hurry' }, /^invalid_request: .*prompt must be/],
    ['a negative max_age', { max_age: '-1' }, /^invalid_request: .*max_age/],
    ['a fractional max_age', { max_age: '1.5' }, /^invalid_request: .*max_age/],
    ['max_age in words', { max_age: 'ten' }, /^invalid_request: .*max_age/],
    ['max_age with a blank', { max_age: ' 5' }, /^invalid_request: .*max_age/],
    ['a max_age of 16 digits', { max_age: '1'.repeat(16) }, /^invalid_request: .*max_age/],
    ['response_mode fragment', { response_mode: 'fragment' }, /^invalid_request: .*response_mode/],
    ['response_mode query.jwt', { response_mode: 'query.jwt' }, /^invalid_request: .*response_mode/],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, /^request_not_supported:/],
    ['a request_uri', { request_uri: 'https://acme.example/r' }, /^request_uri_not_supported:/],
    ['a pushed request_uri', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }, /^request_uri_not_sup/],
    ['a hint that is not a token', { id_token_hint: 'junk' }, /^invalid_request: .*id_token_hint/],
    ['a hint with an empty signature', { id_token_hint: 'e30.e30.' }, /^invalid_request: .*id_token_hint/],
    ['too large a size once sealed', { state: longest, nonce: '\u0001'.repeat(512) }, /^invalid_request: .*too large/],
  ])('is refused for %s', async (_, asked, expected) => {
    expect(await refuse(asked)).toMatch(expected)
  })

  it('returns the state exactly as it was sent', async () => {
    const state = '\u0001"<>&=+% é😀\n'
    expect((await ask(postern.context, { state, scope: 'x' })).returned?.state).toBe(state)
  })

  it('records that it is too large in the recent failures', async () => {
    await ask(postern.context, { client_id: 'acme-spa', state: longest, nonce: '\u0001'.repeat(512) })
    const failure = {
      endpoint: 'authorize',
      reason: 'The authorization request is too large. Send fewer or shorter parameters.',
      count: 1,
    }
    await expect.poll(() => postern.failures('acme-spa')).toMatchObject([failure])
  })

  it('returns no state if the state is too long', async () => {
    expect((await ask(postern.context, { state: 's'.repeat(4097) })).returned).not.toHaveProperty('state')
  })
})

describe('a valid request', () => {
  it.each<[string, Asked, object]>([
    ['unknown parameters, also repeated', `${queryOf({})}&x=1&x=2&audience=y`, { state: 'state' }],
    ['a state of 4096 characters', { state: 's'.repeat(4096) }, { state: 's'.repeat(4096) }],
    ['a state of 8192 bytes', { state: longest }, { state: longest }],
    ['a nonce of 512 characters', { nonce: 'n'.repeat(512) }, { nonce: 'n'.repeat(512) }],
    ['the longest state and nonce', { state: '"'.repeat(1000), nonce: '"'.repeat(512) }, { nonce: '"'.repeat(512) }],
    [
      'unknown scopes, which are ignored',
      { scope: 'openid offline_access name phone' },
      { scopes: ['openid', 'name'] },
    ],
    ['a repeated scope, which counts once', { scope: 'openid openid  name' }, { scopes: ['openid', 'name'] }],
    [
      'the bundle, which adds its nine scopes',
      { scope: 'openid profile' },
      { scopes: ['openid', 'profile', ...profileScopes] },
    ],
    [
      'the bundle beside one of its nine scopes',
      { scope: 'name openid profile' },
      { scopes: expect.arrayContaining([...profileScopes]) },
    ],
    ['prompt none', { prompt: 'none' }, { prompt: ['none'] }],
    [
      'several prompts',
      { prompt: 'login consent  select_account' },
      { prompt: ['login', 'consent', 'select_account'] },
    ],
    ['an empty prompt, which counts as absent', { prompt: '' }, { prompt: [] }],
    ['max_age 0', { max_age: '0' }, { maxAge: 0 }],
    ['a max_age of 68 years', { max_age: '2147483647' }, { maxAge: 2_147_483_647 }],
    ['a max_age with leading zeros', { max_age: '0060' }, { maxAge: 60 }],
    ['response_mode query', { response_mode: 'query' }, { responseMode: 'query' }],
    ['response_mode form_post', { response_mode: 'form_post' }, { responseMode: 'form_post' }],
    ['login_hint', { login_hint: 'ada' }, { loginHint: 'ada' }],
    ['ui_locales', { ui_locales: 'xx ja en' }, { uiLocales: 'xx ja en' }],
    ['claims', { claims: '{"id_token":{"email":{"essential":true}}}' }, { scopes: ['openid', 'name'] }],
    ['claims that are not JSON', { claims: '{' }, { scopes: ['openid', 'name'] }],
    ['display', { display: 'popup' }, { state: 'state' }],
    ['an unknown display', { display: 'hologram' }, { state: 'state' }],
    ['claims_locales', { claims_locales: 'ja' }, { state: 'state' }],
    ['acr_values', { acr_values: 'urn:x aal2' }, { state: 'state' }],
  ])('may have %s', async (_, asked, expected) => {
    expect(await accept(asked)).toMatchObject(expected)
  })

  it('treats empty values as absent', async () => {
    const accepted = await accept({
      nonce: '',
      max_age: '',
      login_hint: '',
      id_token_hint: '',
      request: '',
      claims: '',
    })
    for (const name of ['nonce', 'maxAge', 'loginHint', 'hintedSubject']) expect(accepted).not.toHaveProperty(name)
  })

  it('gets a new id and the time', async () => {
    const [one, two] = [await accept({}), await accept({})]
    expect(one?.id).toMatch(/^[A-Za-z0-9_-]{22}$/)
    expect(one?.id).not.toBe(two?.id)
    expect(one?.issuedAt).toBe(Math.floor(postern.context.now().getTime() / 1000))
  })

  it('keeps state and nonce exactly as they were sent', async () => {
    const hostile = fc
      .string({ unit: anyCharacter, minLength: 1, maxLength: 60 })
      .filter((text) => text.isWellFormed() && !text.includes('\0'))
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (state, nonce) => {
        expect(await accept({ state, nonce })).toMatchObject({ state, nonce })
        expect((await ask(postern.context, { state, nonce, scope: 'x' })).returned?.state).toBe(state)
      }),
      {
        examples: [
          ['😀&=+%"<>\'\\', '\r\n\t;,#?/'],
          [' lead and trail ', '%00%0a+&state=x'],
        ],
      },
    )
  })
})

describe('id_token_hint', () => {
  const idToken = async () => {
    const form = { grant_type: 'authorization_code', code: await postern.approve(), redirect_uri: callback }
    return (await postern.token({ ...form, code_verifier: verifier })).json()
  }

  it('names its person, also after its expiry', async () => {
    const { id_token } = await idToken()
    const { sub } = JSON.parse(Buffer.from(id_token.split('.')[1], 'base64url').toString())
    expect((await accept({ id_token_hint: id_token }))?.hintedSubject).toBe(sub)
    postern.later(86_400)
    expect((await accept({ id_token_hint: id_token }))?.hintedSubject).toBe(sub)
  })

  it('is rejected when it is an access token or was changed', async () => {
    const { id_token, access_token } = await idToken()
    const [header, , signature] = id_token.split('.')
    const changed = `${header}.${Buffer.from('{"sub":"x"}').toString('base64url')}.${signature}`
    for (const id_token_hint of [access_token, changed]) {
      expect(await refuse({ id_token_hint })).toMatch(/^invalid_request: .*id_token_hint/)
    }
  })

  it('is rejected when another issuer signed it', async () => {
    const foreign = await openPostern()
    const form = { grant_type: 'authorization_code', code: await foreign.approve(), redirect_uri: callback }
    const { id_token } = await (await foreign.token({ ...form, code_verifier: verifier })).json()
    await foreign.close()
    expect(await refuse({ id_token_hint: id_token })).toMatch(/^invalid_request: .*id_token_hint/)
  })
})
