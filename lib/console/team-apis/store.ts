import type { DeclaredApi } from '#lib/apps/api-rules'
import type { Act } from '#lib/console/audit/act'
import type { Problem } from '#lib/text/read-fields'

/** An API as its team sees it (RFC 8707). */
export type TeamApi = {
  identifier: string
  name: string
  /** The scopes that apps may ask for; those that wait for an operator's approval; and the sensitive ones among both. */
  scopes: string[]
  waitingScopes: string[]
  sensitiveScopes: string[]
  signingAlg: 'ES256' | 'RS256'
  createdAt: Date
  /** Changes with every change of the API; an editor returns the one that it has read. */
  version: string
}

/** `taken`: the identifier is registered. `stale`: another editor has changed the API since this one read it. */
export type ApiWrite =
  | { result: 'written' | 'taken' | 'enough' | 'unknown' | 'stale' }
  | { result: 'refused'; problems: Problem[] }

/** Edits the APIs of a team, as `cli apply` does. Every change writes its act in the same transaction. */
export type TeamApiStore = {
  list(teamId: string): Promise<TeamApi[]>
  find(teamId: string, identifier: string): Promise<TeamApi | undefined>
  /** Registers an API, unless its identifier is taken or the team has `most` APIs. */
  register(api: DeclaredApi, most: number, act: Act): Promise<ApiWrite>
  /** Writes the declared fields, if the API still has this version. */
  update(api: DeclaredApi, version: string, act: Act): Promise<ApiWrite>
  /** Deletes an API; false if it is gone. Tokens for it become inactive. */
  remove(teamId: string, identifier: string, act: Act): Promise<boolean>
}
