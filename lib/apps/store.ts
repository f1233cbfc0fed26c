/** What the operator sees of a registered app; secrets and keys by name only. */
export type AppRecord = {
  id: string
  team: string
  name: string
  kind: string
  profile: string
  redirectUris: string[]
  scopes: string[]
  requiredScopes: string[]
  email: string
  homepage: string
  policyUri: string
  tosUri: string
  hasLogo: boolean
  createdAt: Date
  updatedAt: Date
  disabledAt: Date | null
  secrets: { id: string; createdAt: Date }[]
  keys: { kid: string; createdAt: Date }[]
}

/** What the management of apps asks of storage. */
export type AppStore = {
  list(now: Date): Promise<AppRecord[]>
  find(id: string, now: Date): Promise<AppRecord | null>
  /** Counts and adds in one step, so that two at once cannot make three live secrets. */
  addSecret(appId: string, secret: { id: string; hash: string }, now: Date): Promise<SecretAdded>
  removeSecret(appId: string, secretId: string): Promise<'removed' | 'unknown'>
  removeKey(appId: string, kid: string): Promise<'removed' | 'unknown' | 'last'>
}

export type SecretAdded = 'added' | 'unknown app' | 'not confidential' | 'enough are live'
