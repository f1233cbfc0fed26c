import type { Recorded } from '#lib/account/activity/recorded'
import type { Invitations, Purpose } from '#lib/admin/invitations/store'
import type { Prisma } from '#lib/db/engine/client'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'

/** Stores the invitations of operators. */
export const invitations = (prisma: Prisma): Invitations => ({
  async list(after, take) {
    const rows = await prisma.invitation.findMany({
      orderBy: [{ expiresAt: 'desc' }, { hash: 'desc' }],
      ...(after !== undefined && { cursor: { hash: after }, skip: 1 }),
      take,
    })
    return rows.map((row) => ({ ...row, purpose: row.purpose as Purpose }))
  },
  make: (invitation, recorded) =>
    prisma.$transaction(async (tx) => {
      await tx.invitation.create({ data: { ...invitation, createdAt: recorded.at } })
      await record(tx, invitation.purpose === 'team' ? 'team_invited' : 'account_invited', invitation.hash, recorded)
    }),
  withdraw: (hash, recorded) =>
    prisma.$transaction(async (tx) => {
      // The deletion decides between concurrent calls, and between this call and the use of the code.
      if ((await tx.invitation.deleteMany({ where: { hash, usedAt: null } })).count === 0)
        return (await tx.invitation.count({ where: { hash } })) === 1 ? 'used' : 'gone'
      await record(tx, 'invitation_withdrawn', hash, recorded)
      return 'withdrawn'
    }),
})

/** Writes a line of the operators' record, which names the invitation by the beginning of its hash, as the page does. */
const record = (tx: Generated.TransactionClient, act: string, hash: string, { reason, ...by }: Recorded) =>
  tx.operatorAct.create({ data: { ...by, act, target: '', reason, details: hash.slice(0, 8) } })
