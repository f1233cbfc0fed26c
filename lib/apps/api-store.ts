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

/** The storage that the management of APIs needs. */
export type ApiStore = {
  list(): Promise<ApiRecord[]>
  /** Removes an API; false for an unknown identifier. Tokens for it become inactive, and no new ones are issued. */
  remove(identifier: string): Promise<boolean>
}
