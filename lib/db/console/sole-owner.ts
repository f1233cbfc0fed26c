import type { Prisma } from '#lib/db/generated/sqlite/client'

/** Matches the members who can act as owners: an account that is disabled or about to be deleted cannot. */
export const activeOwner = { role: 'owner', person: { disabledAt: null, deleteAfter: null } }

/** Matches the teams whose only acting owner is the person. */
const ownedAlone = (personId: string) => ({
  members: { some: { personId, role: 'owner' }, none: { ...activeOwner, personId: { not: personId } } },
})

type Reader = Pick<Prisma.TransactionClient, 'team'>
const listed = { select: { id: true, name: true }, orderBy: { name: 'asc' } } as const

/** Returns the teams whose only acting owner is the person. */
export const findOwnedAlone = (reader: Reader, personId: string) =>
  reader.team.findMany({ where: ownedAlone(personId), ...listed })

/** Matches an app that its team has not deleted. */
export const keptApp = { removeAfter: null }

/**
 * Returns the teams that need the person as their owner: they have no other owner, and other members, apps or APIs. An app
 * that waits for its erasure does not count.
 */
export const findInNeed = (reader: Reader, personId: string) =>
  reader.team.findMany({
    where: {
      ...ownedAlone(personId),
      OR: [{ members: { some: { personId: { not: personId } } } }, { apps: { some: keptApp } }, { apis: { some: {} } }],
    },
    ...listed,
  })

/** Locks the teams that a person owns, in one order, so that of two owners who leave at the same time one stays. */
export async function lockOwnTeams(tx: Prisma.TransactionClient, personId: string, now: Date): Promise<void> {
  const owned = await tx.member.findMany({ where: { personId, role: 'owner' }, orderBy: { teamId: 'asc' } })
  for (const { teamId: id } of owned) await tx.team.updateMany({ where: { id }, data: { updatedAt: now } })
}
