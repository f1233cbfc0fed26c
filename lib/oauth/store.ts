import type { Api } from '#lib/oauth/client/api'
import type { Client } from '#lib/oauth/client/client'
import type { ProfileName } from '#lib/oauth/client/profile'

/** Stores the state of the protocol; lib/db implements this for SQLite and PostgreSQL. */
export type OAuthStore = {
  findClient(clientId: string): Promise<Client | undefined>
  /** Returns the APIs of a team. */
  findApis(teamId: string): Promise<Api[]>

  /**
   * Stores an approval, unless its request is already completed (design §3 step 5), the consent it is based on has
   * changed, or its session has ended: no authorization outlives a concurrent withdrawal or sign-out.
   */
  insertAuthorization(authorization: NewAuthorization, basis: ApprovalBasis): Promise<'stored' | 'refused'>
  findByRequest(requestId: string): Promise<Authorization | undefined>
  findByCode(codeHash: string): Promise<Authorization | undefined>
  /** Spends the code; of concurrent calls, exactly one returns true. */
  spendCode(spending: CodeSpending): Promise<boolean>

  /**
   * Returns the authorization that a refresh token names, and whether the presented hash is current, a retry or a
   * replay.
   */
  findForRefresh(presented: PresentedRefresh): Promise<RefreshFinding | undefined>
  /** Makes the successor current; of concurrent calls, exactly one returns true. */
  rotateRefresh(rotation: RefreshRotation): Promise<boolean>
  /** Restarts the idle time of the current refresh token; returns false if it is no longer current. */
  extendRefresh(extension: { id: string; hash: string; refreshIdleUntil: Date }): Promise<boolean>
  /**
   * Revokes the authorization if the presented hash is neither current nor a retry; returns whether this call revoked
   * it.
   */
  revokeReplayed(presented: PresentedRefresh): Promise<boolean>

  /** Returns the grant of an access token; undefined if the grant or the token was revoked. */
  findGrant(authorizationId: string, jti: string): Promise<Grant | undefined>
  /** Returns the part of the grant that introspection needs; undefined if the grant or the token was revoked. */
  findTokenState(authorizationId: string, jti: string): Promise<TokenState | undefined>
  findAuthorization(id: string): Promise<Authorization | undefined>
  revokeAuthorization(id: string, now: Date): Promise<void>
  revokeAccessToken(jti: string, expiresAt: Date): Promise<void>
  /**
   * Records an assertion; returns false if the same one is already recorded, or if it was issued before a restore of the
   * database, which may have removed its record.
   */
  rememberAssertion(id: string, expiresAt: Date, issuedAt: Date): Promise<boolean>

  insertPushedRequest(pushed: NewPushedRequest): Promise<void>
  /** Returns a request that this app pushed, unless it has expired or was completed. */
  findPushedRequest(id: string, clientId: string, now: Date): Promise<PushedRequest | undefined>
  /** Removes the pushed request that made a request, if it was pushed. */
  removePushedRequest(requestId: string): Promise<void>
  /** Records a DPoP proof; returns false as `rememberAssertion` does. */
  rememberProof(id: string, expiresAt: Date, issuedAt: Date): Promise<boolean>
}

/** The parameters of a pushed request, and the id of the request that they make. */
export type PushedRequest = { requestId: string; parameters: Record<string, string> }
export type NewPushedRequest = PushedRequest & { id: string; clientId: string; expiresAt: Date }

/** The fields of an authorization that never change. */
export type NewAuthorization = {
  id: string
  requestId: string
  clientId: string
  personId: string
  /** The `firstId` of the session: it stays the same when a confirmation replaces the session. */
  sessionId: string
  subject: string
  scopes: string[]
  /** The identifiers of the APIs that the request named (RFC 8707). */
  resources: string[]
  emailChoice: EmailChoice
  redirectUri: string
  nonce: string | undefined
  challenge: string | undefined
  /** The thumbprint of the DPoP key that the code is bound to. */
  dpopJkt: string | undefined
  authTime: Date
  authTimeWanted: boolean
  /** The person's claims that the app wants in the ID token, if they are granted. */
  idTokenClaims: string[]
  /** The values that the app requests claims with; undefined if there are none. */
  claimValues: ClaimValues | undefined
  acr: string
  amr: string[]
  salt: string
  codeHash: string
  codeExpiresAt: Date
  createdAt: Date
  /** When the row is removed. */
  keepUntil: Date
  /** Whether the consent is asked again at each sign-in, so that the approval lasts no longer than the session. */
  endsWithSession: boolean
}

/** The requested values of claims (OpenID Connect Core §5.5.1), by the place that returns the claims. */
export type ClaimValues = { userinfo: ValuesByClaim; idToken: ValuesByClaim }
export type ValuesByClaim = Record<string, unknown[]>

/** The stored consent that an approval is based on, and the id of the session in which it is given. */
export type ApprovalBasis = { granted: string[]; emailChoice: EmailChoice; liveSessionId: string }

export type EmailChoice = 'regular' | 'hidden' | 'none'

/** An authorization with its current state. */
export type Authorization = NewAuthorization & {
  teamId: string
  codeSpentAt: Date | undefined
  refreshIdleUntil: Date | undefined
  refreshUntil: Date | undefined
  revokedAt: Date | undefined
  /** The scopes that the app is registered for now. */
  appScopes: string[]
  /** False once the app or the person is disabled, or the person's deletion is requested. */
  active: boolean
  /** The person's locale, for the ID token (specification §2.3). */
  locale: string
}

export type CodeSpending = {
  requestId: string
  now: Date
  refreshHash: string | undefined
  refreshIdleUntil: Date | undefined
  refreshUntil: Date | undefined
  /** Stores the row for longer; undefined if it is stored for long enough. */
  keepUntil: Date | undefined
}

export type PresentedRefresh = { id: string; hash: string; now: Date; retrySeconds: number }

/** `retry`: the previous token, within the time in which a client may repeat a request whose answer was lost. */
export type RefreshFinding = {
  authorization: Authorization
  presented: 'current' | 'retry' | 'replayed'
  /** The hash of the current refresh token; a retry must derive the same one. */
  currentHash: string
  /** When the current refresh token was issued. */
  issuedAt: Date
  expired: boolean
  /** Set for a replay if the row is as a backup left it, so that the app may hold a newer token (decision 0057). */
  restored: { previousHash: string | undefined; rotations: number | undefined } | undefined
}

/** Replaces the token `current` by `to`, the successor of `from`: the same as `current`, except after a restore. */
export type RefreshRotation = {
  id: string
  current: string
  from: string
  to: string
  now: Date
  refreshIdleUntil: Date
}

/** The team and the scopes behind an access token. */
export type TokenState = {
  teamId: string
  subject: string
  scopes: string[]
  /** The scopes that the app is registered for now. */
  appScopes: string[]
}

/** The grant behind an access token, read in one statement. */
export type Grant = TokenState & {
  clientId: string
  appProfile: ProfileName
  emailChoice: EmailChoice
  claimValues: ClaimValues | undefined
  /** The name of the relay address, if the person hides the real one. */
  alias: string | undefined
  person: ProfileFields
}

/** The profile of a person; an empty text means unset. */
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
