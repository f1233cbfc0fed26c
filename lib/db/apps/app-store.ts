import type { AppRecord, AppStore, SecretAdded } from '#lib/apps/store'
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
    addSecret: (appId, secret, limit) => addSecret(prisma, appId, secret, limit),
    async removeSecret(appId, id) {
      const { count } = await prisma.appSecret.deleteMany({ where: { appId, id } })
      return count > 0 ? 'removed' : 'unknown'
    },
    removeKey: (appId, kid) => removeKey(prisma, appId, kid),
    ids: async () => (await prisma.app.findMany({ select: { id: true }, take: mostIds })).map(({ id }) => id),
    async setDisabled(id, at) {
      await (at ? closeByOperator(prisma, id, at) : openByOperator(prisma, id))
      return (await prisma.app.count({ where: { id } })) === 1
    },
    ...appRemoval(prisma),
  }
}

/** Closes an app. If its team has closed it already, only the operator can open it from now on. */
async function closeByOperator(prisma: Prisma, id: string, at: Date): Promise<void> {
  await prisma.app.updateMany({ where: { id, disabledAt: null }, data: { disabledAt: at } })
  await prisma.app.updateMany({ where: { id }, data: { disabledBy: 'operator' } })
}

/** Opens an app; the job that ends the authorizations of a transferred app opens it when it is done. */
async function openByOperator(prisma: Prisma, id: string): Promise<void> {
  const unsettled = { acceptedAt: { not: null }, settledAt: null }
  const open = { disabledAt: null, disabledBy: null }
  await prisma.app.updateMany({ where: { id, transfers: { none: unsettled } }, data: open })
  await prisma.app.updateMany({ where: { id, transfers: { some: unsettled } }, data: { disabledBy: 'transfer' } })
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
  const { teamId, redirectUris, scopes, requiredScopes, registration, logoFile, secrets, keys, ...same } = row
  return {
    ...same,
    team: teamId,
    redirectUris: JSON.parse(redirectUris) as string[],
    scopes: scopes.split(' '),
    requiredScopes: requiredScopes.split(' '),
    registration: JSON.parse(registration) as Record<string, unknown>,
    hasLogo: logoFile !== null,
    secrets: secrets.map(({ id, createdAt }) => ({ id, createdAt })),
    keys: keys.map(({ kid, createdAt }) => ({ kid, createdAt })),
  }
}

function addSecret(
  prisma: Prisma,
  appId: string,
  secret: { id: string; hash: string },
  { now, most }: { now: Date; most: number },
): Promise<SecretAdded> {
  return prisma.$transaction(async (tx) => {
    // The update locks the app's row, so that a concurrent call sees the secret that this call adds.
    const [app] = await tx.app.updateManyAndReturn({ where: { id: appId }, data: { updatedAt: now } })
    if (!app) return 'unknown app'
    if (app.kind !== 'confidential') return 'not confidential'
    if ((await tx.appSecret.count({ where: { appId, ...live(now) } })) >= most) return 'enough are live'
    await tx.appSecret.create({ data: { ...secret, appId, createdAt: now } })
    return 'added'
  })
}

function removeKey(prisma: Prisma, appId: string, kid: string): Promise<'removed' | 'unknown' | 'last'> {
  return prisma.$transaction(async (tx) => {
    const [keys, app] = [
      await tx.appKey.findMany({ where: { appId } }),
      await tx.app.findUnique({ where: { id: appId }, select: { registration: true } }),
    ]
    if (!keys.some((key) => key.kid === kid)) return 'unknown'
    if (keys.length === 1 && !JSON.parse(app?.registration ?? '{}').jwks_uri) return 'last'
    await tx.appKey.delete({ where: { appId_kid: { appId, kid } } })
    return 'removed'
  })
}
