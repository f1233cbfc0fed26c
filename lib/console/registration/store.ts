import type { OwnTeam } from '#lib/console/team/store'

/** The registration of an app by a program: its initial access token, and the hash of its registration access token. */
export type SelfRegistration = { tokenId: string; managementHash: string }

/** Stores the registration access tokens of apps that registered themselves (RFC 7592 §3). */
export type RegistrationStore = {
  /** Returns the team of the app, if its registration access token has this hash. */
  findTeam(appId: string, hash: string): Promise<Pick<OwnTeam, 'id' | 'isTrusted' | 'isClosed'> | undefined>
  /** Returns whether a live secret of the app has this hash. */
  hasSecret(appId: string, hash: string, now: Date): Promise<boolean>
  /** Revokes the registration access token of the app. */
  endManagement(appId: string): Promise<void>
}
