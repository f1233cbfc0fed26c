import type { AppRecord, AppStore } from '#lib/apps/store'
import type { Prisma } from '#lib/db/engine/client'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'
import { appRemoval } from './app-removal.ts'

/** Manages registered apps for the operator. */
export function makeAppStore(prisma: Prisma): AppStore {
  return {
    list: async (now) =>
      (await prisma.app.findMany({ include: withCredentials(now), orderBy: { id: 'asc' } })).map(record),
    async find(id, now) {
      const row = await prisma.app.findUnique({ where: { id }, include: withCredentials(now) })
      return row && record(row)
    },
    ids: async () => (await prisma.app.findMany({ select: { id: true }, take: mostIds })).map(({ id }) => id),
    ...appRemoval(prisma),
  }
}

/** The maximum number of apps that are compared to suggest a similar id; an installation has far fewer. */
const mostIds = 10_000

const live = (now: Date) => ({ OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] })

const withCredentials = (now: Date) =>
  ({
    secrets: { where: live(now), orderBy: { createdAt: 'asc' } },
    keys: { orderBy: { createdAt: 'asc' } },
  }) satisfies Generated.AppInclude

type Row = Generated.AppGetPayload<{ include: ReturnType<typeof withCredentials> }>

function record(row: Row): AppRecord {
  const {
    teamId,
    redirectUris,
    scopes,
    requiredScopes,
    waitingScopes,
    waitingSince: _,
    registration,
    logoFile,
    secrets,
    keys,
    ...same
  } = row
  return {
    ...same,
    team: teamId,
    redirectUris: JSON.parse(redirectUris) as string[],
    scopes: scopes.split(' '),
    waitingScopes: waitingScopes.split(' ').filter(Boolean),
    requiredScopes: requiredScopes.split(' '),
    registration: JSON.parse(registration) as Record<string, unknown>,
    hasLogo: logoFile !== null,
    secrets: secrets.map(({ id, createdAt }) => ({ id, createdAt })),
    keys: keys.map(({ kid, createdAt }) => ({ kid, createdAt })),
  }
}
