import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { Provider } from 'oidc-provider'
import type { PeerStore, Person } from './store.ts'

/** The only confidential client, and the resource with JWT access tokens. */
export const client = { id: 'bench', secret: randomBytes(32).toString('base64url') }
export const redirectUri = 'https://app.example/callback'
export const resource = 'https://api.example'
export const resourceScope = 'read'
/** The scopes of a request without a resource. */
export const requestScope = 'openid profile email locale'
export const scope = `${requestScope} ${resourceScope}`

/**
 * node-oidc-provider with the same features as Postern: ES256 throughout, JWT access tokens, rotation, pairwise, PKCE,
 * pushed requests, DPoP with the check for replayed proofs.
 */
export function makeProvider(issuer: string, store: PeerStore): Provider {
  const secret = randomBytes(32).toString('base64url')
  const provider = new Provider(issuer, {
    adapter: store.adapter,
    clients: [clientMetadata],
    jwks: { keys: [makeSigningKey()] },
    cookies: { keys: [secret] },
    subjectTypes: ['pairwise'],
    pairwiseIdentifier: (_: unknown, id: string) => createHash('sha256').update(`${id}.${secret}`).digest('base64url'),
    pkce: { required: () => true },
    scopes: ['openid', 'offline_access', resourceScope],
    claims: { openid: ['sub'], profile: ['name', 'nickname'], email: ['email', 'email_verified'], locale: ['locale'] },
    findAccount: (_: unknown, id: string) => account(store.findPerson(id)),
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    // Postern's tokens do not require a live session either.
    expiresWithSession: () => false,
    ttl: { AccessToken: 300, AuthorizationCode: 600, Grant: 15_552_000, IdToken: 3600, RefreshToken: 2_592_000 },
    features: {
      devInteractions: { enabled: false },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true },
      pushedAuthorizationRequests: { enabled: true },
      dPoP: { enabled: true, allowReplay: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        useGrantedResource: () => true,
        getResourceServerInfo: () => resourceServer,
      },
    },
  })
  provider.on('server_error', (_, fault) => console.error(fault))
  return provider
}

const clientMetadata = {
  client_id: client.id,
  client_secret: client.secret,
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_basic',
  id_token_signed_response_alg: 'ES256',
  subject_type: 'pairwise',
}

const resourceServer = {
  scope: resourceScope,
  audience: resource,
  accessTokenTTL: 300,
  accessTokenFormat: 'jwt',
  jwt: { sign: { alg: 'ES256' } },
}

function makeSigningKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }
}

function account(person: Person | undefined) {
  if (!person) return undefined
  const { id: accountId, name, nickname, email, locale } = person
  return { accountId, claims: () => ({ sub: accountId, name, nickname, email, email_verified: true, locale }) }
}
