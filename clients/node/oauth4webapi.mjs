import * as oauth from 'oauth4webapi'
import { clientId, clientSecret, issuer, redirectUri, serve } from './serve.mjs'

// Plain http is safe here, because all requests stay on this machine.
const insecure = { [oauth.allowInsecureRequests]: true }
const issuerUrl = new URL(issuer)
const server = await oauth.processDiscoveryResponse(issuerUrl, await oauth.discoveryRequest(issuerUrl, insecure))
const client = { client_id: clientId }
const verifier = oauth.generateRandomCodeVerifier()

serve({
  async signIn() {
    const url = new URL(server.authorization_endpoint)
    url.searchParams.set('client_id', clientId)
    url.searchParams.set('redirect_uri', redirectUri)
    url.searchParams.set('response_type', 'code')
    url.searchParams.set('scope', 'openid profile email')
    url.searchParams.set('code_challenge', await oauth.calculatePKCECodeChallenge(verifier))
    url.searchParams.set('code_challenge_method', 'S256')
    return url
  },

  async finish(url) {
    const answer = oauth.validateAuthResponse(server, client, url)
    const secret = oauth.ClientSecretPost(clientSecret)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      secret,
      answer,
      redirectUri,
      verifier,
      insecure,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, { requireIdToken: true })
    const { sub } = oauth.getValidatedIdTokenClaims(tokens)
    const userinfo = await oauth.userInfoRequest(server, client, tokens.access_token, insecure)
    return oauth.processUserInfoResponse(server, client, sub, userinfo)
  },
})
