import type { ApiStore } from '#lib/apps/api-store'
import type { Prisma } from '#lib/db/engine/client'

/** Manages registered APIs for the operator. */
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
  remove: async (identifier) => (await prisma.api.deleteMany({ where: { identifier } })).count === 1,
})

const wordsOf = (text: string): string[] => text.split(' ').filter(Boolean)
