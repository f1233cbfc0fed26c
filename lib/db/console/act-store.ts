import type { Act, ActKind, ActStore } from '#lib/console/audit/act'
import type { Prisma } from '#lib/db/engine/client'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'

/** Reads the audit trails of teams. */
export const actStore = (prisma: Prisma): ActStore => ({
  async list(teamId, after, most) {
    const rows = await prisma.teamAct.findMany({
      where: { teamId },
      orderBy: [{ at: 'desc' }, { id: 'desc' }],
      ...(after !== undefined && { cursor: { id: after }, skip: 1 }),
      take: most,
    })
    return rows.map(({ id, at, actor, act, target, ...values }) => ({
      id,
      at,
      actor,
      kind: act as ActKind,
      target,
      before: JSON.parse(values.before) as Act['before'],
      after: JSON.parse(values.after) as Act['after'],
    }))
  },
})

/** Writes an act in the transaction of the change that it describes. */
export const writeAct = (tx: Generated.TransactionClient, teamId: string, { kind, before, after, ...act }: Act) =>
  tx.teamAct.create({
    data: { ...act, teamId, act: kind, before: JSON.stringify(before), after: JSON.stringify(after) },
  })
