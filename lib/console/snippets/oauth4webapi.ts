import { unitLiteral as js } from './literal.ts'
import { nodeServer } from './node-server.ts'
import { authMethodOf, type SnippetApp, type SnippetOf } from './snippet.ts'

/** oauth4webapi, for apps with a secret and for public apps. */
export const oauth4webapi: SnippetOf = (app) => {
  if (app.kind === 'assertion' || app.mustPush || app.mustProve) return undefined
  const isInsecure = app.issuer.startsWith('http:')
  const options = isInsecure ? ', insecure' : ''
  return nodeServer(app, {
    id: 'oauth4webapi',
    library: 'oauth4webapi',
    version: '3.8.8',
    imports: "import { createServer } from 'node:http'\nimport * as oauth from 'oauth4webapi'",
    setUp: `const issuer = new URL(${js(app.issuer)})
const client = { client_id: ${js(app.clientId)}, id_token_signed_response_alg: ${js(app.idTokenAlg)} }
const authentication = ${authenticationOf(app)}
${isInsecure ? '// Plain http is for one machine alone.\nconst insecure = { [oauth.allowInsecureRequests]: true }\n' : ''}const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer${options}))`,
    start: `const [verifier, state, nonce] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState(), oauth.generateRandomNonce()]
const started = [verifier, state, nonce]
const address = new URL(server.authorization_endpoint)
address.search = new URLSearchParams({
  response_type: 'code',
  client_id: client.client_id,
  redirect_uri: redirectUri,
  scope: ${js(app.scopes.join(' '))},
  state,
  nonce,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})`,
    finish: `const [verifier, state, expectedNonce] = started
const answer = oauth.validateAuthResponse(server, client, url, state ?? oauth.expectNoState)
const grant = await oauth.authorizationCodeGrantRequest(server, client, authentication, answer, redirectUri, verifier${options})
const tokens = await oauth.processAuthorizationCodeResponse(server, client, grant, { expectedNonce, requireIdToken: true })
const { sub } = oauth.getValidatedIdTokenClaims(tokens)
const userinfo = await oauth.userInfoRequest(server, client, tokens.access_token${options})
const person = await oauth.processUserInfoResponse(server, client, sub, userinfo)`,
  })
}

function authenticationOf(app: SnippetApp): string {
  const authMethod = authMethodOf(app)
  if (authMethod === 'none') return 'oauth.None()'
  const name = authMethod === 'client_secret_post' ? 'ClientSecretPost' : 'ClientSecretBasic'
  return `oauth.${name}(process.env.CLIENT_SECRET)`
}
