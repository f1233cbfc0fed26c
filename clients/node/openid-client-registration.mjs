import * as client from 'openid-client'
import { issuer, redirectUri, serve } from './serve.mjs'

// Plain http is safe here, because all requests stay on this machine.
const insecure = { execute: [client.allowInsecureRequests] }
// The library sends the secret in the form.
const metadata = {
  client_name: 'Self-registered App',
  redirect_uris: [redirectUri],
  scope: 'openid name preferred_username email',
  token_endpoint_auth_method: 'client_secret_post',
}
const options = { ...insecure, initialAccessToken: process.env.INITIAL_ACCESS_TOKEN }
const provider = await client.dynamicClientRegistration(new URL(issuer), metadata, undefined, options)

serve({
  signIn: () => client.buildAuthorizationUrl(provider, { redirect_uri: redirectUri, scope: 'openid profile email' }),

  async finish(url) {
    const tokens = await client.authorizationCodeGrant(provider, url)
    return client.fetchUserInfo(provider, tokens.access_token, tokens.claims().sub)
  },
})
