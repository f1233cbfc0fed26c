import type { AuthorizationRequest } from '#lib/oauth/authorize/request'
import type { Client } from '#lib/oauth/client/client'

/** A validated request, for tests of pure rules. */
export const requestFor = (changed: Partial<AuthorizationRequest> = {}): AuthorizationRequest => ({
  id: 'request',
  clientId: 'acme-web',
  redirectUri: 'https://acme.example/callback',
  responseMode: 'query',
  scopes: ['openid'],
  state: 'state',
  nonce: undefined,
  challenge: 'challenge',
  dpopJkt: undefined,
  prompt: [],
  maxAge: undefined,
  preferredClass: undefined,
  loginHint: undefined,
  hintedSubject: undefined,
  claims: undefined,
  uiLocales: undefined,
  issuedAt: 0,
  ...changed,
})

/** A registered app, for tests of pure rules. */
export const clientWith = (changed: Partial<Client> = {}): Client => ({
  id: 'acme-web',
  teamId: 'acme',
  name: 'Acme Web',
  names: {},
  teamName: 'Acme',
  team: { isVerified: true, domains: [] },
  kind: 'confidential',
  profile: 'standard',
  redirectUris: ['https://acme.example/callback'],
  scopes: ['openid'],
  requiredScopes: ['openid'],
  email: 'optional',
  secrets: [],
  keys: [],
  logoFile: undefined,
  homepage: '',
  policyUri: '',
  tosUri: '',
  registration: {},
  ...changed,
})
