import { type Row, type Statement, type Statements, toDate, type Value } from '#lib/db/engine/statements'
import type { ApprovalBasis, Authorization, ClaimValues, NewAuthorization, OAuthStore } from '#lib/oauth/store'

type AuthorizationStore = Omit<
  OAuthStore,
  | 'findClient'
  | 'findApis'
  | 'findGrant'
  | 'findTokenState'
  | 'revokeAccessToken'
  | 'rememberAssertion'
  | 'rememberProof'
  | 'insertPushedRequest'
  | 'findPushedRequest'
  | 'removePushedRequest'
>

/** Stores authorizations: one row for each approval, one compare-and-set for each step (design §4). */
export function authorizationStore(statements: Statements): AuthorizationStore {
  const { find, change } = statements
  const refresh = refreshStatements(statements.kind)
  const insert = insertStatement(statements.kind)
  const findBy = async (statement: Statement, value: string) => toAuthorization(await find(statement, [value]))
  return {
    insertAuthorization: async (one, basis) =>
      (await change(insert, insertValues(one, basis))) === 1 ? 'stored' : 'refused',
    findByRequest: (requestId) => findBy(byRequest, requestId),
    findByCode: (codeHash) => findBy(byCode, codeHash),
    findAuthorization: (id) => findBy(byId, id),
    spendCode: async ({ requestId, now, refreshHash, refreshIdleUntil, refreshUntil, keepUntil }) => {
      const values = [requestId, now, refreshHash, refreshIdleUntil, refreshUntil]
      return (keepUntil ? await change(spendAndKeep, [...values, keepUntil]) : await change(spend, values)) === 1
    },
    findForRefresh: async ({ id, hash, now, retrySeconds }) => {
      const row = await find(refresh.find, refresh.values(now, id, hash, retrySeconds))
      const authorization = toAuthorization(row)
      if (!row || !authorization) return undefined
      const presented = row.isCurrent ? 'current' : row.isRetry ? 'retry' : 'replayed'
      const optional = (name: string) => row[name] ?? undefined
      const issuedAt = toDate(row.rotatedAt ?? row.codeSpentAt) as Date
      return {
        authorization,
        presented,
        currentHash: String(row.refreshHash),
        issuedAt,
        expired: Boolean(row.isExpired),
        restored: row.isRestored
          ? {
              previousHash: optional('previousRefreshHash') as string | undefined,
              rotations: optional('rotations') as number | undefined,
            }
          : undefined,
      }
    },
    rotateRefresh: async ({ id, current, from, to, now, refreshIdleUntil }) =>
      (await change(refresh.rotate, refresh.values(now, id, from, to, refreshIdleUntil, current))) === 1,
    extendRefresh: async ({ id, hash, refreshIdleUntil }) => (await change(extend, [id, hash, refreshIdleUntil])) === 1,
    revokeReplayed: async ({ id, hash, now, retrySeconds }) =>
      (await change(refresh.revoke, refresh.values(now, id, hash, retrySeconds))) === 1,
    revokeAuthorization: async (id, now) => void (await change(revoke, [id, now])),
  }
}

/** Returns the values in the order of the statement's placeholders. */
function insertValues(one: NewAuthorization, basis: ApprovalBasis): Value[] {
  const { id, requestId, clientId, personId, sessionId, subject, scopes, resources } = one
  const { emailChoice, redirectUri, nonce, challenge, authTime, authTimeWanted, acr, amr } = one
  const { salt, codeHash, codeExpiresAt, createdAt, keepUntil, dpopJkt, idTokenClaims, claimValues } = one
  return [
    ...[id, requestId, clientId, personId, sessionId, subject, scopes.join(' ')],
    ...[emailChoice, redirectUri, nonce, challenge, authTime, authTimeWanted, acr, amr.join(' ')],
    ...[salt, codeHash, codeExpiresAt, createdAt, keepUntil],
    ...[basis.granted.join(' '), basis.emailChoice, dpopJkt, idTokenClaims.join(' '), one.endsWithSession],
    ...[resources.join(' '), claimValues ? JSON.stringify(claimValues) : '', basis.liveSessionId],
  ]
}

/** The condition of `Person_inactive_idx`, in these words: SQLite compares them. */
export const isInactive = `(p."disabledAt" IS NOT NULL OR p."deleteAfter" IS NOT NULL)`
/**
 * An authorization is inactive once its person's deletion is requested, even if a concurrent approval has stored it
 * since. A column and not a condition: without statistics, PostgreSQL would read all people who are not being deleted.
 */
export const active = `NOT ${isInactive} AND app."disabledAt" IS NULL`
/**
 * Names each column, because a newer version may add one while this one runs (decision 0056): PostgreSQL refuses a
 * prepared `SELECT a.*` from then on.
 */
const columns = `a.id, a."requestId", a."appId", a."personId", a."sessionId", a.sub, a.scopes, a.resources,
  a."emailChoice", a."redirectUri", a.nonce, a.challenge, a."dpopJkt", a."authTime", a."authTimeWanted",
  a."idTokenClaims", a."claimValues", a.acr, a.amr, a.salt, a."codeHash", a."codeExpiresAt", a."codeSpentAt",
  a."refreshHash", a."previousRefreshHash", a."rotatedAt", a.rotations, a."refreshIdleUntil", a."refreshUntil",
  a."revokedAt", a."createdAt", a."keepUntil", a."endsWithSession",
  p.locale, app."teamId", app.scopes AS "appScopes", (${active}) AS active`
const tables = `"Authorization" a JOIN "Person" p ON p.id = a."personId" JOIN "App" app ON app.id = a."appId"`

const byRequest = {
  name: 'authorization-by-request',
  sql: `SELECT ${columns} FROM ${tables} WHERE a."requestId" = $1`,
  types: ['text'],
}
const byCode = { name: 'authorization-by-code', sql: `SELECT ${columns} FROM ${tables} WHERE a."codeHash" = $1` }
const byId = { name: 'authorization-by-id', sql: `SELECT ${columns} FROM ${tables} WHERE a.id = $1` }

/**
 * Inserts a row only while the consent that it is based on is stored and its session has not ended. A concurrent
 * withdrawal, narrowing or sign-out either waits for the insert and then revokes the row, or commits first, and then no
 * row is inserted: otherwise an app would get an ID token after the logout tokens of its session were queued. SQLite
 * has one writer at a time.
 */
function insertStatement(kind: Statements['kind']): Statement {
  const lock = kind === 'postgresql' ? 'FOR SHARE' : ''
  return {
    name: 'authorization-insert',
    sql: `INSERT INTO "Authorization" (id, "requestId", "appId", "personId", "sessionId", sub, scopes, "emailChoice",
    "redirectUri", nonce, challenge, "authTime", "authTimeWanted", acr, amr, salt, "codeHash", "codeExpiresAt",
    "createdAt", "keepUntil", "dpopJkt", "idTokenClaims", "endsWithSession", resources, "claimValues")
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, CAST($12 AS timestamp(3)), CAST($13 AS boolean), $14, $15, $16,
    $17, CAST($18 AS timestamp(3)), CAST($19 AS timestamp(3)), CAST($20 AS timestamp(3)), $23, $24,
    CAST($25 AS boolean), $26, $27
    FROM "Consent" WHERE "personId" = $4 AND "appId" = $3 AND granted = $21 AND "emailChoice" = $22
    AND (SELECT "endedAt" FROM "Session" WHERE id = $28 ${lock}) IS NULL
    ${lock} ON CONFLICT DO NOTHING`,
  }
}
const time = 'timestamp(3)'
const spending = `UPDATE "Authorization" SET "codeSpentAt" = $2, "refreshHash" = $3, "refreshIdleUntil" = $4,
  "refreshUntil" = $5, rotations = 0`
/**
 * Finds the row by the index that the exchange has just read; a condition on `id` would read another one. A code of
 * version 0.1.0 was found by its hash.
 */
const unspent = `WHERE "requestId" = $1 AND "codeSpentAt" IS NULL AND "revokedAt" IS NULL`
/** Changes no column of an index: SQLite writes one page, and PostgreSQL no index entry if the page has room (decision 0067). */
const spend = {
  name: 'authorization-spend-code',
  sql: `${spending} ${unspent}`,
  types: ['text', time, 'text', time, time],
}
const spendAndKeep = { name: 'authorization-spend-code-and-keep', sql: `${spending}, "keepUntil" = $6 ${unspent}` }
const revoke = {
  name: 'authorization-revoke',
  sql: `UPDATE "Authorization" SET "revokedAt" = $2 WHERE id = $1 AND "revokedAt" IS NULL`,
}
const extend = {
  name: 'refresh-extend',
  sql: `UPDATE "Authorization" SET "refreshIdleUntil" = $3 WHERE id = $1 AND "refreshHash" = $2 AND "revokedAt" IS NULL`,
  types: ['text', 'text', time],
}

/**
 * Rotation time and retry window use the same clock: on PostgreSQL the database's, because many nodes rotate, and on
 * SQLite that of the process.
 */
function refreshStatements(kind: Statements['kind']) {
  const onPostgres = kind === 'postgresql'
  // SQLite gets the time as the last value; PostgreSQL rejects a value that the statement does not use.
  const values = (now: Date, ...rest: Value[]): Value[] => (onPostgres ? rest : [...rest, now])
  const now = (position: number) => (onPostgres ? `(now() AT TIME ZONE 'UTC')` : `$${position}`)
  const rotatedWithin = (seconds: string, at: string) =>
    onPostgres ? `"rotatedAt" + make_interval(secs => ${seconds}) > ${at}` : `"rotatedAt" + ${seconds} * 1000 > ${at}`
  const isRetry = (at: string) => `("previousRefreshHash" = $2 AND ${rotatedWithin('$3', at)})`
  return {
    values,
    find: {
      name: 'refresh-find',
      sql: `SELECT ${columns}, ("refreshHash" = $2) AS "isCurrent", ${isRetry(now(4))} AS "isRetry",
        ("refreshIdleUntil" <= ${now(4)} OR "refreshUntil" <= ${now(4)}) AS "isExpired",
        CASE WHEN "refreshHash" <> $2 THEN EXISTS (SELECT 1 FROM "Restore" r
          WHERE r."restoredAt" > COALESCE("rotatedAt", "codeSpentAt") AND r.until > ${now(4)}) END AS "isRestored"
        FROM ${tables} WHERE a.id = $1 AND "refreshHash" IS NOT NULL`,
      types: ['text', 'text', 'integer'],
    },
    rotate: {
      name: 'refresh-rotate',
      sql: `UPDATE "Authorization" SET "refreshHash" = $3, "previousRefreshHash" = $2, "rotatedAt" = ${now(6)},
        "refreshIdleUntil" = $4,
        rotations = CASE WHEN "refreshHash" = $2 THEN rotations + 1 END
        WHERE id = $1 AND "refreshHash" = $5 AND "revokedAt" IS NULL`,
      types: ['text', 'text', 'text', time, 'text'],
    },
    revoke: {
      name: 'refresh-revoke-replayed',
      sql: `UPDATE "Authorization" SET "revokedAt" = ${now(4)} WHERE id = $1 AND "revokedAt" IS NULL
        AND "refreshHash" <> $2 AND NOT COALESCE(${isRetry(now(4))}, ${onPostgres ? 'false' : '0'})`,
    },
  }
}

export const toClaimValues = ({ claimValues }: Row): ClaimValues | undefined =>
  claimValues ? JSON.parse(String(claimValues)) : undefined

function toAuthorization(row: Row | undefined): Authorization | undefined {
  if (!row) return undefined
  const text = (name: string) => String(row[name])
  const optional = (name: string) => (row[name] === null ? undefined : text(name))
  return {
    id: text('id'),
    requestId: text('requestId'),
    clientId: text('appId'),
    teamId: text('teamId'),
    personId: text('personId'),
    sessionId: text('sessionId'),
    subject: text('sub'),
    scopes: text('scopes').split(' '),
    resources: text('resources').split(' ').filter(Boolean),
    appScopes: text('appScopes').split(' '),
    emailChoice: text('emailChoice') as Authorization['emailChoice'],
    redirectUri: text('redirectUri'),
    nonce: optional('nonce'),
    challenge: optional('challenge'),
    dpopJkt: optional('dpopJkt'),
    authTime: toDate(row.authTime) as Date,
    authTimeWanted: Boolean(row.authTimeWanted),
    idTokenClaims: text('idTokenClaims').split(' ').filter(Boolean),
    claimValues: toClaimValues(row),
    acr: text('acr'),
    amr: text('amr').split(' '),
    salt: text('salt'),
    codeHash: text('codeHash'),
    codeExpiresAt: toDate(row.codeExpiresAt) as Date,
    codeSpentAt: toDate(row.codeSpentAt),
    refreshIdleUntil: toDate(row.refreshIdleUntil),
    refreshUntil: toDate(row.refreshUntil),
    revokedAt: toDate(row.revokedAt),
    createdAt: toDate(row.createdAt) as Date,
    keepUntil: toDate(row.keepUntil) as Date,
    endsWithSession: Boolean(row.endsWithSession),
    active: Boolean(row.active),
    locale: text('locale'),
  }
}
