import * as client from 'openid-client'
import { beforeEach, describe, expect, it } from 'vitest'
import { openBrowser } from '#lib/testing/browser/browser'
import { issuer, shareProvers } from '#lib/testing/oauth/provers'
import { callback } from '#lib/testing/process/postern'

const provers = shareProvers()
// Each test shows the consent page.
beforeEach(async () => void (await provers.context.database.prisma.consent.deleteMany()))

/** Discovers the server for an unchanged openid-client, and keeps the status of each answer. */
async function discover(clientId: string, authentication: client.ClientAuth) {
  const answers: string[] = []
  const config = await client.discovery(new URL(issuer), clientId, {}, authentication, {
    execute: [client.allowInsecureRequests],
    [client.customFetch]: async (address, { method, headers, body }) => {
      const answer = await provers.send(address, { method, headers, ...(body && { body: String(body) }) })
      answers.push(`${new URL(address).pathname} ${answer.status}`)
      return answer
    },
  })
  answers.splice(0)
  return { config, answers }
}

/** Returns the parameters of an authorization request. */
const requestFor = async (verifier: string) => ({
  redirect_uri: callback,
  scope: 'openid name',
  state: 'the-state',
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})

/** Signs in and consents in a browser; returns the callback. */
async function visit(address: URL): Promise<URL> {
  const browser = openBrowser(provers.context)
  const consent = await browser.signIn(await browser.visit(address))
  return (await browser.decide(consent)).url
}

describe('openid-client', () => {
  it('pushes, exchanges, reads userinfo and refreshes with DPoP, an assertion and our nonces', async () => {
    const { kid, privateKey } = provers.robotKey
    const { config, answers } = await discover('robot', client.PrivateKeyJwt({ key: privateKey, kid }))
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair())
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const address = await client.buildAuthorizationUrlWithPAR(config, await requestFor(pkceCodeVerifier), { DPoP })
    expect([...address.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
    const checks = { pkceCodeVerifier, expectedState: 'the-state' }
    const tokens = await client.authorizationCodeGrant(config, await visit(address), checks, undefined, { DPoP })
    expect(tokens.token_type).toBe('dpop')
    const { sub } = tokens.claims() as { sub: string }
    expect(await client.fetchUserInfo(config, tokens.access_token, sub, { DPoP })).toMatchObject({ name: 'Ada L.' })
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP })
    expect(await client.fetchUserInfo(config, refreshed.access_token, sub, { DPoP })).toMatchObject({ sub })
    // The first request learns the nonce; every answer brings the next one.
    expect(answers).toEqual([
      '/oauth2/par 400',
      '/oauth2/par 201',
      '/oauth2/token 200',
      '/userinfo 200',
      '/oauth2/token 200',
      '/userinfo 200',
    ])
  })

  it.each(['ES256', 'PS256', 'Ed25519'])(
    'binds the code and the token of a browser app to a key for %s',
    async (alg) => {
      const { config } = await discover('page', client.None())
      const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair(alg))
      const pkceCodeVerifier = client.randomPKCECodeVerifier()
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope: 'openid name',
        state: 'the-state',
        dpop_jkt: await DPoP.calculateThumbprint(),
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      })
      const checks = { pkceCodeVerifier, expectedState: 'the-state' }
      const landed = await visit(address)
      await expect(client.authorizationCodeGrant(config, landed, checks)).rejects.toMatchObject({
        error: 'invalid_request',
      })
      const tokens = await client.authorizationCodeGrant(config, landed, checks, undefined, { DPoP })
      expect([tokens.token_type, tokens.expires_in]).toEqual(['dpop', 3600])
      const { sub } = tokens.claims() as { sub: string }
      await expect(client.fetchUserInfo(config, tokens.access_token, sub)).rejects.toMatchObject({ status: 401 })
      expect(await client.fetchUserInfo(config, tokens.access_token, sub, { DPoP })).toMatchObject({ name: 'Ada L.' })
    },
  )
})
