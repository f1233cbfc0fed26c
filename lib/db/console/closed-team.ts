import type { Prisma } from '#lib/db/generated/sqlite/client'

type Transaction = Prisma.TransactionClient

/** Closes a team with its open apps, or opens it with the apps that were closed with it. Writes no act. */
export async function changeTeam(tx: Transaction, id: string, isClosed: boolean, at: Date) {
  // Locks the team, so that of concurrent equal calls one changes it.
  const [team] = await tx.team.updateManyAndReturn({ where: { id }, data: { id } })
  if (!team) return 'unknown'
  if ((team.closedAt !== null) === isClosed) return 'same'
  await tx.team.updateMany({ where: { id }, data: { closedAt: isClosed ? at : null, updatedAt: at } })
  await (isClosed ? closeApps(tx, id, at) : openApps(tx, id, team.closedAt))
  return 'changed'
}

/** Closes the open apps at the time that marks them, and ends what would move an app out of the team or open one. */
async function closeApps(tx: Transaction, teamId: string, at: Date): Promise<void> {
  await tx.appTransfer.deleteMany({ where: { fromTeamId: teamId, acceptedAt: null } })
  // An app that arrives stays closed when its transfer is done; an owner can open it once the team is open. First, so
  // that an app that the end of a transfer opens at the same time is open here, and closes.
  const arriving = { toTeamId: teamId, acceptedAt: { not: null }, settledAt: null }
  await tx.appTransfer.updateMany({ where: arriving, data: { wasClosed: true } })
  await tx.app.updateMany({ where: { teamId, disabledAt: null }, data: { disabledAt: at, disabledBy: 'operator' } })
}

/** Opens the apps that were closed together with the team, unless they are being deleted. */
async function openApps(tx: Transaction, teamId: string, closedAt: Date | null): Promise<void> {
  const where = { teamId, disabledBy: 'operator', disabledAt: closedAt, removeAfter: null }
  await tx.app.updateMany({ where, data: { disabledAt: null, disabledBy: null } })
}
