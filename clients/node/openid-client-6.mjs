import * as client from 'openid-client'
import { clientId, clientSecret, issuer, redirectUri, serve } from './serve.mjs'

// Plain http is safe here, because all requests stay on this machine.
const insecure = { execute: [client.allowInsecureRequests] }
const provider = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, insecure)

serve({
  signIn: () => client.buildAuthorizationUrl(provider, { redirect_uri: redirectUri, scope: 'openid profile email' }),

  async finish(url) {
    const tokens = await client.authorizationCodeGrant(provider, url)
    return client.fetchUserInfo(provider, tokens.access_token, tokens.claims().sub)
  },
})
