import type { Statements } from '#lib/db/engine/statements'
import type { AliasStore } from '#lib/relay/store'

/** The relay addresses people have for apps (specification §2.7, "Email rules"). */
export function aliasStore({ find, change }: Statements): AliasStore {
  const findAlias = async (personId: string, appId: string) => {
    const row = await find(byPair, [personId, appId])
    return row && String(row.address)
  }
  return {
    findAlias,
    async ensureAlias(personId, appId, makeName, now) {
      for (;;) {
        const known = await findAlias(personId, appId)
        if (known !== undefined) return known
        // Nothing is stored when another tab was faster, or when somebody else has this very name: look again.
        const name = makeName()
        if ((await change(insert, [name, personId, appId, now])) === 1) return name
      }
    },
  }
}

const byPair = {
  name: 'alias-by-pair',
  sql: `SELECT address FROM "Alias" WHERE "personId" = $1 AND "appId" = $2`,
}
const insert = {
  name: 'alias-insert',
  sql: `INSERT INTO "Alias" (address, "personId", "appId", "createdAt") VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
}
