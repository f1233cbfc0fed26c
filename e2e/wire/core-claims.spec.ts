import type { JWTPayload } from 'jose'
import type { Changes, Client } from './client.ts'
import { expect, type Person, type Provider, people, test } from './provider.ts'
import { readIdToken, tokensOf } from './tokens.ts'
import { formOf, openAgent, type UserAgent } from './user-agent.ts'

const { ada, bob } = people
let client: Client
/** The browser in which Ada is signed in. */
let agent: UserAgent
test.beforeAll(async ({ provider }) => {
  client = await provider.client('oidc')
  agent = openAgent(provider)
})

type Asked = { userinfo?: unknown; id_token?: unknown; [other: string]: unknown }
type Claims = { scope: string; userinfo: JWTPayload; idToken: JWTPayload; refreshToken: string }

/** Signs in with the parameter claims; returns the claims of userinfo and of the ID token. */
async function claimsOf(
  provider: Provider,
  claims: Asked,
  { person = ada, app = client, scope = 'openid' }: { person?: Person; app?: Client; scope?: string } = {},
): Promise<Claims> {
  const parameters = { claims: JSON.stringify(claims), scope }
  const tokens = await tokensOf(person === ada ? agent : openAgent(provider, { person }), app, parameters)
  const userinfo = (await app.userinfo(tokens.access_token)).json()
  const { claims: idToken } = await readIdToken(provider, app, tokens.id_token)
  return { scope: tokens.scope, userinfo, idToken, refreshToken: tokens.refresh_token }
}

/** Returns the answer to a request with the parameter claims. */
const answerTo = (claims: Asked | string, changes: Changes = {}) =>
  agent.authorize(client, {
    claims: typeof claims === 'string' ? claims : JSON.stringify(claims),
    ...changes,
  })

test.describe('OpenID Connect Core 1.0 §5.5 Requesting Claims using the "claims" Request Parameter', () => {
  // Discovery §3: claims_parameter_supported
  test('is supported, as discovery says', ({ provider }) => {
    expect(provider.discovery.claims_parameter_supported).toBe(true)
  })

  // "userinfo OPTIONAL. Requests that the listed individual Claims be returned from the UserInfo Endpoint … in addition to
  // any Claims that are being requested using scope values." Module oidcc-claims-essential.
  test('returns claims of the member userinfo beside those of scopes, and not in the ID token', async ({
    provider,
  }) => {
    const { userinfo, idToken } = await claimsOf(
      provider,
      { userinfo: { name: { essential: true }, email: null } },
      { scope: 'openid nickname' },
    )
    expect(userinfo).toMatchObject({ name: ada.name, email: ada.email, nickname: ada.nickname })
    for (const name of ['name', 'email', 'nickname']) expect(idToken).not.toHaveProperty(name)
  })

  // "id_token OPTIONAL. Requests that the listed individual Claims be returned in the ID Token … in addition to the default
  // Claims in the ID Token."
  test('returns claims of the member id_token beside the default ones, also after a refresh', async ({ provider }) => {
    const { idToken, refreshToken } = await claimsOf(provider, {
      id_token: { auth_time: { essential: true }, name: null, email: { essential: true } },
    })
    const all = { iss: provider.issuer, nonce: 'the nonce', name: ada.name, email: ada.email }
    expect(idToken).toMatchObject({ ...all, auth_time: expect.any(Number) })
    const again = await readIdToken(provider, client, (await client.refresh(refreshToken)).json().id_token)
    expect(again.claims).toMatchObject({ name: ada.name, email: ada.email, auth_time: idToken.auth_time })
  })

  // "Other members MAY be present. Any members used that are not understood MUST be ignored."
  test('ignores unknown members and unknown claims', async ({ provider }) => {
    const { userinfo } = await claimsOf(provider, {
      verified: { name: null },
      userinfo: { 'http://example.info/claims/groups': null, phone_number: { essential: true }, name: null },
    })
    expect(Object.keys(userinfo).sort()).toEqual(['name', 'sub', 'updated_at'])
  })

  test('asks the person before it returns a requested claim', async ({ provider }) => {
    const own = await provider.client('oidc')
    await agent.authorize(own)
    const claims = JSON.stringify({ userinfo: { gender: { essential: true } } })
    const form = formOf(await agent.open(await own.authorizationUrl({ claims })), '/consent/submit')
    expect(form?.fields).toContainEqual(['scope', 'gender'])
    const back = await agent.submit(form, { scope: ['openid'] })
    const { access_token } = (await own.exchange(back.returned ?? {})).json()
    expect(Object.keys((await own.userinfo(access_token)).json())).toEqual(['sub'])
  })

  test('refuses a parameter that is no JSON object of objects as invalid_request', async () => {
    for (const claims of ['{', '[]', 'null', '"name"', '{"userinfo":[]}', '{"id_token":{"name":"essential"}}'])
      expect(await answerTo(claims), claims).toMatchObject({ error: 'invalid_request', state: 'the state' })
  })

  // "Should an OP not support this parameter and an RP uses it, the OP SHOULD return a set of Claims to the RP that it
  // believes would be useful": the profile `standard` does not support the parameter, and ignores it.
  test('ignores the parameter of an app of profile standard', async ({ provider }) => {
    const app = await provider.client('standard')
    const { scope } = await claimsOf(provider, { userinfo: { name: { essential: true } } }, { app })
    expect(scope).toBe('openid')
  })

  test('reads the parameter in a pushed request of an app of profile fapi2', async ({ provider }) => {
    const app = await provider.client('fapi2')
    const { userinfo, idToken } = await claimsOf(
      provider,
      { userinfo: { name: null }, id_token: { nickname: null } },
      { app },
    )
    expect([userinfo.name, idToken.nickname]).toEqual([ada.name, ada.nickname])
  })
})

test.describe('OpenID Connect Core 1.0 §5.5.1 Individual Claims Requests', () => {
  // "null: Indicates that this Claim is being requested in the default manner."; "essential"; "Other members MAY be defined …
  // Any members used that are not understood MUST be ignored."
  test('returns a claim that is requested with null, as essential, as voluntary, or with unknown members', async ({
    provider,
  }) => {
    for (const name of [null, {}, { essential: true }, { essential: false }, { purpose: 'x', max_age: 1 }])
      expect((await claimsOf(provider, { userinfo: { name } })).userinfo.name).toBe(ada.name)
  })

  // "even if the Claims are not available because the End-User did not authorize their release or they are not present, the
  // Authorization Server MUST NOT generate an error when Claims are not returned, whether they are Essential or Voluntary"
  test('returns no error when an essential claim is not set', async ({ provider }) => {
    const essential = { name: { essential: true }, email: { essential: true } }
    const { userinfo, idToken } = await claimsOf(
      provider,
      { userinfo: essential, id_token: essential },
      { person: bob },
    )
    for (const one of [userinfo, idToken]) {
      expect(one).not.toHaveProperty('name')
      expect(one).not.toHaveProperty('email')
    }
  })

  // "value OPTIONAL. Requests that the Claim be returned with a particular value."; "values … processed equivalently to a
  // value request, except that a choice of acceptable Claim values is provided."
  test('returns a claim that is requested with a value only with this value', async ({ provider }) => {
    const [right, wrong] = [{ value: ada.locale }, { values: ['ja', 'zh-CN'], essential: true }]
    const first = await claimsOf(provider, { userinfo: { locale: right }, id_token: { locale: wrong } })
    expect([first.userinfo.locale, first.idToken.locale]).toEqual([ada.locale, undefined])
    const other = await claimsOf(provider, {
      userinfo: { locale: wrong, email: { value: 'ada@elsewhere.example' } },
      id_token: { locale: { values: ['ja', ada.locale] } },
    })
    expect([other.userinfo.locale, other.idToken.locale]).toEqual([undefined, ada.locale])
    expect(other.userinfo).not.toHaveProperty('email')
  })

  // "If the Claim was sub, a mismatch MUST cause the authentication to fail"
  test('fails with the sub of another person, and succeeds with the sub of this person', async ({ provider }) => {
    const { sub } = (await claimsOf(provider, {})).userinfo
    const own = await claimsOf(provider, { id_token: { sub: { value: sub } } })
    expect(own.idToken.sub).toBe(sub)
    expect(await answerTo({ id_token: { sub: { value: 'another' } } })).toMatchObject({
      error: 'login_required',
    })
  })
})

test.describe('OpenID Connect Core 1.0 §5.5.1.1 Requesting the "acr" Claim', () => {
  const acr = (asked: object | null) => ({ id_token: { acr: asked } })

  // "… the Authorization Server MUST return an acr Claim Value that matches one of the requested values."
  test('returns a requested acr that the sign-in reached', async ({ provider }) => {
    const { idToken } = await claimsOf(provider, acr({ essential: true, values: ['urn:x:gold', 'aal1'] }))
    expect(idToken.acr).toBe('aal1')
  })

  // "If this is an Essential Claim and the requirement cannot be met, then the Authorization Server MUST treat that outcome
  // as a failed authentication attempt."
  test('fails when an essential acr cannot be reached', async () => {
    for (const values of [['aal2'], ['urn:x:gold']])
      expect(await answerTo(acr({ essential: true, values }))).toMatchObject({
        error: 'unmet_authentication_requirements',
        state: 'the state',
      })
  })

  // "If the Claim is not Essential and a requested value cannot be provided, the Authorization Server SHOULD return the
  // session's current acr as the value of the acr Claim."
  test("returns the session's acr when a voluntary one cannot be reached", async ({ provider }) => {
    for (const asked of [null, { value: 'aal2' }, { values: ['urn:x:gold'] }])
      expect((await claimsOf(provider, acr(asked))).idToken.acr).toBe('aal1')
  })
})

test.describe('OpenID Connect Core 1.0 §5.2 and §5.5.2 Languages and Scripts', () => {
  // "If … the End-User and Client are requesting Claims in only one set of languages and scripts, it is RECOMMENDED
  // that OPs return Claims without language tags". Postern stores one value of each claim, and not its language.
  test('returns a claim that is requested in a language without a tag', async ({ provider }) => {
    const { userinfo } = await claimsOf(provider, { userinfo: { 'name#ja-Kana-JP': null, 'nickname#en': null } })
    expect(Object.keys(userinfo).sort()).toEqual(['name', 'nickname', 'sub', 'updated_at'])
  })

  // §3.1.2.1: "An error SHOULD NOT result if some or all of the requested locales are not supported." Module
  // oidcc-claims-locales.
  test('accepts claims_locales', async () => {
    for (const claims_locales of ['se', 'ja zh-TW en', 'x'])
      expect((await answerTo({ userinfo: { name: null } }, { claims_locales })).code).toBeDefined()
  })
})
