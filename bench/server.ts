import type { ServerProcess } from './process.ts'
import type { ProofKey } from './proofs.ts'

/** A server that a row measures, and how to start it. */
export type Contestant = {
  name: string
  start(): Promise<Server>
}

/** A running server and the data that the rows need. */
export type Server = {
  process: ServerProcess
  port: number
  /** The value of the Host header. */
  host: string
  endpoints: Endpoints
  /** The port of the introspection endpoint, if it is another one. */
  introspectionPort?: number
  /** The beginning of the Location that leads a browser without a session to sign-in, in lower case. */
  signIn: string
  /**
   * Creates `count` authorizations in their state after sign-in and consent and returns the codes or tokens of one
   * kind.
   */
  prepare(kind: StockKind, count: number): Promise<Stock>
}

/** Paths below the issuer. */
export type Endpoints = Record<
  'discovery' | 'jwks' | 'token' | 'userinfo' | 'introspection' | 'push' | 'authorization',
  string
>

/**
 * The values that a row consumes: unspent codes, current refresh tokens, or valid access tokens for the row's
 * endpoint, of which `boundTokens` are bound to a DPoP key.
 */
export type StockKind = 'codes' | 'refreshTokens' | 'userinfoTokens' | 'introspectionTokens' | 'boundTokens'

/** Prepared values for one confidential client. All codes share one PKCE verifier and redirect URI. */
export type Stock = {
  values: string[]
  client: { id: string; secret: string }
  redirectUri: string
  scope: string
  verifier: string
  /** The key of bound tokens. */
  proofKey?: ProofKey | undefined
}

/** Returns the endpoints from a server's discovery document. The issuer may have a path. */
export async function discoverEndpoints(issuer: string): Promise<Endpoints> {
  const discovery = `${issuer}/.well-known/openid-configuration`
  const answer = await fetch(discovery)
  const document = (await answer.json()) as Record<string, string>
  const path = (name: string) => new URL(document[name] ?? '/not-published', issuer).pathname
  return {
    discovery: new URL(discovery).pathname,
    jwks: path('jwks_uri'),
    token: path('token_endpoint'),
    userinfo: path('userinfo_endpoint'),
    introspection: path('introspection_endpoint'),
    push: path('pushed_authorization_request_endpoint'),
    authorization: path('authorization_endpoint'),
  }
}
