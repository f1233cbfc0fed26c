import type { OperatorLineKind, OperatorRecord } from '#lib/admin/record'
import type { Prisma } from '#lib/db/engine/client'

/** Reads the operators' record. */
export const operatorRecord = (prisma: Prisma): OperatorRecord => ({
  async list(of, after, most) {
    const rows = await prisma.operatorAct.findMany({
      where: of,
      include: { person: { select: { id: true, username: true } } },
      orderBy: [{ at: 'desc' }, { id: 'desc' }],
      ...(after !== undefined && { cursor: { id: after }, skip: 1 }),
      take: most,
    })
    return rows.map(({ act, person, personId: _, ...row }) => ({
      ...row,
      kind: act as OperatorLineKind,
      person: person ?? undefined,
    }))
  },
})
