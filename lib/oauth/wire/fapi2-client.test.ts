import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as discoveryRoute from '#app/.well-known/openid-configuration/route.ts'
import * as introspectRoute from '#app/oauth2/introspect/route.ts'
import * as jwksRoute from '#app/oauth2/jwks/route.ts'
import * as parRoute from '#app/oauth2/par/route.ts'
import * as revokeRoute from '#app/oauth2/revoke/route.ts'
import * as tokenRoute from '#app/oauth2/token/route.ts'
import * as userinfoRoute from '#app/userinfo/route.ts'
import { openBrowser } from '#lib/testing/browser/browser'
import { serve } from '#lib/testing/oauth/serve'
import { acme, callback, openPostern, type Postern } from '#lib/testing/process/postern'

const algs = ['ES256', 'PS256', 'Ed25519'] as const
type Alg = (typeof algs)[number]
const idOf = (alg: Alg) => `bank-${alg.toLowerCase()}`
const pairs = new Map(await Promise.all(algs.map(async (alg) => [alg, await generateKeyPair(alg)] as const)))

let postern: Postern
let server: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  const app = { kind: 'assertion', profile: 'fapi2', redirect_uris: [callback], scopes: ['openid', 'name'] }
  const apps = await Promise.all(
    algs.map(async (alg) => {
      const jwk = { ...(await exportJWK((pairs.get(alg) as CryptoKeyPair).publicKey)), kid: alg }
      return { ...app, client_id: idOf(alg), name: alg, jwks: { keys: [jwk] } }
    }),
  )
  postern = await openPostern({ provision: { ...acme, teams: [{ id: 'bank', name: 'Bank', apps }] } })
  server = await serve(postern.context, {
    '/.well-known/openid-configuration': discoveryRoute,
    '/oauth2/introspect': introspectRoute,
    '/oauth2/jwks': jwksRoute,
    '/oauth2/par': parRoute,
    '/oauth2/revoke': revokeRoute,
    '/oauth2/token': tokenRoute,
    '/userinfo': userinfoRoute,
  })
})
afterAll(async () => {
  server.close()
  await postern.close()
})

/** Discovers the server as an unchanged openid-client does, with its requests sent to the test's port. */
async function discover(alg: Alg) {
  const sendThere: client.CustomFetch = (url, { method, headers, body }) =>
    server.send(url, { method, headers: Object.fromEntries(new Headers(headers)), body: body ? String(body) : '' })
  const key = { key: (pairs.get(alg) as CryptoKeyPair).privateKey, kid: alg }
  const options = { [client.customFetch]: sendThere, execute: [client.allowInsecureRequests] }
  const issuer = new URL(postern.context.config.issuer)
  const config = await client.discovery(issuer, idOf(alg), {}, client.PrivateKeyJwt(key), options)
  return { config, DPoP: client.getDPoPHandle(config, await client.randomDPoPKeyPair(alg)) }
}

describe('openid-client with PAR, DPoP and private_key_jwt (FAPI 2.0 Security Profile §5.3)', () => {
  it.each(algs)('signs a person in, refreshes, introspects and revokes with %s', async (alg) => {
    const { config, DPoP } = await discover(alg)
    const verifier = client.randomPKCECodeVerifier()
    const nonce = client.randomNonce()
    const parameters = {
      redirect_uri: callback,
      scope: 'openid name',
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    const address = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP })
    expect([...address.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])

    const browser = openBrowser(postern.context)
    const arrived = await browser.decide(await browser.signIn(await browser.visit(address)))
    expect(arrived.url.href.startsWith(`${callback}?`)).toBe(true)

    const checks = { pkceCodeVerifier: verifier, expectedNonce: nonce }
    const tokens = await client.authorizationCodeGrant(config, arrived.url, checks, undefined, { DPoP })
    expect([tokens.token_type, tokens.scope]).toEqual(['dpop', 'openid name'])
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      cnf: { jkt: await DPoP.calculateThumbprint() },
      acr: 'aal1',
    })
    expect(decodeProtectedHeader(tokens.id_token as string).alg).toBe('ES256')

    const sub = tokens.claims()?.sub as string
    const person = await client.fetchUserInfo(config, tokens.access_token, sub, { DPoP })
    expect(person).toMatchObject({ sub, name: 'Ada L.' })

    const refreshToken = tokens.refresh_token as string
    const refreshed = await client.refreshTokenGrant(config, refreshToken, undefined, { DPoP })
    expect([refreshed.refresh_token, refreshed.claims()?.sub]).toEqual([refreshToken, sub])
    expect(await client.tokenIntrospection(config, refreshed.access_token)).toMatchObject({
      active: true,
      sub,
      acr: 'aal1',
    })

    await client.tokenRevocation(config, refreshToken)
    expect(await client.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false })
    await expect(client.refreshTokenGrant(config, refreshToken, undefined, { DPoP })).rejects.toThrow()
  })

  it('gets no tokens without a proof, and no userinfo with the bound token as Bearer', async () => {
    const { config, DPoP } = await discover('ES256')
    const verifier = client.randomPKCECodeVerifier()
    const challenge = {
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    const ask = { redirect_uri: callback, scope: 'openid name', state: 's', ...challenge }
    const address = await client.buildAuthorizationUrlWithPAR(config, ask)
    const browser = openBrowser(postern.context)
    const signedIn = await browser.signIn(await browser.visit(address))
    const arrived = signedIn.url.href.startsWith(callback) ? signedIn : await browser.decide(signedIn)
    const checks = { pkceCodeVerifier: verifier, expectedState: 's' }
    await expect(client.authorizationCodeGrant(config, arrived.url, checks)).rejects.toMatchObject({
      error: 'invalid_request',
    })
    const tokens = await client.authorizationCodeGrant(config, arrived.url, checks, undefined, { DPoP })
    const sub = tokens.claims()?.sub as string
    await expect(client.fetchUserInfo(config, tokens.access_token, sub)).rejects.toThrow()
  })
})
