/** A registered API as the operator sees it. */
export type ApiRecord = {
  identifier: string
  team: string
  name: string
  scopes: string[]
  sensitiveScopes: string[]
  /** Scopes that wait for the operator's approval. */
  waitingScopes: string[]
  signingAlg: string
  createdAt: Date
}

/** Lists the APIs for the operator. */
export type ApiStore = { list(): Promise<ApiRecord[]> }
