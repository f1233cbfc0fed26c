import { createHash, randomBytes } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import type { Client, Provider } from 'oidc-provider'
import { makeProofKey } from '../proofs.ts'
import type { Stock, StockKind } from '../server.ts'
import { client, redirectUri, requestScope, resource, resourceScope, scope } from './provider.ts'
import type { PeerStore } from './store.ts'

/** Number of people who sign in. Authorizations are spread over them evenly. */
const people = 1000

/** Creates authorizations in their state after sign-in and consent, through the provider's own models. */
export async function makeStock(provider: Provider, store: PeerStore, kind: StockKind, count: number): Promise<Stock> {
  store.addPeople(Array.from({ length: people }, (_, index) => makePerson(index)))
  const app = await provider.Client.find(client.id)
  if (!app) throw new Error('The client is not registered.')
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const proofKey = kind === 'boundTokens' ? makeProofKey() : undefined
  const jkt = proofKey && (await calculateJwkThumbprint(proofKey))
  const values = await store.asOne(async () => {
    const made: string[] = []
    for (let index = 0; index < count; index++)
      made.push(await makeValue(provider, app, kind, { accountId: `person-${index % people}`, challenge, jkt }))
    return made
  })
  return { values, client, redirectUri, scope: requestScope, verifier, proofKey }
}

type Details = { accountId: string; challenge: string; jkt: string | undefined }

async function makeValue(provider: Provider, app: Client, kind: StockKind, { accountId, challenge, jkt }: Details) {
  const grant = new provider.Grant({ accountId, clientId: app.clientId })
  grant.addOIDCScope(scope)
  grant.addResourceScope(resource, resourceScope)
  const grantId = await grant.save()
  // Outlasts a whole run: the benchmark does not measure expiry.
  const common = { client: app, accountId, grantId, scope, gty: 'authorization_code', expiresIn: 3600 }
  const signIn = { authTime: Math.floor(Date.now() / 1000), nonce: randomBytes(16).toString('base64url'), resource }
  switch (kind) {
    case 'codes':
      return new provider.AuthorizationCode({
        ...common,
        ...signIn,
        redirectUri,
        codeChallenge: challenge,
        codeChallengeMethod: 'S256',
      }).save()
    case 'refreshTokens':
      return new provider.RefreshToken({ ...common, ...signIn }).save()
    // The provider's userinfo endpoint rejects an access token with an audience, and its introspection endpoint rejects
    // every JWT. These rows therefore use opaque access tokens, issued without a resource and looked up in the store.
    case 'userinfoTokens':
    case 'introspectionTokens':
      return new provider.AccessToken(common).save()
    case 'boundTokens':
      return new provider.AccessToken({ ...common, jkt }).save()
  }
}

const makePerson = (index: number) => ({
  id: `person-${index}`,
  name: `Person ${index}`,
  nickname: `p${index}`,
  email: `person-${index}@example.org`,
  locale: 'en',
})
