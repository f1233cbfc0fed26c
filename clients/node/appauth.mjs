import { registerHooks } from 'node:module'
import { clientId, issuer, redirectUri, serve } from './serve.mjs'

// The package is made for bundlers: its relative imports lack the file extension that Node requires.
registerHooks({
  resolve: (specifier, context, next) =>
    next(/^\.\.?\//.test(specifier) && !specifier.endsWith('.js') ? `${specifier}.js` : specifier, context),
})
const appauth = await import('@openid/appauth')
const { NodeCrypto } = await import('@openid/appauth/built/src/node_support/crypto_utils.js')
const { NodeRequestor } = await import('@openid/appauth/built/src/node_support/node_requestor.js')

// The handlers of the library open the address in a browser. This one gives access to the method that builds the
// address.
class Handler extends appauth.AuthorizationRequestHandler {}
const handler = new Handler(new appauth.BasicQueryStringUtils(), new NodeCrypto())
const requestor = new NodeRequestor()
const configuration = await appauth.AuthorizationServiceConfiguration.fetchFromIssuer(issuer, requestor)
const asked = { client_id: clientId, redirect_uri: redirectUri, scope: 'openid profile email', response_type: 'code' }
const request = new appauth.AuthorizationRequest(asked, new NodeCrypto())
await request.setupCodeVerifier()

serve({
  signIn: () => handler.buildRequestUrl(configuration, request),

  async finish(url) {
    const answer = Object.fromEntries(url.searchParams)
    if (answer.state !== request.state) throw new Error(`The answer has another state: ${url}`)
    const exchange = new appauth.TokenRequest({
      client_id: clientId,
      redirect_uri: redirectUri,
      grant_type: appauth.GRANT_TYPE_AUTHORIZATION_CODE,
      code: answer.code,
      extras: { code_verifier: request.internal.code_verifier },
    })
    const tokens = await new appauth.BaseTokenRequestHandler(requestor).performTokenRequest(configuration, exchange)
    const headers = { Authorization: `Bearer ${tokens.accessToken}` }
    return requestor.xhr({ url: configuration.userInfoEndpoint, method: 'GET', dataType: 'json', headers })
  },
})
