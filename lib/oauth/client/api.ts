import type { IdTokenAlg } from './profile.ts'

/** An API that a team registered; RFC 8707 calls it a resource. Its scopes are unique within the team. */
export type Api = {
  /** The absolute URI that is the audience of the access tokens for this API. */
  identifier: string
  name: string
  scopes: string[]
  /** The algorithm of the access tokens for this API. */
  signingAlg: IdTokenAlg
}
