import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts'
import { clientId, issuer, redirectUri, serve } from './serve.mjs'

const client = new OidcClient({
  authority: issuer,
  client_id: clientId,
  redirect_uri: redirectUri,
  scope: 'openid profile email',
  // Replaces window.localStorage, which only browsers have.
  stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
})

serve({
  signIn: async () => (await client.createSigninRequest({})).url,
  finish: async (url) => (await client.processSigninResponse(url.href)).profile,
})
