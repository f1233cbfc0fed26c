import type { Client } from '#lib/oauth/client/client'

/** What the protocol asks of storage, as intents; lib/db answers on SQLite and PostgreSQL alike. */
export type OAuthStore = {
  findClient(clientId: string): Promise<Client | undefined>

  /**
   * Keeps an approval unless its request was completed before (design §3 step 5), or the consent it follows from is no
   * longer what it was: nothing is born after a withdrawal that it did not know of.
   */
  insertAuthorization(authorization: NewAuthorization, consent: StandingConsent): Promise<'stored' | 'refused'>
  findByRequest(requestId: string): Promise<Authorization | undefined>
  findByCode(codeHash: string): Promise<Authorization | undefined>
  /** Spends the code: true for exactly one caller, however many try at once. */
  spendCode(spending: CodeSpending): Promise<boolean>

  /** The authorization a refresh token names, and what the presented hash is to it. */
  findForRefresh(presented: PresentedRefresh): Promise<RefreshFinding | undefined>
  /** Current becomes previous and the successor current: true for exactly one caller. */
  rotateRefresh(rotation: RefreshRotation): Promise<boolean>
  /** Revokes when the presented hash is still neither current nor a retry; true when this call did. */
  revokeReplayed(presented: PresentedRefresh): Promise<boolean>

  /** The living grant behind an access token; undefined once anything ended it. */
  findGrant(authorizationId: string, jti: string): Promise<Grant | undefined>
  findAuthorization(id: string): Promise<Authorization | undefined>
  revokeAuthorization(id: string, now: Date): Promise<void>
  revokeAccessToken(jti: string, expiresAt: Date): Promise<void>
  /** True the first time an assertion is seen, false ever after. */
  rememberAssertion(id: string, expiresAt: Date): Promise<boolean>
}

/** What one approval fixed for ever. */
export type NewAuthorization = {
  id: string
  requestId: string
  clientId: string
  personId: string
  sessionId: string
  subject: string
  scopes: string[]
  emailChoice: EmailChoice
  redirectUri: string
  nonce: string | undefined
  challenge: string | undefined
  authTime: Date
  authTimeWanted: boolean
  acr: string
  amr: string[]
  salt: string
  codeHash: string
  codeExpiresAt: Date
  createdAt: Date
}

/** The consent on record that an approval was made from. */
export type StandingConsent = { granted: string[]; emailChoice: EmailChoice }

export type EmailChoice = 'regular' | 'hidden' | 'none'

/** An approval and how far its life has come. */
export type Authorization = NewAuthorization & {
  teamId: string
  codeSpentAt: Date | undefined
  refreshIdleUntil: Date | undefined
  refreshUntil: Date | undefined
  revokedAt: Date | undefined
  /** The scopes that the app is registered for now. */
  appScopes: string[]
  /** Whether app and person may still be served. */
  active: boolean
  /** The person's locale, for the ID token (specification §2.3). */
  locale: string
}

export type CodeSpending = {
  id: string
  now: Date
  refreshHash: string | undefined
  refreshIdleUntil: Date | undefined
  refreshUntil: Date | undefined
  keepUntil: Date
}

export type PresentedRefresh = { id: string; hash: string; now: Date; retrySeconds: number }

/** `retry`: the token before the current one, within the time a lost answer may be asked for again. */
export type RefreshFinding = {
  authorization: Authorization
  presented: 'current' | 'retry' | 'replayed'
  /** The hash of the current refresh token, which a retry must arrive at. */
  currentHash: string
  /** When the current one was given. */
  issuedAt: Date
  expired: boolean
}

export type RefreshRotation = { id: string; from: string; to: string; now: Date; refreshIdleUntil: Date }

/** What userinfo and introspection answer from, read in one statement. */
export type Grant = {
  clientId: string
  teamId: string
  subject: string
  scopes: string[]
  /** The scopes that the app is registered for now. */
  appScopes: string[]
  emailChoice: EmailChoice
  /** The name of the relay address, when the choice is to hide the real one. */
  alias: string | undefined
  person: ProfileFields
}

/** Empty text is unset. */
export type ProfileFields = {
  username: string
  name: string
  nickname: string
  biography: string
  gender: string
  birthdate: string
  region: string
  locale: string
  avatarFile: string | undefined
  email: string | undefined
  updatedAt: Date
}
