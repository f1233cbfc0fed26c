import type { DeclaredApp } from '#lib/apps/app-rules'
import type { SecretAdded } from '#lib/apps/store'
import type { Act } from '#lib/console/audit/act'
import type { SelfRegistration } from '#lib/console/registration/store'
import type { Problem } from '#lib/text/read-fields'

/** An app as its team sees it. */
export type TeamApp = {
  id: string
  teamId: string
  name: string
  kind: string
  profile: string
  logoFile: string | null
  createdAt: Date
  disabledAt: Date | null
  disabledBy: string | null
  /** The time after which the app is deleted with all its data. */
  removeAfter: Date | null
  /** The scopes that the app may ask for, and those that wait for an operator's approval. */
  scopes: string[]
  waitingScopes: string[]
  /** The app as a file declares it, without credentials; its scopes include those that wait. */
  declaration: Record<string, unknown>
  /** Changes with every change of the app; an editor returns the one that it has read. */
  version: string
  secrets: { id: string; createdAt: Date; expiresAt: Date | null; lastUsedAt: Date | null }[]
  keys: { kid: string; jwk: string; createdAt: Date; lastUsedAt: Date | null }[]
}

/** An app, and the team that must still have it: the app can move to another team while a member changes it. */
export type OwnApp = Pick<TeamApp, 'id' | 'teamId'>

type Picture = { file: string; mediaType: string; bytes: Uint8Array<ArrayBuffer> }

/**
 * `stale`: another editor has changed the app since this one read it. `spent`: the initial access token permits no more.
 * `closed`: the operator has closed the team.
 */
export type AppWrite =
  | { result: 'written'; secret: string | undefined }
  | { result: 'stale' | 'taken' | 'enough' | 'unknown' | 'spent' | 'closed' }
  | { result: 'refused'; problems: Problem[] }

/** Edits the apps of a team, as `cli apply` does. Every change writes its act in the same transaction. */
export type TeamAppStore = {
  find(appId: string): Promise<TeamApp | undefined>
  /** Registers an app, unless its id is taken or the team has `most` apps; returns the generated secret. */
  register(app: DeclaredApp, most: number, act: Act, self?: SelfRegistration): Promise<AppWrite>
  /** Writes the declared fields, if the app still has this version. */
  update(app: DeclaredApp, version: string, act: Act): Promise<AppWrite>
  /** Adds a secret, unless two are live. */
  addSecret(app: OwnApp, secret: { id: string; hash: string }, act: Act): Promise<SecretAdded>
  /** Removes a secret; false if it is gone. */
  removeSecret(app: OwnApp, secretId: string, act: Act): Promise<boolean>
  /** Removes a key, unless it is the last one of an app without jwks_uri. */
  removeKey(app: OwnApp, kid: string, act: Act): Promise<'removed' | 'unknown' | 'last'>
  /** Replaces the logo, or removes it (`undefined`); the previous picture is deleted. */
  setLogo(app: OwnApp, picture: Picture | undefined, act: Act): Promise<void>
  /** Closes an app, or opens it; false if the operator closed it, it is being deleted, or it went to another team. */
  setDisabled(app: OwnApp, isDisabled: boolean, act: Act): Promise<boolean>
  /** Closes an app and deletes it after that time; or keeps it (`undefined`) and opens it if its deletion closed it. */
  setDeletion(app: OwnApp, after: Date | undefined, act: Act): Promise<boolean>
}
