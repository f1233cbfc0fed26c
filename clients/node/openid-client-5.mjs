import { Issuer } from 'openid-client-5'
import { clientId, clientSecret, issuer, redirectUri, serve } from './serve.mjs'

const { Client } = await Issuer.discover(issuer)
const client = new Client({ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] })

serve({
  signIn: () => client.authorizationUrl({ scope: 'openid profile email' }),

  async finish(url) {
    const tokens = await client.callback(redirectUri, client.callbackParams(url.href))
    return client.userinfo(tokens)
  },
})
