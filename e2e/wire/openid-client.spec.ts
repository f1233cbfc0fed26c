import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { expect, type Provider, test } from './provider.ts'
import { openAgent } from './user-agent.ts'

// The unchanged library of a bank-grade app: pushed requests, DPoP and private_key_jwt, and message signing with signed
// request objects and JARM.

test.describe('openid-client with an app of profile fapi2', () => {
  test('signs a person in, refreshes, introspects and revokes (FAPI 2.0 Security Profile §5.3)', async ({
    provider,
  }) => {
    const { app, config, DPoP } = await discover(provider)
    const verifier = client.randomPKCECodeVerifier()
    const nonce = client.randomNonce()
    const parameters = {
      redirect_uri: app.redirectUri,
      scope: 'openid name',
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    const address = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP })
    expect([...address.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
    const arrived = await arrive(provider, app.redirectUri, address)

    const checks = { pkceCodeVerifier: verifier, expectedNonce: nonce }
    const tokens = await client.authorizationCodeGrant(config, arrived, checks, undefined, { DPoP })
    expect(decodeJwt(tokens.access_token)).toMatchObject({ cnf: { jkt: await DPoP.calculateThumbprint() } })
    const sub = tokens.claims()?.sub ?? ''
    expect(await client.fetchUserInfo(config, tokens.access_token, sub, { DPoP })).toMatchObject({
      sub,
      name: 'Ada L.',
    })

    const refreshToken = tokens.refresh_token ?? ''
    const refreshed = await client.refreshTokenGrant(config, refreshToken, undefined, { DPoP })
    expect([refreshed.refresh_token, refreshed.claims()?.sub]).toEqual([refreshToken, sub])
    expect(await client.tokenIntrospection(config, refreshed.access_token)).toMatchObject({ active: true, sub })
    await client.tokenRevocation(config, refreshToken)
    expect(await client.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false })
  })

  test('sends a signed request object and reads a signed answer (FAPI 2.0 Message Signing §5.3.1, §5.4.1)', async ({
    provider,
  }) => {
    const { app, config, DPoP } = await discover(provider, { require_signed_request_object: true })
    client.useJwtResponseMode(config)
    const verifier = client.randomPKCECodeVerifier()
    const parameters = {
      redirect_uri: app.redirectUri,
      scope: 'openid name',
      state: client.randomState(),
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    const signed = await client.buildAuthorizationUrlWithJAR(config, parameters, keyOf(app))
    const object = Object.fromEntries(signed.searchParams)
    const address = await client.buildAuthorizationUrlWithPAR(config, object, { DPoP })
    const arrived = await arrive(provider, app.redirectUri, address)
    expect([...arrived.searchParams.keys()]).toEqual(['response'])

    const checks = { pkceCodeVerifier: verifier, expectedState: parameters.state }
    const tokens = await client.authorizationCodeGrant(config, arrived, checks, undefined, { DPoP })
    expect(tokens.token_type).toBe('dpop')
  })
})

type App = Awaited<ReturnType<Provider['client']>>
const keyOf = ({ key }: App) => ({ key: key.privateKey, kid: key.kid })

/** Registers an app and discovers the provider as the library does; its requests go over TLS to the provider. */
async function discover(provider: Provider, changes = {}) {
  const app = await provider.client('fapi2', changes)
  const send: client.CustomFetch = async (url, { method, headers, body }) => {
    const fields = Object.fromEntries(new Headers(headers))
    const answer = await provider.send(url, { method, headers: fields, ...(body ? { body: String(body) } : {}) })
    return new Response(answer.text, { status: answer.status, headers: answer.headers })
  }
  const authentication = client.PrivateKeyJwt(keyOf(app))
  const options = { [client.customFetch]: send }
  const config = await client.discovery(new URL(provider.issuer), app.id, {}, authentication, options)
  return { app, config, DPoP: client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256')) }
}

/** Signs a person in and allows. Returns the address at which the answer reached the app. */
async function arrive(provider: Provider, redirectUri: string, address: URL): Promise<URL> {
  const agent = openAgent(provider)
  const returned = await agent.finish(await agent.open(address))
  return new URL(`${redirectUri}?${new URLSearchParams(returned)}`)
}
