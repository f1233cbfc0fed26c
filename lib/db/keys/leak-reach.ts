import type { Database } from '#lib/db/engine/client'
import { type Statement, statementsOf } from '#lib/db/engine/statements'

/** Who notices that every key is replaced, because tokens signed before are refused. */
export type LeakReach = {
  /** Approvals whose app has a refresh token: it gets new tokens by itself. */
  renewed: { authorizations: number; people: number; apps: number }
  /** Approvals without a refresh token, whose access token may still be valid: the app asks these people to sign in. */
  ended: { authorizations: number; people: number; apps: number }
}

const counts = `SELECT CAST(COUNT(*) AS INTEGER) AS authorizations, CAST(COUNT(DISTINCT "personId") AS INTEGER) AS people,
  CAST(COUNT(DISTINCT "appId") AS INTEGER) AS apps FROM "Authorization" WHERE "revokedAt" IS NULL`

const withRefresh: Statement = {
  name: 'leak-renewed',
  sql: `${counts} AND "refreshHash" IS NOT NULL AND "refreshIdleUntil" > $1 AND "refreshUntil" > $1`,
}
const withoutRefresh: Statement = {
  name: 'leak-ended',
  sql: `${counts} AND "refreshHash" IS NULL AND "codeSpentAt" > $1`,
}

/** The longest life of an access token (ACCESS_TOKEN_SECONDS and `dpop_access_token_seconds`), in milliseconds. */
const longestAccess = 3_600_000

/** Counts who notices a replacement of every key. Reads all approvals, so it is for a command. */
export async function leakReach(database: Database, now: Date): Promise<LeakReach> {
  const { find } = statementsOf(database)
  const [renewed, ended] = await Promise.all([
    find(withRefresh, [now]),
    find(withoutRefresh, [new Date(now.getTime() - longestAccess)]),
  ])
  return { renewed: renewed as LeakReach['renewed'], ended: ended as LeakReach['ended'] }
}
