import type { AliasStore } from '#lib/account/hide-my-email/store'
import type { Statements } from '#lib/db/engine/statements'

/** Functions of the relay: `makeName` returns a random name, `addressOf` returns the relay address with that name. */
type AliasNames = { makeName(): string; addressOf(name: string): string }

/** Stores the relay addresses of people and apps (specification §2.7, "Email rules"). */
export function aliasStore({ find, change }: Statements, { makeName, addressOf }: AliasNames): AliasStore {
  const findAddress = async (personId: string, appId: string) => {
    const row = await find(byPair, [personId, appId])
    return row && addressOf(String(row.address))
  }
  return {
    findAddress,
    async ensureAddress(personId, appId, now) {
      for (;;) {
        const known = await findAddress(personId, appId)
        if (known !== undefined) return known
        // Inserts nothing if a concurrent call inserted first or the name is taken; the loop then tries again.
        const name = makeName()
        if ((await change(insert, [name, personId, appId, now])) === 1) return addressOf(name)
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
