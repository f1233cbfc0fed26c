import type { Client } from './client.ts'
import { bye, byeWithQuery, endOf, leavingApp, signedIn, stepsOf } from './logout.ts'
import { expect, people, test } from './provider.ts'
import { openAgent, plain } from './user-agent.ts'

let client: Client
test.beforeAll(async ({ provider }) => {
  client = await leavingApp(provider)
})

const characters = ` !"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~azAZ09`.repeat(4).slice(0, 128)

test.describe('OpenID Connect RP-Initiated Logout 1.0 §2 RP-Initiated Logout', () => {
  // "OpenID Providers MUST support the use of the HTTP GET and POST methods … at the Logout Endpoint."; "If using the HTTP
  // POST method, the request parameters are serialized using Form Serialization."
  for (const method of ['GET', 'POST'] as const)
    test(`accepts the request by ${method}, and signs the person out`, async ({ provider }) => {
      const { leave, silent, hint } = await signedIn(provider, client)
      expect(endOf(await leave({ id_token_hint: hint, post_logout_redirect_uri: bye }, method))).toBe(bye)
      expect(await silent()).toBe('login_required')
    })

  // "When both client_id and id_token_hint are present, the OP MUST verify that the Client Identifier matches the one used
  // when issuing the ID Token."
  test('accepts a hint beside the client_id of its app, and refuses it beside another one', async ({ provider }) => {
    const other = await leavingApp(provider)
    const { leave, silent, hint } = await signedIn(provider, client)
    const asked = { id_token_hint: hint, post_logout_redirect_uri: bye }
    expect(endOf(await leave({ ...asked, client_id: other.id }))).toBe('error 400')
    expect(await silent()).toBeUndefined()
    expect(endOf(await leave({ ...asked, client_id: client.id }))).toBe(bye)
  })

  // "When an id_token_hint parameter is present, the OP MUST validate that it was the issuer of the ID Token."
  test('refuses a hint that it did not sign', async ({ provider }) => {
    const { leave, silent, hint } = await signedIn(provider, client)
    const [header = '', payload = ''] = hint.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const foreign = await client.assertion(JSON.parse(Buffer.from(payload, 'base64url').toString()))
    const changed = Buffer.from(Buffer.from(payload, 'base64url').toString().replace(client.id, 'x')).toString(
      'base64url',
    )
    const hints = [`${none}.${payload}.`, `${header}.${payload}.`, `${header}.${changed}.AAAA`, foreign, 'x']
    for (const id_token_hint of hints)
      expect(endOf(await leave({ id_token_hint, post_logout_redirect_uri: bye })), id_token_hint).toBe('error 400')
    expect(await silent()).toBeUndefined()
  })

  // "… the OP MUST ask the End-User this question if an id_token_hint was not provided or if the supplied ID Token does not
  // belong to the current OP session with the RP and/or currently logged in End-User."
  test('asks the person without a hint, and with a hint of another session or of another person', async ({
    provider,
  }) => {
    const elsewhere = await signedIn(provider, client)
    const bob = await signedIn(provider, client, openAgent(provider, { person: people.bob }))
    const { leave, silent } = await signedIn(provider, client)
    for (const id_token_hint of [undefined, elsewhere.hint, bob.hint]) {
      const asked = { id_token_hint, client_id: client.id, post_logout_redirect_uri: bye }
      expect(endOf(await leave(asked))).toBe('asks')
      expect(await silent()).toBeUndefined()
    }
    expect([await elsewhere.silent(), await bob.silent()]).toEqual([undefined, undefined])
  })

  // "If the End-User says "yes", then the OP MUST log out the End-User."
  test('signs the person out after a yes, and not before', async ({ provider }) => {
    const { leave, confirm, silent } = await signedIn(provider, client)
    const page = await leave({ client_id: client.id, post_logout_redirect_uri: bye, state: 'x' })
    expect([endOf(page), await silent()]).toEqual(['asks', undefined])
    expect(endOf(await confirm(page))).toBe(`${bye}?state=x`)
    expect(await silent()).toBe('login_required')
  })

  // "logout_hint OPTIONAL. … The value and meaning of this parameter is left up to the OP's discretion."
  test('ignores logout_hint, unknown and empty parameters', async ({ provider }) => {
    const { leave, hint } = await signedIn(provider, client)
    const ignored = { logout_hint: 'bob', extra: 'x', state: '', client_id: '' }
    expect(endOf(await leave({ id_token_hint: hint, post_logout_redirect_uri: bye, ...ignored }))).toBe(bye)
  })

  // "ui_locales OPTIONAL. … An error SHOULD NOT result if some or all of the requested locales are not supported"
  test('shows each page in the first supported language of ui_locales', async ({ provider }) => {
    const { leave, confirm } = await signedIn(provider, client)
    const language = ({ text }: { text: string }) => /<html[^>]* lang="([^"]*)"/.exec(text)?.[1]
    const page = await leave({ ui_locales: 'xx ja en' })
    expect([endOf(page), language(page)]).toEqual(['asks', 'ja'])
    expect(language(await leave({ ui_locales: 'xx zh-TW', client_id: 'nobody' }))).toBe('zh-TW')
    expect(language(await confirm(page))).toBe('ja')
  })
})

test.describe('OpenID Connect RP-Initiated Logout 1.0 §2.1 OpenID Provider Discovery Metadata', () => {
  // "end_session_endpoint REQUIRED. … This URL MUST use the https scheme"
  test('lists end_session_endpoint with https', ({ provider }) => {
    expect(provider.discovery.end_session_endpoint).toBe(`${provider.issuer}/oauth2/logout`)
    expect(provider.issuer).toMatch(/^https:/)
  })
})

test.describe('OpenID Connect RP-Initiated Logout 1.0 §3 Redirection to RP After Logout', () => {
  // §2: "If included in the logout request, the OP passes this value back to the RP using the state parameter when
  // redirecting the User Agent back to the RP."
  for (const [name, state] of [
    ['128 characters', characters],
    ['another script', '状態 é+%20&='],
  ] as const)
    test(`returns a state of ${name} as it was sent, and nothing else`, async ({ provider }) => {
      const { leave, hint } = await signedIn(provider, client)
      const page = await leave({ id_token_hint: hint, post_logout_redirect_uri: bye, state })
      expect([`${page.url.origin}${page.url.pathname}`, page.returned]).toEqual([bye, { state }])
    })

  test('returns nothing when no state was sent, and keeps the query of the registered address', async ({
    provider,
  }) => {
    const { leave, hint } = await signedIn(provider, client)
    expect(endOf(await leave({ id_token_hint: hint, post_logout_redirect_uri: byeWithQuery }))).toBe(byeWithQuery)
    const next = stepsOf(provider, client, openAgent(provider))
    const asked = { client_id: client.id, post_logout_redirect_uri: byeWithQuery, state: 'x' }
    expect(endOf(await next.leave(asked))).toBe(`${byeWithQuery}&state=x`)
  })

  // "An id_token_hint carrying an ID Token for the RP is also RECOMMENDED …; if it is not supplied with
  // post_logout_redirect_uri, the OP MUST NOT perform post-logout redirection unless the OP has other means of confirming
  // the legitimacy of the post-logout redirection target."
  test('does not redirect to an address without a hint and a client_id', async ({ provider }) => {
    const { leave, silent } = await signedIn(provider, client)
    const page = await leave({ post_logout_redirect_uri: bye, state: 'x' })
    expect([endOf(page), await silent()]).toEqual(['error 400', undefined])
  })

  // "The OP also MUST NOT perform post-logout redirection if the post_logout_redirect_uri value supplied does not exactly
  // match one of the previously registered post_logout_redirect_uris values."
  test('does not redirect to an address that differs in any character from the registered ones', async ({
    provider,
  }) => {
    const { leave, silent, hint } = await signedIn(provider, client)
    const others = [`${bye}?foo=bar`, `${bye}/`, `${bye}#x`, bye.replace('bye', 'BYE'), bye.replace('app', 'APP')]
    for (const uri of [...others, bye.replace('https', 'http'), client.redirectUri, 'https://evil.example/'])
      expect(endOf(await leave({ id_token_hint: hint, post_logout_redirect_uri: uri })), uri).toBe('error 400')
    expect(await silent()).toBeUndefined()
  })

  // "Post-logout redirection is only done when the logout is RP-initiated"
  test('stays on its own page when the request has no address, or the person signs out here', async ({ provider }) => {
    const { leave, confirm, silent, hint, agent } = await signedIn(provider, client)
    expect(endOf(await leave({ id_token_hint: hint, state: 'x' }))).toBe('signed out')
    expect(await silent()).toBe('login_required')
    const again = await signedIn(provider, client, agent)
    expect(endOf(await confirm(await agent.open('/logout')))).toBe('signed out')
    expect(await again.silent()).toBe('login_required')
  })
})

test.describe('OpenID Connect RP-Initiated Logout 1.0 §4 Validation', () => {
  // "If any of the validation procedures defined in this specification fail, any operations requiring the information that
  // failed to correctly validate MUST be aborted and the information that failed to validate MUST NOT be used."
  test('refuses an unknown client_id and repeated parameters, and keeps the person signed in', async ({ provider }) => {
    const { leave, silent, hint } = await signedIn(provider, client)
    const asked = { id_token_hint: hint, post_logout_redirect_uri: bye }
    for (const wrong of [{ client_id: 'nobody' }, { ...asked, state: ['a', 'b'] }, { id_token_hint: [hint, hint] }])
      expect(endOf(await leave(wrong))).toBe('error 400')
    expect(await silent()).toBeUndefined()
  })

  // "When an OP detects errors in the … request …, the OP MUST not perform post-logout redirection to an RP"; "the OP MAY
  // display an error message in the page … and ask whether the End-User would like to log out of the OP in that page."
  test('explains a refusal on a page with a link to sign out here', async ({ provider }) => {
    const { leave, confirm, silent, agent, hint } = await signedIn(provider, client)
    const page = await leave({ id_token_hint: hint, post_logout_redirect_uri: 'https://evil.example/' })
    expect(plain(page.text)).toContain('post_logout_redirect_uri')
    expect(page.text).toContain('href="/logout"')
    expect(page.text).not.toContain('evil.example')
    expect(endOf(await confirm(await agent.open('/logout')))).toBe('signed out')
    expect(await silent()).toBe('login_required')
  })

  // §6: "Logout requests without a valid id_token_hint value are a potential means of denial of service; therefore, OPs
  // should obtain explicit confirmation from the End-User before acting upon them."
  test('accepts the confirmation only from its own page', async ({ provider }) => {
    const { leave, silent, agent } = await signedIn(provider, client)
    const page = await leave()
    const [form] = page.forms.filter(({ action }) => action.pathname === '/logout/submit')
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const body = new URLSearchParams(form?.fields)
    const answer = await agent.open('/logout/submit', { method: 'POST', form: body, headers: foreign })
    expect([endOf(answer), await silent()]).toEqual(['error 400', undefined])
  })
})
