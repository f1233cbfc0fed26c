import type { Changes, Client } from './client.ts'
import { expect, type Provider, people, test } from './provider.ts'
import { readIdToken, tokensOf } from './tokens.ts'
import { formOf, openAgent, type UserAgent } from './user-agent.ts'

const { username, password: _, ...profile } = people.ada
const { email, ...ofProfile } = profile
let client: Client
/** The browser in which Ada is signed in. */
let ada: UserAgent
test.beforeAll(async ({ provider }) => {
  client = await provider.client('oidc')
  ada = openAgent(provider)
})

/** Signs in with these parameters; returns the claims of userinfo and of the ID token. */
async function claimsOf(provider: Provider, parameters: Changes, agent = ada) {
  const { access_token, id_token, scope } = await tokensOf(agent, client, parameters)
  const userinfo = (await client.userinfo(access_token)).json()
  return { scope, userinfo, idToken: (await readIdToken(provider, client, id_token)).claims }
}

test.describe('OpenID Connect Core 1.0 §5.1 Standard Claims', () => {
  test('returns each claim with its type', async ({ provider }) => {
    const { userinfo } = await claimsOf(provider, { scope: 'openid profile email' })
    expect(userinfo).toEqual({
      ...ofProfile,
      preferred_username: username,
      sub: expect.any(String),
      email,
      email_verified: true,
      // "Its value is a JSON number representing the number of seconds from 1970-01-01T00:00:00Z"
      updated_at: expect.any(Number),
    })
    // "represented as an ISO 8601-1 YYYY-MM-DD format"
    expect(userinfo.birthdate).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(Math.abs(userinfo.updated_at * 1000 - Date.now())).toBeLessThan(3_600_000)
    // "represented as a BCP47 language tag"
    expect(Intl.getCanonicalLocales(userinfo.locale)).toEqual([userinfo.locale])
  })

  // Discovery §3: claims_supported "values that the OpenID Provider MAY be able to supply values for"
  test('delivers every claim that discovery lists', async ({ provider }) => {
    const whole = { ...people.ada, username: 'picture-fay', email: 'fay@example.org' }
    await provider.apply({ people: [whole] })
    const data = { avatarFile: 'abcdefghijklmnop.png' }
    await provider.database.prisma.person.update({ where: { username: whole.username }, data })
    const parameters = { scope: 'openid profile email', max_age: '10000' }
    const { userinfo, idToken } = await claimsOf(provider, parameters, openAgent(provider, { person: whole }))
    const delivered = Object.keys({ ...userinfo, ...idToken })
    expect(delivered).toEqual(expect.arrayContaining(provider.discovery.claims_supported as string[]))
  })

  // "picture … This URL MUST refer to an image file … rather than to a Web page"
  test('returns picture as the absolute https address of an image file', async ({ provider }) => {
    const eve = { username: 'picture-eve', password: 'correct horse battery' }
    await provider.apply({ people: [eve] })
    const data = { avatarFile: 'abcdefghijklmnop.png' }
    await provider.database.prisma.person.update({ where: { username: eve.username }, data })
    const { userinfo } = await claimsOf(provider, { scope: 'openid picture' }, openAgent(provider, { person: eve }))
    expect(userinfo.picture).toBe(`${provider.issuer}/avatars/${data.avatarFile}`)
  })

  // §5.6.1: "Support for Normal Claims is REQUIRED."; Discovery §3: claim_types_supported, claims_supported
  test('supports normal claims, and lists every claim that it returns', async ({ provider }) => {
    const { userinfo, idToken } = await claimsOf(provider, { scope: 'openid profile email', max_age: '10000' })
    expect(provider.discovery.claim_types_supported).toEqual(['normal'])
    const listed = [...(provider.discovery.claims_supported as string[]), 'at_hash']
    expect(listed).toEqual(expect.arrayContaining([...Object.keys(userinfo), ...Object.keys(idToken)]))
  })
})

test.describe('OpenID Connect Core 1.0 §5.4 Requesting Claims using Scope Values', () => {
  const cases: [module: string, scope: string, claims: Record<string, unknown>][] = [
    ['oidcc-scope-profile', 'openid profile', { ...ofProfile, preferred_username: username }],
    ['oidcc-scope-email', 'openid email', { email, email_verified: true }],
    ['oidcc-ensure-other-scope-order-succeeds', 'email openid', { email, email_verified: true }],
    ['oidcc-scope-all', 'openid profile email address phone', { ...ofProfile, email, email_verified: true }],
  ]
  for (const [module, scope, claims] of cases)
    test(`returns the claims of the scopes "${scope}" from userinfo (module ${module})`, async ({ provider }) => {
      const { userinfo } = await claimsOf(provider, { scope })
      expect(userinfo).toMatchObject(claims)
      for (const value of Object.values(userinfo)) expect([null, '', 0]).not.toContain(value)
    })

  // Modules oidcc-scope-address and oidcc-scope-phone are skipped when discovery does not list these scopes.
  test('does not list the scopes address and phone, and ignores them', async ({ provider }) => {
    for (const scope of ['address', 'phone']) {
      expect(provider.discovery.scopes_supported).not.toContain(scope)
      const { userinfo } = await claimsOf(provider, { scope: `openid ${scope}` })
      expect(Object.keys(userinfo)).toEqual(['sub'])
    }
  })

  // "The Claims requested by the profile, email, address, and phone scope values are returned from the UserInfo Endpoint …
  // when a response_type value is used that results in an Access Token being issued."
  test('keeps the claims of scopes out of the ID token, except locale', async ({ provider }) => {
    const { idToken } = await claimsOf(provider, { scope: 'openid profile email' })
    for (const name of ['name', 'nickname', 'email', 'email_verified', 'gender', 'birthdate', 'updated_at'])
      expect(idToken).not.toHaveProperty(name)
    // Specification §2.3: "locale is included in the ID token when the locale scope is granted"
    expect(idToken.locale).toBe(people.ada.locale)
  })

  // "Claims requested by the following scopes are treated by Authorization Servers as Voluntary Claims."; "In some cases,
  // the End-User will be given the option to have the OpenID Provider decline to provide some or all information
  // requested by RPs."
  test('lets the person decline each scope, and then answers without its claims and without an error', async ({
    provider,
  }) => {
    const own = await provider.client('oidc')
    const agent = openAgent(provider)
    const page = await agent.signIn(await agent.open(await own.authorizationUrl({ scope: 'openid name gender email' })))
    const form = formOf(page, '/consent/submit')
    const asked = form?.fields.filter(([name]) => name === 'scope').map(([, value]) => value)
    expect(asked).toEqual(expect.arrayContaining(['name', 'gender']))
    const back = await agent.submit(form, { scope: ['openid', 'gender'], email_choice: 'none' })
    const answer = (await own.exchange(back.returned ?? {})).json()
    expect(answer.scope).toBe('openid gender')
    const claims = (await own.userinfo(answer.access_token)).json()
    expect(Object.keys(claims).sort()).toEqual(['gender', 'sub', 'updated_at'])
  })
})
