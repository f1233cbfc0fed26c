import type { Changes } from './client.ts'
import { expect, test } from './provider.ts'
import { openAgent } from './user-agent.ts'

test.describe('OAuth 2.0 Form Post Response Mode §2', () => {
  // "Authorization Response parameters are encoded as HTML form values that are auto-submitted in the User Agent, and thus are
  // transmitted via the HTTP POST method to the Client"; "The action attribute of the form MUST be the Client's Redirection
  // URI. The method of the form attribute MUST be POST."
  test('answers with a form of method POST to the redirect URI, with the parameters as its fields', async ({
    provider,
  }) => {
    const redirect_uri = 'https://app.example/callback?own=a&b=%22'
    const client = await provider.client('standard', { redirect_uris: [redirect_uri] })
    const agent = openAgent(provider)
    const asked = { response_mode: 'form_post', redirect_uri }
    await agent.authorize(client, asked)
    const page = await agent.open(await client.authorizationUrl({ ...asked, prompt: 'none' }))
    const [form] = page.forms
    expect([page.forms.length, form?.method, form?.action.href]).toEqual([1, 'POST', redirect_uri])
    expect(page.returned).toEqual({ code: expect.any(String), state: 'the state', iss: provider.issuer })
    expect(page.url.href).not.toContain(page.returned?.code ?? '')
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  })

  // "the result parameters … in the HTML form post … auto-submitted"
  test('submits the form by a script that its policy allows, or by a button without script', async ({ provider }) => {
    const client = await provider.client('standard')
    const agent = openAgent(provider)
    await agent.authorize(client)
    const page = await agent.open(await client.authorizationUrl({ response_mode: 'form_post', prompt: 'none' }))
    const [, nonce = 'none'] = /<script nonce="([^"]+)">document\.forms\[0\]\.submit\(\)</.exec(page.text) ?? []
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`'nonce-${nonce}'`)
    expect(policy).not.toContain('form-action')
    expect(page.text).toMatch(/<noscript><button type="submit">/)
  })

  // "Because the Authorization Response is intended to be used only once, the Authorization Server MUST instruct the User Agent
  // (and any intermediaries) not to store or reuse the content of the response."
  test('forbids to store the answer', async ({ provider }) => {
    const client = await provider.client('standard')
    const agent = openAgent(provider)
    const page = await agent.open(await client.authorizationUrl({ response_mode: 'form_post', prompt: 'none' }))
    expect(page.returned).toMatchObject({ error: 'login_required' })
    expect(page.headers.get('cache-control')).toContain('no-store')
  })

  // §5: values are escaped, so that no value ends its attribute (RFC 6749 §10.14).
  test('escapes every value', async ({ provider }) => {
    const client = await provider.client('standard')
    const state = '"><script>alert(1)</script>&amp;\'\u{1f600}'.padEnd(4096, 'x')
    const page = await openAgent(provider).open(
      await client.authorizationUrl({ response_mode: 'form_post', prompt: 'none', state }),
    )
    expect(page.text).not.toContain('<script>alert')
    expect(page.returned?.state).toBe(state)
  })

  // OAuth 2.0 Multiple Response Type Encoding Practices §2.1: the mode returns the "Authorization Response parameters",
  // which are those of an error too.
  test('posts errors too, also when the person cancels', async ({ provider }) => {
    const client = await provider.client('oidc')
    const agent = openAgent(provider)
    const wrong: [string, Changes][] = [
      ['invalid_request', { prompt: 'none login' }],
      ['invalid_scope', { scope: 'x' }],
      ['unsupported_response_type', { response_type: 'id_token' }],
      ['request_uri_not_supported', { request_uri: 'https://app.example/r' }],
    ]
    for (const [error, changes] of wrong) {
      const page = await agent.open(await client.authorizationUrl({ response_mode: 'form_post', ...changes }))
      expect([page.isApp, page.forms[0]?.method], error).toEqual([false, 'POST'])
      const description = expect.any(String)
      expect(page.returned).toEqual({
        error,
        error_description: description,
        state: 'the state',
        iss: provider.issuer,
      })
    }
    const signIn = await agent.open(await client.authorizationUrl({ response_mode: 'form_post' }))
    const consent = await agent.signIn(signIn)
    const denied = await agent.submit(consent.forms[0], { action: 'cancel' })
    expect(denied.returned).toMatchObject({ error: 'access_denied', state: 'the state' })
  })
})
