import type { Prisma } from '#lib/db/engine/client'
import type { Api } from '#lib/oauth/client/api'

/** Returns the APIs of a team (RFC 8707). Only a request that names an API reads them. */
export async function findApis(prisma: Prisma, teamId: string): Promise<Api[]> {
  const rows = await prisma.api.findMany({ where: { teamId }, orderBy: { identifier: 'asc' } })
  return rows.map(({ identifier, name, scopes, signingAlg }) => ({
    identifier,
    name,
    // Every scope may wait for an operator's approval.
    scopes: scopes.split(' ').filter(Boolean),
    signingAlg: signingAlg as Api['signingAlg'],
  }))
}
