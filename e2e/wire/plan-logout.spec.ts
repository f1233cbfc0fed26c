import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose'
import type { Changes, Client } from './client.ts'
import { bye, endOf, leavingApp, openReceiver, signedIn } from './logout.ts'
import { expect, type Provider, test } from './provider.ts'
import { readIdToken } from './tokens.ts'

// The modules of the official plans use an app with client_secret_basic, and a state of 128 characters.
const state = 'Az09-._~'.repeat(16)
const basic = { token_endpoint_auth_method: 'client_secret_basic' }
const alone = ['login_required', 'interaction_required', 'consent_required']

/** Signs in, and opens the logout endpoint with the hint, the address and the state of a module, or with changes. */
async function runModule(provider: Provider, change: (usual: Changes) => Changes = (usual) => usual) {
  const client = await leavingApp(provider, basic)
  const session = await signedIn(provider, client)
  const usual = { id_token_hint: session.hint, post_logout_redirect_uri: bye, state }
  return { client, ...session, page: await session.leave(change(usual)) }
}

test.describe('the plan oidcc-rp-initiated-logout-certification-test-plan', () => {
  test('passes oidcc-rp-initiated-logout-discovery-endpoint-verification', async ({ provider }) => {
    const document = (await provider.send('/.well-known/openid-configuration')).json()
    expect(document.issuer).toBe(provider.issuer)
    expect(new URL(document.end_session_endpoint).protocol).toBe('https:')
  })

  test('passes oidcc-rp-initiated-logout', async ({ provider }) => {
    const { page, silent } = await runModule(provider)
    expect([endOf(page).replace(/\?.*/, ''), page.returned]).toEqual([bye, { state }])
    expect(alone).toContain(await silent())
  })

  test('passes oidcc-rp-initiated-logout-no-state', async ({ provider }) => {
    const { page, silent } = await runModule(provider, (usual) => ({ ...usual, state: undefined }))
    expect(endOf(page)).toBe(bye)
    expect(alone).toContain(await silent())
  })

  // "The OP must not redirect back and must either show an error screen or confirm with the user if they want to logout."
  const wrong: [module: string, change: (usual: Changes) => Changes][] = [
    [
      'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri',
      (usual) => ({ ...usual, post_logout_redirect_uri: `${bye}XYZ` }),
    ],
    [
      'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri',
      (usual) => ({ ...usual, post_logout_redirect_uri: `${bye}?foo=bar` }),
    ],
    ['oidcc-rp-initiated-logout-modified-id-token-hint', (usual) => ({ ...usual, id_token_hint: unsigned(usual) })],
    ['oidcc-rp-initiated-logout-bad-id-token-hint', (usual) => ({ ...usual, id_token_hint: resigned(usual) })],
    ['oidcc-rp-initiated-logout-no-id-token-hint', (usual) => ({ ...usual, id_token_hint: undefined })],
  ]
  for (const [module, change] of wrong)
    test(`passes ${module}`, async ({ provider }) => {
      const { page } = await runModule(provider, change)
      expect([page.isApp, endOf(page)]).toEqual([false, 'error 400'])
    })

  // "The OP must log the user out": either at once, because the hint proves the session, or after a confirmation page.
  const pages: [module: string, change: (usual: Changes) => Changes][] = [
    ['oidcc-rp-initiated-logout-no-params', () => ({})],
    ['oidcc-rp-initiated-logout-only-state', () => ({ state })],
    [
      'oidcc-rp-initiated-logout-no-post-logout-redirect-uri',
      (usual) => ({ ...usual, post_logout_redirect_uri: undefined }),
    ],
  ]
  for (const [module, change] of pages)
    test(`passes ${module}`, async ({ provider }) => {
      const { page, confirm, silent } = await runModule(provider, change)
      const last = endOf(page) === 'asks' ? await confirm(page) : page
      expect([last.isApp, endOf(last)]).toEqual([false, 'signed out'])
      expect(alone).toContain(await silent())
    })
})

/** Returns the hint with the algorithm none and without a signature. */
const unsigned = ({ id_token_hint }: Changes) =>
  `${Buffer.from('{"alg":"none"}').toString('base64url')}.${String(id_token_hint).split('.')[1]}.`

/** Returns the hint with a wrong signature. */
const resigned = ({ id_token_hint }: Changes) =>
  `${String(id_token_hint).split('.').slice(0, 2).join('.')}.${Buffer.alloc(256, 7).toString('base64url')}`

test.describe('the plan oidcc-backchannel-rp-initiated-logout-certification-test-plan', () => {
  test('passes oidcc-backchannel-logout-discovery-endpoint-verification', ({ provider }) => {
    const { discovery } = provider
    expect([discovery.backchannel_logout_supported, discovery.backchannel_logout_session_supported]).toEqual([
      true,
      true,
    ])
  })

  test('passes oidcc-backchannel-rp-initiated-logout', async ({ provider }) => {
    const receiver = await openReceiver(provider.certificate)
    try {
      const uri = receiver.urlOf('/backchannel_logout')
      const changes = { ...basic, backchannel_logout_uri: uri, backchannel_logout_session_required: true }
      const client = await leavingApp(provider, changes)
      const { hint, leave, silent } = await signedIn(provider, client)
      const page = await leave({ id_token_hint: hint, post_logout_redirect_uri: bye, state })
      const [request] = await receiver.received('/backchannel_logout')
      expect(['TLSv1.2', 'TLSv1.3']).toContain(request?.protocol)
      expect([...(request?.body.keys() ?? [])]).toEqual(['logout_token'])
      const logout = await verified(provider, client, request?.body.get('logout_token') ?? '')
      const { claims: idToken } = await readIdToken(provider, client, hint)
      expect([logout.sub, logout.sid]).toEqual([idToken.sub, idToken.sid])
      expect(logout).not.toHaveProperty('nonce')
      expect(logout.jti).toBeTruthy()
      expect(logout.events).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} })
      expect(page.returned).toEqual({ state })
      expect(alone).toContain(await silent())
    } finally {
      receiver.close()
    }
  })
})

async function verified(provider: Provider, client: Client, token: string): Promise<JWTPayload> {
  const keys = createLocalJWKSet((await provider.send(provider.discovery.jwks_uri)).json())
  return (await jwtVerify(token, keys, { issuer: provider.issuer, audience: client.id })).payload
}
