import type { Statements } from '#lib/db/engine/statements'
import type { OAuthStore } from '#lib/oauth/store'

/** Stores pushed authorization requests (RFC 9126). */
export function pushedRequestStore({
  find,
  change,
}: Statements): Pick<OAuthStore, 'insertPushedRequest' | 'findPushedRequest' | 'removePushedRequest'> {
  return {
    async insertPushedRequest({ id, clientId, requestId, parameters, expiresAt }) {
      await change(insert, [id, clientId, requestId, JSON.stringify(parameters), expiresAt])
    },
    async findPushedRequest(id, clientId, now) {
      const row = await find(open, [id, clientId, now])
      return row && { requestId: String(row.requestId), parameters: JSON.parse(String(row.parameters)) }
    },
    async removePushedRequest(requestId) {
      await change(remove, [requestId])
    },
  }
}

const insert = {
  name: 'pushed-request-insert',
  sql: `INSERT INTO "PushedRequest" (id, "appId", "requestId", parameters, "expiresAt") VALUES ($1, $2, $3, $4, $5)`,
}
/**
 * A pushed request counts as used as soon as an authorization has its `requestId`. That column is unique, so only one
 * of several concurrent completions succeeds.
 */
const open = {
  name: 'pushed-request-open',
  sql: `SELECT p."requestId", p.parameters FROM "PushedRequest" p
    WHERE p.id = $1 AND p."appId" = $2 AND p."expiresAt" > $3
    AND NOT EXISTS (SELECT 1 FROM "Authorization" a WHERE a."requestId" = p."requestId")`,
}

const remove = { name: 'pushed-request-remove', sql: `DELETE FROM "PushedRequest" WHERE "requestId" = $1` }
