import type { SigningAlg } from '#lib/oauth/client/profile'
import { unitLiteral as js } from './literal.ts'
import { nodeServer } from './node-server.ts'
import { authMethodOf, type SnippetApp, type SnippetOf } from './snippet.ts'

/** openid-client 6, for every kind and profile. */
export const openidClient6: SnippetOf = (app) =>
  nodeServer(app, {
    id: 'openid-client',
    library: 'openid-client',
    version: '6.8.9',
    imports: [
      ...(app.kind === 'assertion' ? ["import { createPrivateKey } from 'node:crypto'"] : []),
      ...(app.kind === 'assertion' ? ["import { readFileSync } from 'node:fs'"] : []),
      "import { createServer } from 'node:http'",
      "import * as client from 'openid-client'",
    ].join('\n'),
    setUp: setUpOf(app),
    start: `const [verifier, state, nonce] = [client.randomPKCECodeVerifier(), client.randomState(), client.randomNonce()]
const started = [verifier, state, nonce]
const address = ${app.mustPush ? 'await client.buildAuthorizationUrlWithPAR' : 'client.buildAuthorizationUrl'}(provider, {
  redirect_uri: redirectUri,
  scope: ${js(app.scopes.join(' '))},
  state,
  nonce,
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
}${app.mustPush && app.mustProve ? ', { DPoP: dpop }' : ''})`,
    finish: `const [pkceCodeVerifier, expectedState, expectedNonce] = started
const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true }
const tokens = await client.authorizationCodeGrant(provider, url, checks${app.mustProve ? ', undefined, { DPoP: dpop }' : ''})
const person = await client.fetchUserInfo(provider, tokens.access_token, tokens.claims().sub${app.mustProve ? ', { DPoP: dpop }' : ''})`,
  })

function setUpOf(app: SnippetApp): string {
  const options = app.issuer.startsWith('http:')
    ? '\n  // Plain http is for one machine alone.\n  { execute: [client.allowInsecureRequests] },'
    : ''
  const provider = `const provider = await client.discovery(
  new URL(${js(app.issuer)}),
  ${js(app.clientId)},
  { id_token_signed_response_alg: ${js(app.idTokenAlg)} },
  ${authenticationOf(app)},${options}
)`
  const dpop = app.mustProve
    ? `// Each access token is bound to this key (DPoP).
const dpop = client.getDPoPHandle(provider, await client.randomDPoPKeyPair())`
    : ''
  return [app.kind === 'assertion' ? keyOf(app.key?.alg ?? 'ES256') : '', provider, dpop].filter(Boolean).join('\n')
}

function authenticationOf(app: SnippetApp): string {
  switch (authMethodOf(app)) {
    case 'none':
      return 'client.None()'
    case 'private_key_jwt':
      return `client.PrivateKeyJwt({ key, kid: ${js(app.key?.kid ?? '')} })`
    case 'client_secret_post':
      return 'client.ClientSecretPost(process.env.CLIENT_SECRET)'
    case 'client_secret_basic':
      return 'client.ClientSecretBasic(process.env.CLIENT_SECRET)'
  }
}

/** Reads the private key, which stays on the server of the app. */
const keyOf = (
  alg: SigningAlg,
) => `const pkcs8 = createPrivateKey(readFileSync(process.env.PRIVATE_KEY_FILE)).export({ type: 'pkcs8', format: 'der' })
const key = await crypto.subtle.importKey('pkcs8', pkcs8, ${algorithms[alg]}, false, ['sign'])`

const algorithms: Record<SigningAlg, string> = {
  ES256: "{ name: 'ECDSA', namedCurve: 'P-256' }",
  RS256: "{ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }",
  PS256: "{ name: 'RSA-PSS', hash: 'SHA-256' }",
  EdDSA: "{ name: 'Ed25519' }",
  Ed25519: "{ name: 'Ed25519' }",
}

/** openid-client 5, for apps that have not changed to version 6. */
export const openidClient5: SnippetOf = (app) =>
  app.kind !== 'confidential'
    ? undefined
    : nodeServer(app, {
        id: 'openid-client-5',
        library: 'openid-client',
        version: '5.7.1',
        imports: "import { createServer } from 'node:http'\nimport { generators, Issuer } from 'openid-client'",
        setUp: `const { Client } = await Issuer.discover(${js(app.issuer)})
const client = new Client({
  client_id: ${js(app.clientId)},
  client_secret: process.env.CLIENT_SECRET,
  token_endpoint_auth_method: ${js(authMethodOf(app))},
  id_token_signed_response_alg: ${js(app.idTokenAlg)},
  redirect_uris: [redirectUri],
  response_types: ['code'],
})`,
        start: `const [verifier, state, nonce] = [generators.codeVerifier(), generators.state(), generators.nonce()]
const started = [verifier, state, nonce]
const address = client.authorizationUrl({
  scope: ${js(app.scopes.join(' '))},
  state,
  nonce,
  code_challenge: generators.codeChallenge(verifier),
  code_challenge_method: 'S256',
})`,
        finish: `const [code_verifier, state, nonce] = started
const answer = client.callbackParams(url.href)
const tokens = await client.callback(redirectUri, answer, { code_verifier, state, nonce })
const person = await client.userinfo(tokens)`,
      })
