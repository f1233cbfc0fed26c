import { type Row, type Statements, toDate } from '#lib/db/engine/statements'
import type { Grant, OAuthStore, TokenState } from '#lib/oauth/store'
import { active, isInactive, toClaimValues } from './authorization-store.ts'
import { knownRowids } from './known-rowids.ts'

/**
 * Stores the state of self-contained tokens: whether an access token is revoked, and whether an assertion or a DPoP
 * proof was used before.
 */
export function tokenStore({
  kind,
  find,
  change,
}: Statements): Pick<
  OAuthStore,
  'findGrant' | 'findTokenState' | 'revokeAccessToken' | 'rememberAssertion' | 'rememberProof'
> {
  const tokenState = tokenStateOn(kind)
  const findRow = kind === 'sqlite' ? findByRowids(find) : (...token: Token) => find(grant, token)
  return {
    findGrant: async (authorizationId, jti) => toGrant(await findRow(authorizationId, jti)),
    findTokenState: async (authorizationId, jti) => toTokenState(await find(tokenState, [authorizationId, jti])),
    revokeAccessToken: async (jti, expiresAt) => void (await change(revoke, [jti, expiresAt])),
    rememberAssertion: async (...assertion) => (await change(useAssertion, assertion)) === 1,
    rememberProof: async (...proof) => (await change(useProof, proof)) === 1,
  }
}

/** Selects the authorization of a token, unless the authorization or the token is revoked. */
const ofToken = {
  from: `"Authorization" a JOIN "App" app ON app.id = a."appId"`,
  where: `a.id = $1 AND a."revokedAt" IS NULL AND NOT EXISTS (SELECT 1 FROM "RevokedToken" r WHERE r.jti = $2)`,
  types: ['text', 'text'],
}
const withPerson = `${ofToken.from} JOIN "Person" p ON p.id = a."personId"`

/**
 * One statement reads everything that can end a grant, so that the next request sees that a grant has ended (design
 * §4).
 */
const selectGrant = (from: string, where: string, moreColumns = '') =>
  `SELECT a."appId", app."teamId", app.scopes AS "appScopes", app.profile AS "appProfile", a.sub, a.scopes, a."emailChoice", a."claimValues", p.username, p.name, p.nickname, p.biography,
    p.gender, p.birthdate, p.region, p.locale, p."avatarFile", p.email, p."profileUpdatedAt", alias.address AS alias, (${active}) AS active${moreColumns}
    FROM ${from}
    LEFT JOIN "Alias" alias ON a."emailChoice" = 'hidden' AND alias."personId" = a."personId" AND alias."appId" = a."appId"
    WHERE ${where}`
const grant = { name: 'grant', sql: selectGrant(withPerson, ofToken.where), types: ofToken.types }

/** The part of the grant that introspection needs. */
const tokenStateOn = (kind: Statements['kind']) => ({
  name: 'token-state',
  sql: `SELECT app."teamId", app.scopes AS "appScopes", a.sub, a.scopes,
    (${kind === 'sqlite' ? activeOnSqlite : active}) AS active
    FROM ${kind === 'sqlite' ? ofToken.from : withPerson} WHERE ${ofToken.where}`,
  types: ofToken.types,
})
/**
 * Looks the person up in the partial index of people who are disabled or being deleted, so that the row of an active
 * person is not read (decision 0082). Without INDEXED BY, SQLite uses the primary key.
 */
const activeOnSqlite = `app."disabledAt" IS NULL AND NOT EXISTS (SELECT 1 FROM "Person" p INDEXED BY "Person_inactive_idx"
    WHERE p.id = a."personId" AND ${isInactive})`

type Token = [authorizationId: string, jti: string]

const rowids = ', a.rowid AS "authorizationRowid", p.rowid AS "personRowid"'
const grantAndRowids = { name: 'grant-and-rowids', sql: selectGrant(withPerson, ofToken.where, rowids) }
/**
 * `+` stops SQLite from using the indexes of ids. The conditions on the ids stay, because other rows can have these rowids by
 * now.
 */
const grantByRowids = {
  name: 'grant-by-rowids',
  sql: selectGrant(
    `${ofToken.from} JOIN "Person" p ON p.rowid = $4 AND +p.id = a."personId"`,
    `a.rowid = $3 AND +${ofToken.where}`,
  ),
}

/** Finds the grant of a token on SQLite, by the rowids of its rows if an earlier request has found them (decision 0088). */
function findByRowids(find: Statements['find']) {
  const known = knownRowids()
  return async (...token: Token): Promise<Row | undefined> => {
    const [id] = token
    const rowids = known.get(id)
    const row = rowids && (await find(grantByRowids, [...token, ...rowids]))
    if (row) return row
    const found = await find(grantAndRowids, token)
    if (found) known.set(id, [Number(found.authorizationRowid), Number(found.personRowid)])
    else known.forget(id)
    return found
  }
}

const revoke = {
  name: 'revoke-access-token',
  sql: `INSERT INTO "RevokedToken" (jti, "expiresAt") VALUES ($1, $2) ON CONFLICT DO NOTHING`,
}
/** Inserts nothing for a value that was issued before a restore: its first use may be lost. */
const insertOnce = (table: string) => `INSERT INTO "${table}" (id, "expiresAt")
    SELECT $1, CAST($2 AS timestamp(3)) WHERE NOT EXISTS
    (SELECT 1 FROM "Restore" WHERE "restoredAt" > CAST($3 AS timestamp(3))) ON CONFLICT DO NOTHING`
const useAssertion = {
  name: 'use-assertion',
  sql: insertOnce('UsedAssertion'),
}
const useProof = {
  name: 'use-proof',
  sql: insertOnce('UsedProof'),
}

function toTokenState(row: Row | undefined): TokenState | undefined {
  if (!row?.active) return undefined
  return {
    teamId: String(row.teamId),
    subject: String(row.sub),
    scopes: String(row.scopes).split(' '),
    appScopes: String(row.appScopes).split(' '),
  }
}

function toGrant(row: Row | undefined): Grant | undefined {
  const state = toTokenState(row)
  if (!row || !state) return undefined
  const text = (name: string) => String(row[name])
  const optional = (name: string) => (row[name] === null ? undefined : text(name))
  return {
    ...state,
    clientId: text('appId'),
    appProfile: text('appProfile') as Grant['appProfile'],
    emailChoice: text('emailChoice') as Grant['emailChoice'],
    claimValues: toClaimValues(row),
    alias: optional('alias'),
    person: {
      username: text('username'),
      name: text('name'),
      nickname: text('nickname'),
      biography: text('biography'),
      gender: text('gender'),
      birthdate: text('birthdate'),
      region: text('region'),
      locale: text('locale'),
      avatarFile: optional('avatarFile'),
      email: optional('email'),
      updatedAt: toDate(row.profileUpdatedAt) as Date,
    },
  }
}
