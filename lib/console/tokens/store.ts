import type { Person } from '#lib/account/signed-in/session'
import type { Act } from '#lib/console/audit/act'
import type { OwnTeam } from '#lib/console/team/store'
import type { ProfileName } from '#lib/oauth/client/profile'
import type { TokenScope } from './scopes.ts'

/** A token of a team's API, without its secret. */
export type TeamToken = {
  id: string
  name: string
  scopes: TokenScope[]
  /** The username of the member who made it. */
  maker: string
  createdAt: Date
  expiresAt: Date
  /** The last use, to the hour. */
  lastUsedAt: Date | null
}

/** An initial access token (RFC 7591 §1.2), without its secret. */
export type RegistrationToken = {
  id: string
  name: string
  profile: ProfileName
  /** The number of apps that it can still register. */
  remaining: number
  maker: string
  createdAt: Date
  expiresAt: Date
}

/** The holder of a token: its team and its maker, with the maker's present role. */
export type Holder<Token> = {
  token: Token
  team: OwnTeam
  person: Pick<Person, 'id' | 'username' | 'locale' | 'pageLanguage'>
}

type New<Token> = Omit<Token, 'maker' | 'lastUsedAt'> & { personId: string; hash: string }

/** Stores the tokens of a team. Every change writes its act in the same transaction. */
export type TokenStore = {
  /** Lists the API tokens that have not expired, the newest first. */
  listTokens(teamId: string, now: Date): Promise<TeamToken[]>
  /** Adds an API token, unless the team has `most`. */
  addToken(teamId: string, token: New<TeamToken>, most: number, act: Act): Promise<'added' | 'enough'>
  /** Revokes an API token; false if it is gone. */
  revokeToken(teamId: string, id: string, act: Act): Promise<boolean>
  /** Finds a live API token by its hash; undefined if its maker is no member, or cannot sign in. */
  findToken(hash: string, now: Date): Promise<Holder<TeamToken> | undefined>
  /** Notes a use; writes at most once in an hour. */
  noteUse(token: TeamToken, now: Date): Promise<void>
  listRegistrationTokens(teamId: string, now: Date): Promise<RegistrationToken[]>
  addRegistrationToken(
    teamId: string,
    token: New<RegistrationToken>,
    most: number,
    act: Act,
  ): Promise<'added' | 'enough'>
  revokeRegistrationToken(teamId: string, id: string, act: Act): Promise<boolean>
  findRegistrationToken(hash: string, now: Date): Promise<Holder<RegistrationToken> | undefined>
}
