/** The registration of an app by a program: its initial access token, and the hash of its registration access token. */
export type SelfRegistration = { tokenId: string; managementHash: string }

/** Stores the registration access tokens of apps that registered themselves (RFC 7592 §3). */
export type RegistrationStore = {
  /** Returns whether the registration access token of the app has this hash. */
  isManager(appId: string, hash: string): Promise<boolean>
  /** Revokes the registration access token of the app. */
  endManagement(appId: string): Promise<void>
}
