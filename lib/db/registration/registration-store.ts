import type { RegistrationStore, SelfRegistration } from '#lib/console/registration/store'
import type { Prisma } from '#lib/db/engine/client'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'

/** Thrown to roll back a registration whose initial access token permits no more. */
export class TokenSpent extends Error {}

/** Uses up one registration of an initial access token, and stores the hash of the registration access token. */
export async function noteSelfRegistration(
  tx: Generated.TransactionClient,
  appId: string,
  { tokenId, managementHash }: SelfRegistration,
  now: Date,
): Promise<void> {
  const { count } = await tx.registrationToken.updateMany({
    where: { id: tokenId, remaining: { gt: 0 }, expiresAt: { gt: now } },
    data: { remaining: { decrement: 1 } },
  })
  if (count === 0) throw new TokenSpent()
  await tx.managementToken.create({ data: { appId, hash: managementHash, createdAt: now } })
}

/** Stores the registration access tokens of apps that registered themselves. */
export const registrationStore = (prisma: Prisma): RegistrationStore => ({
  async findTeam(appId, hash) {
    const team = { select: { id: true, trusted: true, closedAt: true } }
    const row = await prisma.managementToken.findUnique({
      where: { appId, hash },
      include: { app: { select: { team } } },
    })
    if (!row) return undefined
    const { id, trusted, closedAt } = row.app.team
    return { id, isTrusted: trusted, isClosed: closedAt !== null }
  },
  async hasSecret(appId, hash, now) {
    const live = { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
    return (await prisma.appSecret.count({ where: { appId, hash, ...live } })) > 0
  },
  async endManagement(appId) {
    await prisma.managementToken.deleteMany({ where: { appId } })
  },
})
