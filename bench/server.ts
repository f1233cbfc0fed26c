import type { ServerProcess } from './process.ts'

/** Someone who takes part in a row: how to start its server. */
export type Contestant = {
  name: string
  start(): Promise<Server>
}

/** A running server, and what the rows need to know of it. */
export type Server = {
  process: ServerProcess
  port: number
  /** The Host it answers to. */
  host: string
  endpoints: Endpoints
  /** Authorizations as they are after sign-in and consent, `count` of each kind the row asks for. */
  prepare(kind: StockKind, count: number): Promise<Stock>
}

/** Paths below the issuer. */
export type Endpoints = { discovery: string; jwks: string; token: string; userinfo: string; introspection: string }

/** What a row spends: unspent codes, current refresh tokens, live access tokens that the endpoint of the row accepts. */
export type StockKind = 'codes' | 'refreshTokens' | 'userinfoTokens' | 'introspectionTokens'

/** Values made in advance for one confidential client; all codes share one PKCE verifier and redirect URI. */
export type Stock = {
  values: string[]
  client: { id: string; secret: string }
  redirectUri: string
  verifier: string
}

/** The endpoints a server publishes in its discovery document. */
export async function discoverEndpoints(origin: string): Promise<Endpoints> {
  const discovery = '/.well-known/openid-configuration'
  const answer = await fetch(origin + discovery)
  const document = (await answer.json()) as Record<string, string>
  const path = (name: string) => new URL(document[name] ?? '/not-published', origin).pathname
  return {
    discovery,
    jwks: path('jwks_uri'),
    token: path('token_endpoint'),
    userinfo: path('userinfo_endpoint'),
    introspection: path('introspection_endpoint'),
  }
}
