import type { OperatorStore } from '#lib/admin/operators/store'
import { isUniqueConflict, type Prisma } from '#lib/db/engine/client'
import { isLastOperator, isLastOperatorNow } from './last-operator.ts'
import { recordAct } from './operator-acts.ts'

/** Stores who is an operator. */
export const operatorStore = (prisma: Prisma): OperatorStore => ({
  async isOperator(personId) {
    return (await prisma.operator.count({ where: { personId } })) === 1
  },
  async list() {
    const rows = await prisma.operator.findMany({
      include: { person: { select: { username: true } } },
      orderBy: { grantedAt: 'asc' },
    })
    return rows.map(({ person, grantedAt }) => ({ username: person.username, grantedAt }))
  },
  async add(personId, recorded) {
    try {
      await prisma.$transaction(async (tx) => {
        await tx.operator.create({ data: { personId, grantedAt: recorded.at } })
        await tx.factorReset.deleteMany({ where: { personId } })
        await recordAct(tx, personId, 'role_given', recorded)
      })
      return true
    } catch (fault) {
      if (isUniqueConflict(fault)) return false
      throw fault
    }
  },
  remove: (personId, evenLast, recorded) =>
    prisma.$transaction(async (tx) => {
      if ((await isLastOperatorNow(tx, personId)) && !evenLast) return 'last'
      if ((await tx.operator.deleteMany({ where: { personId } })).count === 0) return 'no operator'
      await recordAct(tx, personId, 'role_taken', recorded)
      return 'removed'
    }),
  isLast: (personId) => isLastOperator(prisma, personId),
})
