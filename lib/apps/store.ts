/** A registered app as the operator sees it, with the names of its secrets and keys only. */
export type AppRecord = {
  id: string
  team: string
  name: string
  kind: string
  profile: string
  redirectUris: string[]
  scopes: string[]
  /** Scopes that wait for the operator's approval. */
  waitingScopes: string[]
  requiredScopes: string[]
  email: string
  homepage: string
  policyUri: string
  tosUri: string
  registration: Record<string, unknown>
  hasLogo: boolean
  createdAt: Date
  updatedAt: Date
  disabledAt: Date | null
  secrets: { id: string; createdAt: Date }[]
  keys: { kid: string; createdAt: Date }[]
}

/** The storage that the management of apps needs. */
export type AppStore = {
  list(now: Date): Promise<AppRecord[]>
  find(id: string, now: Date): Promise<AppRecord | null>
  /** Returns all client_ids, to suggest one for a mistyped id. */
  ids(): Promise<string[]>
  /** Returns the apps whose deletion is due. */
  findDeletable(now: Date, most: number): Promise<string[]>
  /** Deletes a batch of rows that grow with use; false when none is left. The app must be disabled, so that none is added. */
  removeUse(appId: string, batch: number): Promise<boolean>
  /** Deletes the app and all its rows except its relay addresses, which are closed and never reused. */
  remove(appId: string, now: Date): Promise<void>
}

export type SecretAdded = 'added' | 'unknown app' | 'not confidential' | 'enough are live'
