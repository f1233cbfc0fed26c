import type { ApiStore } from '#lib/apps/api-store'
import type { Act } from '#lib/console/audit/act'
import { writeAct } from '#lib/db/console/act-store'
import type { Prisma } from '#lib/db/engine/client'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'

/** Lists registered APIs for the operator. */
export const makeApiStore = (prisma: Prisma): ApiStore => ({
  async list() {
    const rows = await prisma.api.findMany({ orderBy: { identifier: 'asc' } })
    return rows.map(({ identifier, teamId, name, signingAlg, createdAt, ...row }) => ({
      identifier,
      team: teamId,
      name,
      scopes: wordsOf(row.scopes),
      sensitiveScopes: wordsOf(row.sensitiveScopes),
      waitingScopes: wordsOf(row.waitingScopes),
      signingAlg,
      createdAt,
    }))
  },
})

/**
 * Removes an API, and writes the act with the name that it had; of concurrent calls, one does both. Tokens for the API
 * become inactive, and no new ones are issued.
 */
export async function removeApi(
  tx: Generated.TransactionClient,
  where: { identifier: string; teamId?: string },
  act: Act,
): Promise<boolean> {
  const api = await tx.api.findUnique({ where, select: { name: true, teamId: true } })
  if (!api || (await tx.api.deleteMany({ where })).count === 0) return false
  await writeAct(tx, api.teamId, { ...act, target: where.identifier, targetName: api.name })
  return true
}

const wordsOf = (text: string): string[] => text.split(' ').filter(Boolean)
