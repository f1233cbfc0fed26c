import type { Recorded } from '#lib/account/activity/recorded'

/** An app or an API with scopes that wait for an operator's approval. */
export type WaitingScopes = {
  of: 'app' | 'api'
  /** The client_id of the app, or the identifier of the API. */
  id: string
  name: string
  team: { id: string; name: string }
  scopes: string[]
  since: Date
  /** Changes with every change; a decision returns the one that its page has shown. */
  version: string
}

export type ScopeDecision = Pick<WaitingScopes, 'of' | 'id' | 'scopes' | 'version'> & { isApproved: boolean }

/**
 * `same`: the scopes are in this state already, for example after a double submit. `stale`: the app or API was changed, or
 * another operator decided, after the page was shown.
 */
export type Decided = 'changed' | 'same' | 'stale' | 'unknown'

/** The sensitive scopes that wait for operators. A decision writes its lines in the same transaction. */
export type ScopeQueue = {
  /** Returns the apps and APIs with waiting scopes, the longest wait first, at most `most` of each. */
  list(most: number): Promise<WaitingScopes[]>
  count(): Promise<number>
  decide(decision: ScopeDecision, recorded: Recorded): Promise<Decided>
}
